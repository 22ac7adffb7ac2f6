"""Settings of all tests; doctests of modules whose library is not installed are left out."""

from importlib.util import find_spec

from hypothesis import settings

settings.register_profile("treaty", deadline=None)  # no test measures time
settings.load_profile("treaty")

NEEDS = {"jupyter": "IPython", "pandas": "pandas", "sklearn": "sklearn", "spacy": "spacy"}
collect_ignore = [
    f"src/treaty/integrations/{module}.py"
    for module, library in NEEDS.items()
    if find_spec(library) is None
]
