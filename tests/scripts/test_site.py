"""What the site's hooks do to pages."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("mkdocs")
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from scripts import site as hooks

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("../glossary.md#gap", "[x](../glossary.md#gap)"),
        ("../../CHANGELOG.md", "[x](../changelog.md)"),
        ("https://a.b/c", "[x](https://a.b/c)"),
        ("#here", "[x](#here)"),
        ("../../examples/articles", "x"),
    ],
)
def test_links_lead_to_pages_or_are_none(target, expected):
    page = hooks.DOCS / "tutorial" / "parsing.md"
    assert hooks._link("x", target, page, "tutorial/parsing.md") == expected


def test_links_of_pages_beside_the_documentation():
    home = ROOT / "CHANGELOG.md"
    made = hooks._link("x", "docs/how-to/threads.md", home, "changelog.md")
    assert made == "[x](how-to/threads.md)"


def test_folders_become_their_pages():
    (guides,) = hooks._expanded({"Models": "models/"}).values()
    assert {"Model card: english": "models/english.md"} in guides
    (results,) = hooks._expanded({"Results": "results/"}).values()
    assert results[0] == {"Results": "results/README.md"}


def test_every_public_name_is_in_the_reference():
    page = hooks._names("treaty.graph")
    assert "::: treaty.graph.FactorGraph\n" in page
    assert "[`treaty.FactorGraph`][treaty.graph.FactorGraph]" in hooks._names("treaty")


@pytest.mark.parametrize("name", ["english", "entities", "summarizer", "threads"])
def test_every_shipped_model_has_a_card(name):
    page = (hooks.DOCS / "models" / f"{name}.md").read_text(encoding="utf-8")
    assert f"<!-- scores of {name} -->" in page
    assert "## Known failures" in page
    table = hooks._scores(name)
    assert "| license | CC BY" in table
    assert "| size | " in table


def test_the_steps_on_the_home_page_meet():
    steps = hooks._steps()
    bound, best = steps[-1]
    assert bound == pytest.approx(best, abs=1e-5)
    assert [b for b, _ in steps] == sorted((b for b, _ in steps), reverse=True)
