"""Products of constraints cut off no feasible point, and are those of the paper."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import random_sentences
from tests.papers.relaxations.points import box_around, feasible_point, times

from treaty.papers.relaxations._filters import Choice, choose_products
from treaty.papers.relaxations._products import Constraints
from treaty.papers.relaxations._program import build_program


@pytest.mark.parametrize("name", ["mccormick", "rlt-obj", "rlt-max-1k", "rlt-5%"])
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
        w = x[products.left] * x[products.right]
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
        rest = g - times(constraints.matrix, x)
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
