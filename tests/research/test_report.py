"""Run lines, and the pages made of them: the committed pages are what the committed runs give."""

import json
import math
import re

import pytest

from research.report import render
from research.report.markdown import fill, geometric_mean, grid, number, origin_of
from research.report.runs import ORIGIN, RESULTS, append_run, read_runs
from research.report.summary import ABOUT

RUNS = render.read_all(RESULTS)
PAGES = render.render(RUNS)
AGAIN = "run `make results`"


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_what_the_runs_give(name):
    assert (RESULTS / name).read_text(encoding="utf-8") == PAGES[name], AGAIN


def test_there_are_no_other_pages_or_runs():
    assert {path.name for path in RESULTS.glob("*.md")} == set(PAGES), AGAIN
    assert {path.stem for path in RESULTS.glob("*.jsonl")} == set(ABOUT)


def test_the_table_of_readme_is_what_the_runs_give():
    page = render.README.read_text(encoding="utf-8")
    assert render.with_summary(page, RUNS) == page, AGAIN


@pytest.mark.parametrize("name", ABOUT)
def test_lines_say_where_they_come_from(name):
    for line in (RESULTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        missing = [key for key in ORIGIN if run[key] is None]
        assert not missing or "source" in run, line


@pytest.mark.parametrize("name", ABOUT)
def test_every_file_is_on_a_page(name):
    templates = "".join(path.read_text("utf-8") for path in render.TEMPLATES.glob("*.md"))
    assert f"{{{{{name}.origin" in templates


def test_no_place_is_left_open():
    for text in PAGES.values():
        assert not re.search(r"\{\{|There are no runs", text)


def test_figures_are_drawn_and_pages_without_runs_say_so(tmp_path, monkeypatch):
    arguments = ["report", "--runs", str(RESULTS), "--pages", str(tmp_path)]
    monkeypatch.setattr("sys.argv", arguments)
    render.main()
    figures = {path.name for path in (tmp_path / "images").glob("*.svg")}
    others = {"reliability.svg", "sparsemap.svg"}  # made by other scripts
    assert figures == {path.name for path in render.IMAGES.glob("*.svg")} - others
    assert (tmp_path / "parsing.md").read_text("utf-8") == PAGES["parsing.md"]
    some = {**RUNS, "threads": []}
    assert "There are no runs in threads.jsonl." in render.render(some)["labeling.md"]


def test_the_later_of_two_runs_counts(tmp_path):
    path = tmp_path / "runs.jsonl"
    assert read_runs(path, ("name",)) == []
    for score in (0.1, 0.2):
        append_run(path, {"name": "a", "score": score})
    append_run(path, {"name": "b", "score": 0.3})
    assert [run["score"] for run in read_runs(path, ("name",))] == [0.2, 0.3]


def test_runs_are_strict_json_with_their_origin(tmp_path):
    path = tmp_path / "new" / "runs.jsonl"
    run = append_run(path, {"bound": math.inf, "trace": [[0.0, -math.inf]], "x": math.nan})
    assert json.loads(path.read_text(), parse_constant=pytest.fail) == run
    assert (run["bound"], run["trace"], run["x"]) == (None, [[0.0, None]], None)
    assert all(run[name] for name in ORIGIN)
    assert append_run(None, {"a": 1})["a"] == 1


def test_an_origin_names_every_command_and_how_many_lines_were_taken():
    usual = {"commit": "abc", "date": "2026-01-02", "machine": "a loom"}
    runs = [
        {**usual, "command": "python a"},
        {**usual, "command": "python b", "source": "taken from a book"},
        {**usual, "command": None, "commit": None, "load": 2.0},
    ]
    assert origin_of(runs).splitlines() == [
        "- commands: `python a`, `python b`",
        "- commit: `abc`, 2026-01-02",
        "- machine: a loom",
        "- load average: 2",
        "- 1 of 3 lines are taken from a book",
    ]
    many = [{"command": f"run {i} > out"} for i in range(5)]
    assert origin_of(many).splitlines() == [
        "",
        "<details><summary>5 commands</summary><pre>",
        *(f"run {i} &gt; out" for i in range(5)),
        "</pre></details>",
    ]


def test_pieces_of_pages():
    assert grid(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"
    assert grid(["a", "b"], [], text=("b",)).endswith("| ---: | --- |")
    assert (number(None, ".1f"), number(0.256, ".1f", 100)) == ("", "25.6")
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)


def test_a_page_is_filled_between_its_marks():
    page = "before\n<!-- x -->\nold\n<!-- /x -->\nafter\n"
    filled = "before\n<!-- x -->\n\nnew \\1\n\n<!-- /x -->\nafter\n"
    assert fill(fill(page, "x", r"new \1"), "x", r"new \1") == filled
    with pytest.raises(SystemExit, match="no marks"):
        fill(page, "y", "new")
