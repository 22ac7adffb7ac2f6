"""Names that are imported when they are first used."""

import subprocess
import sys

import pytest

from treaty._lazy import imported


def test_names_are_found_in_their_modules():
    homes = {"json": ["dumps"], "math": ["pi"]}
    assert imported("mine", homes, "pi") == 3.141592653589793
    with pytest.raises(AttributeError, match="module 'mine' has no attribute 'loads'"):
        imported("mine", homes, "loads")


@pytest.mark.parametrize(
    ("package", "module", "name"),
    [
        ("treaty.summarize", "treaty.summarize.cuts._check", "broken_rules"),
        ("treaty.summarize", "treaty.summarize.scores._training", "train_summarizer"),
        ("treaty.learn", "treaty.learn._graph_model", "GraphModel"),
    ],
)
def test_modules_wait_until_they_are_needed(package, module, name):
    code = (
        f"import sys, {package}; before = {module!r} in sys.modules; {package}.{name};"
        f"print(before, {module!r} in sys.modules, {name!r} in dir({package}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]
