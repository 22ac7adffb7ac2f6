"""The linker: what it learns, certificates, confidences."""

import dataclasses
import io
import itertools

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.errors import LimitError, UsageError
from treaty.label.threads import ORDERS, ThreadLinker, _linker, _pairs
from treaty.metrics import link_scores
from treaty.solve import Status
from treaty.text import Post, Thread, read_threads

TEST = toy_threads(12, seed=2)


def link_one(linker, thread, **options):
    (found,) = linker.predict([thread], **options)
    return found


def timeless(linked):
    """What does not depend on the time it took."""
    return [
        (found.thread, found.confidences, dataclasses.replace(found.certificate, seconds=0.0))
        for found in linked
    ]


@pytest.mark.parametrize("order", ORDERS)
def test_the_rule_is_learned(linkers, order):
    linked = list(linkers[order].predict(TEST))
    links = link_scores(TEST, [found.thread for found in linked]).links
    assert links.f1 > 0.85
    scores = {"F1": links.f1, "precision": links.precision, "recall": links.recall}
    assert linkers[order].evaluate(TEST) == scores
    for found in linked:
        assert found.bound >= found.objective - 1e-9
        assert found.left_out == 0
        assert len(found.confidences) == len(found.thread.links)
        assert all(0 <= sure <= 1 for sure in found.confidences)


def test_independent_answers_are_all_certified(linkers):
    assert {found.status for found in linkers["independent"].predict(TEST)} == {Status.OPTIMAL}


def test_the_answer_does_not_depend_on_batches(linkers, monkeypatch):
    linker = linkers["3-wise"]
    answers = timeless(linker.predict(TEST))
    monkeypatch.setattr(_linker, "PAIRS_AT_A_TIME", 1)
    assert timeless(linker.predict(TEST)) == answers


def test_a_lower_order_leaves_factors_out(linkers):
    linker = linkers["3-wise"]
    low = linker.reduced("2d")
    assert [family.name for family in low.families] == ["prior", "pair", "targets", "sources"]
    thread = TEST[0]
    given = low.batch([thread]).gold()
    full = linker.crf.scores(linker.batch([thread]).instances, given)
    assert low.crf.scores(low.batch([thread]).instances, given) != full
    assert timeless(linker.predict([thread], order="2d")) == timeless(low.predict([thread]))
    with pytest.raises(UsageError, match="it cannot link with '3-wise'"):
        link_one(linkers["2d"], thread, order="3-wise")
    with pytest.raises(UsageError, match="no order 'x'"):
        link_one(linkers["2d"], thread, order="x")


def test_the_graph_is_the_linkers_own_problem(linkers):
    linker, thread = linkers["2d"], TEST[1]
    graph = linker.graph(thread)
    solution = graph.solve("exact")
    found = link_one(linker, thread, method="exact")
    assert solution.objective == pytest.approx(found.objective, abs=1e-6)
    labels = [solution[pair] for pair in graph.categoricals]
    assert sum(labels) == len(found.thread.links)


def test_large_threads_are_windowed_and_cut_into_pieces(linkers, monkeypatch):
    monkeypatch.setattr(_pairs, "MOST_PAIRS", 100)
    linker = ThreadLinker("2d", counts=linkers["2d"].counts, window=5, crf=linkers["2d"].crf)
    [thread] = toy_threads(1, seed=3, posts=60)
    batch = linker.batch([thread])
    assert len(batch.pieces) > 1
    found = link_one(linker, thread)
    assert found.left_out == sum(max(0, source - 5) for source in range(60))
    assert all(0 < link.source - link.target <= 5 for link in found.thread.links)
    with pytest.raises(UsageError, match="too large for one graph"):
        linker.graph(thread)


@pytest.mark.parametrize("posts", [[], [Post("alone")]])
def test_threads_without_pairs(linkers, posts):
    found = link_one(linkers["3-wise"], Thread(posts))
    assert (found.thread.links, found.status, found.objective, found.gap) == ([], "OPTIMAL", 0, 0)


def test_context_has_no_links(linkers):
    thread = dataclasses.replace(TEST[0], annotated_from=5)
    found = link_one(linkers["2d"], thread)
    assert all(link.source >= 5 for link in found.thread.links)


def test_results_are_threads_again(linkers):
    found = link_one(linkers["2d"], TEST[0])
    [read] = read_threads(io.StringIO(found.to_json()))
    assert read.links == found.thread.links
    assert read.more["certificate"] == found.certificate.to_dict()
    assert read.more["certificate"]["status"] == found.status
    assert len(read.more["confidences"]) == len(read.links)
    again = link_one(linkers["2d"], read)
    assert again.to_dict().keys() == found.to_dict().keys()


@pytest.mark.parametrize("order", ["independent", "3-wise"])
def test_k_best_links_are_those_of_enumeration(linkers, order):
    linker, thread = linkers[order], toy_threads(1, seed=5, posts=4)[0]
    batch = linker.batch([thread])
    pairs = len(linker.graph(thread).categoricals)
    every = itertools.product((0, 1), repeat=pairs)
    score = linker.crf.scores
    scored = sorted(
        (float(score(batch.instances, np.array(row))[0]) for row in every), reverse=True
    )
    found = linker.k_best(thread, 4)
    assert [one.objective for one in found] == pytest.approx(scored[:4], abs=1e-4)
    assert len({tuple(one.thread.links) for one in found}) == 4
    assert found[0].thread.links == link_one(linker, thread).thread.links


def test_a_time_limit_ends_endless_input(linkers):
    with pytest.raises(LimitError):
        for linked in linkers["2d"].predict(itertools.cycle(TEST), time_limit=0.0):
            assert linked.thread.posts
