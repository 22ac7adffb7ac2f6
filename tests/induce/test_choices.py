"""Boxes lose no trees, and their bounds are above all trees in them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import all_counts, likelihoods, random_corpus

from treaty._native import induce as native
from treaty.induce import EdgeConstraint
from treaty.induce._constraints import native_form

GRID = 65535


def random_box(choices, rng: np.random.Generator) -> np.ndarray:
    """A box that some cuts have made of the whole."""
    box = choices.whole().copy()
    for _ in range(rng.integers(1, 12)):
        choice = int(rng.integers(max(1, len(choices))))
        low, high = (box[2 * choice : 2 * choice + 2] / GRID) if len(choices) else (0.0, 0.0)
        if high - low < 0.01:
            continue
        cut = choices.cut(choice, box, low + (high - low) * rng.uniform(0.1, 0.9))
        side = rng.integers(2)
        box[2 * choice + 1 - side] = cut[side]
    return box


def inside(choices, box: np.ndarray, parses: np.ndarray) -> np.ndarray:
    """Which of the rows of counts have all their ratios in the box."""
    found = []
    for counts in parses:
        x, n = choices.totals(counts)
        ratios = x[n > 0] / n[n > 0]
        low, high = box[0::2][n > 0] / GRID, box[1::2][n > 0] / GRID
        found.append(((ratios >= low - 1e-12) & (ratios <= high + 1e-12)).all())
    return np.array(found)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 1.0]))
def test_bounds_are_above_all_trees_in_the_box(seed: int, smoothing: float) -> None:
    rng = np.random.default_rng(seed)
    corpus = random_corpus(seed, [*rng.integers(1, 4, size=2).tolist(), 4])
    choices = native.Choices(corpus.compiled, smoothing)
    parses = all_counts(corpus)[:: 1 + seed % 3]
    assert inside(choices, choices.whole(), parses).all()
    values = likelihoods(parses, smoothing)
    for _ in range(3):
        box = random_box(choices, rng)
        bound = choices.bound(corpus.compiled, smoothing, np.zeros(0), 0.0, box)
        assert bound >= max(values[inside(choices, box, parses)], default=-np.inf) - 1e-9


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5]))
def test_cuts_lose_no_trees(seed: int, smoothing: float) -> None:
    rng = np.random.default_rng(seed)
    corpus = random_corpus(seed, [3, 3, 4])
    choices = native.Choices(corpus.compiled, smoothing)
    parses = all_counts(corpus)[:: 1 + seed % 7]
    box = random_box(choices, rng)
    choice = int(rng.integers(len(choices)))
    low, high = box[2 * choice : 2 * choice + 2] / GRID
    # At a ratio of counts, where rounding would show, or anywhere.
    at = low + (high - low) * (0.5 if seed % 2 else rng.uniform(0.1, 0.9))
    parts = box.copy(), box.copy()
    parts[0][2 * choice + 1], parts[1][2 * choice] = choices.cut(choice, box, at)
    either = inside(choices, parts[0], parses) | inside(choices, parts[1], parses)
    assert np.array_equal(inside(choices, box, parses), either)


def test_a_narrow_box_has_the_weights_of_its_ratios() -> None:
    corpus = random_corpus(5, [4, 4, 4, 3])
    choices = native.Choices(corpus.compiled, 0.0)
    counts = corpus.count([2, 0, 2, 3] * 3 + [0, 1, 2])
    x, n = choices.totals(counts.flat)
    ratios = np.where(n > 0, x / np.where(n > 0, n, 1), 0.5)
    box = np.stack([np.floor(ratios * GRID), np.ceil(ratios * GRID)], axis=1).astype(np.uint16)
    bound = choices.bound(corpus.compiled, 0.0, np.zeros(0), 0.0, box.ravel())
    # Nothing but these trees, or better ones for these parameters.
    assert bound >= counts.log_likelihood() - 1e-9
    assert bound <= 0.0


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.floats(0.2, 0.9))
def test_a_price_keeps_the_bound_above_trees_that_meet_the_constraint(seed, share) -> None:
    rng = np.random.default_rng(seed)
    corpus = random_corpus(seed, [3, 3, 3])
    rule = EdgeConstraint([("N", "A"), ("ROOT", "A"), ("A", "V"), ("N", "N")], share=share)
    others, most = native_form(rule, corpus)
    choices = native.Choices(corpus.compiled, 0.0)
    box = random_box(choices, rng)
    bound = choices.bound(corpus.compiled, 0.0, others, most, box)
    free = choices.bound(corpus.compiled, 0.0, np.zeros(0), 0.0, box)
    assert bound <= free + 1e-9
    parses = all_counts(corpus)
    allowed = parses[parses @ others <= most + 1e-9]
    if len(allowed):
        values = likelihoods(allowed)[inside(choices, box, allowed)]
        assert bound >= max(values, default=-np.inf) - 1e-9


def test_lanes_are_above_doubles_by_next_to_nothing() -> None:
    """The parts of a cut are bounded in single precision; see that a search agrees with them."""
    corpus = random_corpus(8, [5, 6, 4, 5, 6])
    search = native.Search(corpus.compiled, np.zeros(0), 0.0, 0.0, 1e-9, 1, 10, 2**30)
    last = np.inf
    while not search.done and search.nodes < 2000:
        search.run(1e9, 64, 1)
        assert search.bound <= last + 1e-3
        last = search.bound
    assert search.bound == pytest.approx(search.objective, abs=1e-3) or not search.done
