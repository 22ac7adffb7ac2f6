"""The search for a grammar, over processes."""

from __future__ import annotations

import math
import os
import random
import signal
import threading

import numpy as np
import pytest

from treaty.cluster import _induce, branch_and_bound
from treaty.cluster._induce import ClusterSearch, Nodes, search_share
from treaty.errors import UsageError
from treaty.induce import Corpus
from treaty.induce import branch_and_bound as alone
from treaty.induce._chords import ChordSearch
from treaty.induce._search import Settings


def corpus_of(sentences: int, seed: int = 3) -> Corpus:
    chosen = random.Random(seed)
    tags = "NVDA"
    return Corpus.from_tags(
        [[chosen.choice(tags) for _ in range(chosen.randint(2, 5))] for _ in range(sentences)]
    )


CORPUS = corpus_of(9)


@pytest.fixture(scope="module")
def known():
    return alone(CORPUS, relative_gap=0.08)


def test_the_optimum_and_its_bound_are_those_of_one_process(cluster, known, monkeypatch):
    monkeypatch.setattr(_induce, "FIRST", 8)
    found = branch_and_bound(cluster, CORPUS, relative_gap=0.08)
    assert found.status == known.status == "OPTIMAL"
    assert found.objective == pytest.approx(known.objective, rel=1e-12)
    assert found.bound == pytest.approx(known.bound, rel=1e-9)
    assert found.iterations > 1000


def test_shares_searched_one_by_one_prove_the_same(known):
    """A twin without a cluster: every node is searched exactly once."""
    own = ChordSearch(CORPUS, Settings(relative_gap=0.08))
    worker = ChordSearch(CORPUS, Settings(relative_gap=0.08, restarts=0))
    own.advance(math.inf, math.inf, 200, 1)
    number = 0
    while own.open_nodes:
        share, number = Nodes(*own.native.hand_over(50)), number + 1
        assert max(own.bound, share.bound) >= known.objective
        heads = np.asarray(own.native.heads)
        found = search_share(worker, share, heads, number, math.inf, 500)
        own.native.take_over(*found.nodes, found.closed, found.done)
        if found.objective > own.objective:
            own.native.adopt(found.heads)
    assert own.objective == pytest.approx(known.objective, rel=1e-12)
    assert own.bound == pytest.approx(known.bound, rel=1e-9)
    assert number > 5


def test_nodes_in_flight_count_and_are_saved(cluster, tmp_path):
    settings = Settings(relative_gap=0.01)
    search = ClusterSearch(cluster, CORPUS, settings)
    search._local.advance(math.inf, math.inf, 500, 1)
    before = search.open_nodes, search.bound
    share = Nodes(*search._local.native.hand_over(20))  # those with the highest bounds
    assert search._local.bound < before[1]
    search._shares._submit = lambda client, share: client.submit(pow, 2, 3)
    search._shares.send(share)
    assert (search.open_nodes, search.bound) == before
    with (tmp_path / "state").open("wb") as stream:
        search.save(stream.fileno(), 7)
    assert search._local.open_nodes == before[0] - 20
    again = ChordSearch(CORPUS, settings)
    with (tmp_path / "state").open("rb") as stream:
        again.load(stream.fileno(), 7)
    assert (again.open_nodes, again.bound) == before


def test_workers_are_told_of_the_first_trees_before_they_ask(cluster):
    """They wait for a second for what nobody has told: once that took a third of their time."""
    search = ClusterSearch(cluster, CORPUS, Settings(relative_gap=0.01))
    search._local.advance(math.inf, math.inf, 500, 1)
    search._shares.send(Nodes(*search._local.native.hand_over(5)))
    objective, trees = search._board.ask()
    assert objective == search.objective
    assert np.frombuffer(trees, np.int32).tolist() == search.heads.tolist()
    while not search._shares.receive(1.0):
        pass


def test_one_process_takes_up_what_many_have_left_and_the_other_way_round(
    cluster, tmp_path, known, monkeypatch
):
    monkeypatch.setattr(_induce, "FIRST", 8)
    folder = tmp_path / "search"
    half = branch_and_bound(cluster, CORPUS, relative_gap=0.08, iterations=3000, checkpoint=folder)
    assert half.status == "FEASIBLE"
    assert half.bound >= known.objective
    more = alone(CORPUS, relative_gap=0.08, iterations=half.iterations + 3000, resume=folder)
    assert half.iterations < more.iterations
    rest = branch_and_bound(cluster, CORPUS, relative_gap=0.08, resume=folder)
    assert rest.status == "OPTIMAL"
    assert rest.objective == pytest.approx(known.objective, rel=1e-12)
    assert rest.bound == pytest.approx(known.bound, rel=1e-9)


def test_boxes_that_are_none_are_refused():
    search = ChordSearch(CORPUS, Settings())
    search.advance(math.inf, math.inf, 10, 1)
    bounds, prices, boxes = search.native.hand_over(3)
    wrong = np.array(boxes)
    wrong[0] = 65535
    for arrays in (
        (bounds, prices, wrong),
        (bounds * np.nan, prices, boxes),
        (bounds, prices, boxes[1:]),
    ):
        with pytest.raises(ValueError, match="box"):
            search.native.take_over(*arrays, -math.inf, 0)
    with pytest.raises(ValueError, match="head for every token"):
        search.native.adopt(np.zeros(1, np.int32))


def test_other_relaxations_are_refused(cluster):
    with pytest.raises(UsageError, match="relaxation 'chords'"):
        branch_and_bound(cluster, CORPUS, relaxation="mccormick")


@pytest.mark.long
def test_workers_that_die_leave_no_hole_in_the_proof(cluster):
    corpus = corpus_of(11)
    known = alone(corpus, relative_gap=0.05)
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(8.0):
            pids = list(cluster.client.run(os.getpid).values())
            os.kill(pids[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = branch_and_bound(cluster, corpus, relative_gap=0.05)
    finally:
        ended.set()
        killer.join()
    assert found.status == "OPTIMAL"
    assert found.objective == pytest.approx(known.objective, rel=1e-12)
    assert found.bound == pytest.approx(known.bound, rel=1e-9)
