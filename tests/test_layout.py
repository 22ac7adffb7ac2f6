"""The tests of a module are found by its name: src/treaty/a/_b.py has tests/a/test_b.py."""

from __future__ import annotations

from pathlib import Path

import treaty

SOURCE, TESTS = Path(treaty.__file__).parent, Path(__file__).parent
DATA = {
    "label/entities/_templates.py",
    "parse/_cluster_templates.py",
    "parse/_lemma_templates.py",
    "parse/_samples.py",
    "parse/_tag_templates.py",
    "parse/_templates.py",
    "parse/_tokenizer_templates.py",
}
"""Modules that hold data and no code to speak of; what uses them is tested."""


def modules() -> dict[str, Path]:
    """All modules, and where the tests of each should be."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE)
        if not path.name.startswith("__") and place.parts[0] != "_native":
            found[place.as_posix()] = TESTS / place.with_name(f"test_{path.stem.lstrip('_')}.py")
    return found


def test_every_module_has_tests_of_its_name():
    missing = {name for name, tests in modules().items() if not tests.exists()}
    assert missing - DATA == set()


def test_the_exceptions_are_still_needed():
    assert {name for name, tests in modules().items() if tests.exists()} & DATA == set()
    assert set(modules()) >= DATA


def test_names_are_those_of_the_rule():
    found = modules()
    assert found["errors.py"] == TESTS / "test_errors.py"
    assert found["papers/decompositions/_flows.py"] == TESTS / "papers/decompositions/test_flows.py"
