"""What all searches have in common, whatever bounds their boxes."""

import math
import random
import signal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.induce.reference import best_likelihood

from treaty.errors import UsageError
from treaty.induce import Corpus, Settings
from treaty.induce._branch_and_bound import start_search

RELAXATIONS = ("chords", "mccormick", "mccormick+counts", "rlt-obj")
CORPUS = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"]])


def steps(relaxation: str, **more):
    """Go on by the smallest steps until the search is done."""
    search = start_search(CORPUS, Settings(relaxation, relative_gap=0.05, restarts=3, **more))
    while not search.done:
        search.advance(0.0 if relaxation != "chords" else math.inf, math.inf, 1, 1)
        yield search


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_the_optimum_stays_between_objective_and_bound(relaxation: str) -> None:
    best, last, nodes = best_likelihood(CORPUS), (-math.inf, math.inf), 0
    for search in steps(relaxation):
        assert search.objective <= best + 1e-9 <= search.bound + 2e-9
        assert search.objective >= last[0] and search.bound <= last[1] + 1e-9
        assert search.objective == pytest.approx(CORPUS.log_likelihood(search.heads))
        assert search.nodes >= nodes and search.feasible
        assert (search.open_nodes == 0) == search.done
        assert (search.memory == 0) == (search.open_nodes == 0) or search.open_nodes == 1
        last, nodes = (search.objective, search.bound), search.nodes
    assert last[1] <= Settings(relative_gap=0.05).enough(last[0]) + 1e-9


@pytest.mark.parametrize("relaxation", RELAXATIONS)
def test_a_saved_search_goes_on_as_if_it_had_not_been(relaxation: str, tmp_path) -> None:
    path = tmp_path / "state"
    for number, search in enumerate(steps(relaxation)):
        if number == 5 or search.done:
            break
    with path.open("wb") as file:
        search.save(file.fileno(), 42)
    again = start_search(CORPUS, Settings(relaxation, relative_gap=0.05, restarts=3))
    with path.open("rb") as file:
        with pytest.raises(RuntimeError, match="another corpus or other settings"):
            again.load(file.fileno(), 43)
        again.load(file.fileno(), 42)
    for one in (search, again):
        one.advance(math.inf, math.inf, 10**9, 1)
    assert (again.objective, again.bound, again.nodes) == (
        search.objective,
        search.bound,
        search.nodes,
    )
    assert np.array_equal(again.heads, search.heads)


@given(st.floats(-1e6, 0.0), st.floats(0.0, 0.5))
def test_enough_is_the_gap_asked_for_and_never_none(objective: float, gap: float) -> None:
    enough = Settings(relative_gap=gap).enough(objective)
    assert enough - objective >= gap * abs(objective) * (1 - 1e-9)
    assert enough >= objective + 0.99e-6
    assert enough <= objective + max(gap, 1e-6) * max(abs(objective), 1.0) * (1 + 1e-9) + 1e-9


def test_without_an_answer_nothing_is_enough() -> None:
    assert Settings().enough(-math.inf) == -math.inf


@pytest.mark.parametrize("name", ["relative_gap", "smoothing", "restarts", "memory", "seed"])
def test_negative_settings_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        Settings(**{name: -1})


def test_an_interrupted_search_loses_no_node() -> None:
    """Nodes that were being divided when Ctrl-C came are open again: the bound still holds."""
    draw = random.Random(1)
    corpus = Corpus.from_tags([draw.choices("ABCDEFGH", k=9) for _ in range(60)])
    search = start_search(corpus, Settings("chords", relative_gap=1e-6, restarts=3))
    search.advance(math.inf, math.inf, 1, 1)
    assert search.open_nodes > 0

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(5):
            nodes = search.nodes
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            with pytest.raises(KeyboardInterrupt):
                search.advance(math.inf, math.inf, 10**9, 1)
            assert search.open_nodes > 0
            assert search.bound > search.objective / 2  # the optimum is far from proved
            assert search.nodes >= nodes
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)
