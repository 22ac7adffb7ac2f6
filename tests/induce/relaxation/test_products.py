import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.relaxation.tiny import count, frequencies, random_sentences, trees

from treaty.errors import UsageError
from treaty.induce.relaxation._filters import (
    Choice,
    _unrank,
    choose_products,
    possible_products,
)
from treaty.induce.relaxation._layout import Layout
from treaty.induce.relaxation._products import Constraints, lay_out
from treaty.induce.relaxation._program import build_program

RELAXATIONS = ("mccormick", "rlt-obj", "rlt-max-1k", "rlt-5%")


def feasible_point(program, random):
    """Random parses, and random parameters or the parses' own."""
    layout = program.layout
    heads = [trees(len(s))[random.integers(len(trees(len(s))))] for s in program.sentences]
    if random.random() < 0.5:
        counts = sum(map(count, itertools.repeat(layout), program.sentences, heads))
        return program.point(frequencies(layout, counts), heads)
    weight = random.exponential(size=layout.count) ** 3
    total = np.bincount(layout.distribution, weight)[layout.distribution]
    return program.point(weight / total, heads)


def box_around(program, x, random):
    """Random bounds of the parameters that leave the point inside, and some arcs fixed."""
    k = program.parameters
    lower, upper = program.lower.copy(), program.upper.copy()
    narrow = random.random(k) < 0.6
    share = random.random(k)
    lower[:k] += np.where(narrow, share * (x[:k] - lower[:k]), 0.0)
    upper[:k] -= np.where(narrow, random.random(k) * (upper[:k] - x[:k]), 0.0)
    arcs = program.arc_columns(0)
    fixed = random.random(arcs.stop - arcs.start) < 0.3
    lower[arcs] = np.where(fixed, x[arcs], lower[arcs])
    upper[arcs] = np.where(fixed, x[arcs], upper[arcs])
    return lower, upper


@pytest.mark.parametrize("name", RELAXATIONS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_product_cuts_off_a_feasible_point(name, seed):
    random = np.random.default_rng(seed)
    program = build_program(3, random_sentences(random, random.integers(1, 5, 2)))
    products = choose_products(program, Choice.named(name), seed)
    constraints = Constraints.of(program)
    for _ in range(4):
        x = feasible_point(program, random)
        lower, upper = box_around(program, x, random)
        w = products.columns(x)
        low, high = products.column_bounds(lower, upper)
        assert np.all(low <= w + 1e-9) and np.all(w <= high + 1e-9)
        g = constraints.g(lower, upper)
        values = products.values(g)
        both = np.concatenate([x, w])
        entry = values * both[products.pattern.column]
        activity = np.bincount(products.pattern.row, entry, products.rows)
        least, most = products.row_bounds(g)
        assert np.all(activity >= least - 1e-8)
        assert np.all(activity <= most + 1e-8)
        # Each row is the product it stands for.
        rest = g - constraints.matrix.times(x)
        expected = rest[products.one] * rest[products.other]
        assert np.allclose((activity - least)[: len(expected)], expected, atol=1e-8)


def test_the_envelopes_are_the_papers():
    program = build_program(2, [[0, 1], [1, 0, 1]])
    k, n = program.parameters, program.columns
    products = choose_products(program, Choice())
    assert products.rows == 2 * k
    lower, upper = program.lower.copy(), program.upper.copy()
    upper[:k] = -0.25
    values = products.values(Constraints.of(program).g(lower, upper))
    rows = np.zeros((products.rows, n + k))
    rows[products.pattern.row, products.pattern.column] = values
    least, _ = products.row_bounds(Constraints.of(program).g(lower, upper))
    random = np.random.default_rng(0)
    theta, f, z = -random.random(k), random.random(k), np.zeros(k)
    point = np.concatenate([theta, f, np.zeros(n - 2 * k), z])
    slack = rows @ point - least
    most, fewest = program.upper[k : 2 * k], program.lower[k : 2 * k]
    expected_20 = most * theta + lower[:k] * f - lower[:k] * most
    expected_21 = fewest * theta + upper[:k] * f - upper[:k] * fewest
    assert np.allclose(np.sort(slack), np.sort(np.concatenate([expected_20, expected_21])))


def test_the_objective_filter_has_all_products_with_a_column_of_the_objective_and_no_others():
    layout = Layout(2)
    wanted = np.zeros(layout.count)
    wanted[layout.child(1, 0, 0)] = 1.0
    program = build_program(2, [[0, 1]], kinds=wanted, least=0.1)
    constraints = Constraints.of(program)
    one, other = np.triu_indices(len(constraints))
    equality, factor = (part.ravel() for part in np.indices((program.equal.rows, program.columns)))
    every = lay_out(program, constraints, (one, other), (equality, factor))
    assert every.rows == possible_products(program)
    is_objective = every.pattern.column >= program.columns
    is_objective &= every.pattern.column < program.columns + program.parameters
    # Linear terms scale with g, the products' own columns do not: any g will do.
    values = every.values(np.zeros(len(constraints)))
    expected = np.unique(every.pattern.row[is_objective & (np.abs(values) > 1e-12)])
    chosen = choose_products(program, Choice(objective=True))
    pairs = expected[expected < len(one)]
    assert set(zip(one[pairs], other[pairs], strict=True)) == set(
        zip(chosen.one, chosen.other, strict=True)
    )
    assert len(expected) - len(pairs) == len(chosen.equality) == program.parameters


def test_a_sample_has_the_size_that_was_asked_for_and_depends_on_the_seed():
    program = build_program(3, [[0, 1, 2], [2, 1]])
    envelopes = choose_products(program, Choice()).rows
    some = choose_products(program, Choice(most=500), seed=1)
    assert 500 <= some.rows <= 500 + envelopes
    again = choose_products(program, Choice(most=500), seed=1)
    assert np.array_equal(some.one, again.one) and np.array_equal(some.factor, again.factor)
    assert not np.array_equal(some.one, choose_products(program, Choice(most=500), seed=2).one)
    everything = choose_products(program, Choice(share=1.0))
    assert everything.rows == possible_products(program)


def test_numbers_of_pairs_count_all_pairs_once():
    one, other = _unrank(np.arange(21 * 22 // 2))
    assert set(zip(one, other, strict=True)) == {(i, j) for j in range(21) for i in range(j + 1)}
    large = np.array([2**52 + 12345])
    one, other = _unrank(large)
    assert 0 <= one[0] <= other[0] and other[0] * (other[0] + 1) // 2 + one[0] == large[0]


@pytest.mark.parametrize("name", ["", "rlt", "rlt-max-", "rlt-101%", "rlt-max-1m"])
def test_unknown_relaxations_are_refused(name):
    with pytest.raises(UsageError, match="unknown relaxation"):
        Choice.named(name)
