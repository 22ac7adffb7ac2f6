"""Progress events become a bar on a terminal, and lines of scores anywhere."""

import re
import sys

import pytest

from treaty.cli._progress import Display
from treaty.graph import FactorGraph
from treaty.progress import Progress


@pytest.fixture
def terminal(monkeypatch):
    """Let standard error be a terminal of some width, once a test calls this."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return lambda: monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)


def frames(err):
    uncolored = re.sub(r"\x1b\[[0-9;]*m", "", err)
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\n", uncolored)
    return [" ".join(line.split()) for line in re.split(r"[\r\n]+", plain) if line.strip()]


EVENT = Progress("trees", 1500, 5000, epoch=2, epochs=5, seconds=6.0)


def test_nothing_is_drawn_where_nobody_looks(capfd):
    with Display("training", quiet=False) as display:
        assert not display.is_live
        display(EVENT)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("options", [{"quiet": True}, {"quiet": False, "on_terminal": True}])
def test_nor_where_it_would_be_in_the_way(terminal, capfd, options):
    terminal()
    with Display("training", **options) as display:
        assert not display.is_live
        display(EVENT)
    assert capfd.readouterr() == ("", "")


def test_a_bar_has_stage_epoch_count_and_time_left(terminal, capfd):
    terminal()
    with Display("training", quiet=False) as display:
        assert display.is_live
        display(EVENT)
    out, err = capfd.readouterr()
    assert out == ""
    assert re.match("training: trees, epoch 2 of 5 .* 1,500 of 5,000 · 0:14 left", frames(err)[-1])


def test_a_search_has_its_objective_and_bound(terminal, capfd):
    terminal()
    event = Progress("ad3", 20, scores={"objective": 1.25, "bound": float("inf"), "memory": 9.0})
    with Display("solving by ad3", quiet=False) as display:
        display(event)
    last = frames(capfd.readouterr()[1])[-1]
    assert last.startswith("solving by ad3 ")
    assert last.endswith(" 20 · objective 1.25")


@pytest.mark.parametrize("live", [True, False])
def test_scores_of_an_epoch_are_a_line(terminal, capfd, live):
    if live:
        terminal()
    scored = Progress("trees", 1, 1, {"UAS": 0.91, "LAS": 0.875}, epoch=1, epochs=2)
    with Display("training", quiet=False) as display:
        display(scored)
    assert "treaty: note: trees, epoch 1 of 2: UAS 91.00 %; LAS 87.50 %" in frames(
        capfd.readouterr()[1]
    )
    with Display("training", quiet=True) as display:
        display(scored)
    assert capfd.readouterr()[1] == ""


def test_results_are_counted(terminal, capfd):
    terminal()
    with Display("parsing", quiet=False) as display:
        assert list(display.counted("abc")) == ["a", "b", "c"]
    assert re.fullmatch(r"parsing \S+ 3", frames(capfd.readouterr()[1])[-1])


def test_a_solver_is_not_stopped_by_it(terminal, capfd):
    terminal()
    graph = FactorGraph()
    graph.at_most_one(graph.variables([1.0, 1.5]))
    with Display("solving", quiet=False) as display:
        solution = graph.solve(progress=display, progress_every=1)
    assert solution.status == "OPTIMAL"
