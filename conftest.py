"""Settings of all tests; doctests of modules whose library is not installed are left out."""

from importlib.util import find_spec

from hypothesis import settings

settings.register_profile("treaty", deadline=None)  # no test measures time
settings.load_profile("treaty")

NEEDS = {
    "integrations/jupyter.py": "IPython",
    "integrations/pandas.py": "pandas",
    "integrations/pyepo.py": "pyepo",
    "integrations/sklearn.py": "sklearn",
    "integrations/spacy.py": "spacy",
    "jax": "jax",
    "torch": "torch",
}
collect_ignore = [f"src/treaty/{place}" for place, needed in NEEDS.items() if not find_spec(needed)]
