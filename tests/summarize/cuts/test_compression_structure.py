"""Compressions as a task to be learned, and the dynamic program over trees against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.subgradients import BITS, check_subgradient
from tests.summarize.toys import compressions, sentences

from treaty import UsageError
from treaty._native import summarize as native
from treaty.summarize import ArcFeatures, Costs
from treaty.summarize.cuts._arc_features import ArcTable
from treaty.summarize.cuts._compression_structure import (
    CompressionStructure,
    Group,
    compress_arcs,
    compression_examples,
    events_of,
    project,
)

SCORES = st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0])


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[int], np.ndarray, np.ndarray, np.ndarray]:
    size = draw(st.integers(1, 6))
    order = draw(st.permutations(range(size)))
    head = [-1] * size
    for place, node in enumerate(order):
        above = draw(st.integers(-1, place - 1)) if place else -1
        head[node] = -1 if above < 0 else order[above]
    forbidden = st.one_of(SCORES, st.just(-np.inf))
    lists = [
        draw(st.lists(s, min_size=size, max_size=size)) for s in (SCORES, forbidden, forbidden)
    ]
    return head, *(np.array(scores) for scores in lists)


def score(z: tuple[int, ...], head: list[int], keep, cut, lift) -> float:
    total = 0.0
    for node, parent in enumerate(head):
        above = parent < 0 or z[parent]
        total += keep[node] if z[node] else 0.0
        total += cut[node] if above and not z[node] else 0.0
        total += lift[node] if z[node] and not above else 0.0
    return total


@settings(max_examples=100, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3))
def test_the_best_compression_is_found(sentences) -> None:
    begin = np.cumsum([0, *(len(head) for head, *_ in sentences)])
    flat = [
        h + (b if h >= 0 else 0)
        for (head, *_), b in zip(sentences, begin, strict=False)
        for h in head
    ]
    scores = [np.concatenate([s[i] for s in sentences]) for i in (1, 2, 3)]
    kept, worth = native.compress_trees(begin.astype(np.int64), np.array(flat, np.int32), *scores)
    for number, (head, *own) in enumerate(sentences):
        z = tuple(kept[begin[number] : begin[number + 1]].tolist())
        some = [y for y in itertools.product((0, 1), repeat=len(head)) if any(y)]
        best = max(score(y, head, *own) for y in some)
        assert any(z)
        assert worth[number] == best == score(z, head, *own)


def test_ties_cut() -> None:
    zeros = np.zeros(3)
    kept, _ = native.compress_trees(
        np.array([0, 3]), np.array([-1, 0, 0], np.int32), zeros, zeros, zeros
    )
    assert kept.tolist() == [1, 0, 0]


@pytest.mark.parametrize(
    ("begin", "head"), [([0, 2], [1, 0]), ([0, 2], [-1, 5]), ([0, 1], [-1, 0]), ([], [-1, 0])]
)
def test_what_is_no_tree_is_refused(begin: list[int], head: list[int]) -> None:
    zeros = np.zeros(len(head))
    with pytest.raises(ValueError, match=r"tree|outside|cover"):
        native.compress_trees(
            np.array(begin, np.int64), np.array(head, np.int32), zeros, zeros, zeros
        )


@pytest.mark.parametrize("events", [("cut",), ("cut", "lift"), ("cut", "lift", "keep")])
def test_compression_structures_give_subgradients(events: tuple[str, ...]) -> None:
    examples = compressions(0, 6)
    arcs = ArcFeatures(bits=BITS)([e.sentence for e in examples])
    gold = np.concatenate([e.keep for e in examples])
    for costs in (Costs(), Costs(0.0, 1.0, 1.0), Costs(0.5, 0.3, 1.0)):
        task = compression_examples(arcs, gold, events=events, costs=costs, group=3)
        assert len(task) == 2
        check_subgradient(task, 1, seed=3, tolerance=1e-9)


def test_the_projection_is_the_nearest_compression_allowed() -> None:
    rng = np.random.default_rng(0)
    examples = sentences(0, 8)
    arcs = ArcFeatures(bits=BITS)(examples)
    gold, cuttable = rng.random(len(arcs.head)) < 0.5, rng.random(len(arcs.head)) < 0.6
    found = project(arcs, gold, cuttable)
    for begin, end in itertools.pairwise(arcs.begin.tolist()):
        head = np.where(arcs.head[begin:end] < 0, -1, arcs.head[begin:end] - begin)
        allowed = []
        for z in itertools.product([False, True], repeat=end - begin):
            events = events_of(head.astype(np.int32), np.array(z))
            legal = not events["lift"].any() and not (events["cut"] & ~cuttable[begin:end]).any()
            if any(z) and legal:
                allowed.append(int((np.array(z) != gold[begin:end]).sum()))
        assert (found[begin:end] != gold[begin:end]).sum() == min(allowed)
    assert (project(arcs, gold, lift=True) == gold).mean() > 0.9  # all but what is left empty


def test_arcs_that_may_not_be_cut_are_not() -> None:
    arcs = ArcFeatures(bits=BITS)(sentences(1, 4))
    never = np.zeros(len(arcs.head), bool)
    kept, _ = compress_arcs(arcs, {"cut": np.ones(len(never))}, never)
    assert kept.all()


@settings(max_examples=50, deadline=None)
@given(st.lists(trees(), min_size=1, max_size=3), st.integers(0, 9))
def test_decoding_any_scores_is_enumeration(trees, seed) -> None:
    begin = np.cumsum([0, *(len(head) for head, *_ in trees)])
    flat = [
        h + (b if h >= 0 else 0) for (head, *_), b in zip(trees, begin, strict=False) for h in head
    ]
    arcs = ArcTable(
        begin.astype(np.int64), np.array(flat, np.int32), np.zeros((len(flat), 1), np.uint32), BITS
    )
    structure = CompressionStructure(BITS, events=("cut", "lift", "keep"))
    parts = structure.parts(Group(arcs))
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=len(parts))
    decoding = structure.decode(parts, scores)
    best = 0.0
    for (head, *_), first in zip(trees, begin, strict=False):
        own = [
            scores[parts.kinds[name]][first : first + len(head)] for name in ("keep", "cut", "lift")
        ]
        every = [y for y in itertools.product((0, 1), repeat=len(head)) if any(y)]
        best += max(score(y, head, *own) for y in every)
    assert decoding.objective == pytest.approx(best)
    assert float(scores @ decoding.amounts) == pytest.approx(best)
    kept = [word for row in structure.read(parts, decoding) for word in row]
    assert parts.amounts(np.array(kept)).tolist() == decoding.amounts.tolist()


def test_what_is_forbidden_is_not_done() -> None:
    arcs = ArcFeatures(bits=BITS)(sentences(1, 2))
    structure = CompressionStructure(BITS)
    parts = structure.parts(Group(arcs))
    scores = np.zeros(len(parts))
    scores[parts.kinds["cut"]] = -np.inf
    assert all(map(all, structure.read(parts, structure.decode(parts, scores))))


def test_examples_need_gold() -> None:
    structure = CompressionStructure(BITS)
    group = Group(ArcFeatures(bits=BITS)(sentences(1, 2)))
    with pytest.raises(UsageError, match="the words that stay"):
        structure.gold(structure.parts(group), group)
