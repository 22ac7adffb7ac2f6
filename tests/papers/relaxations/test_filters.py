"""Which products a relaxation has, against listing them all."""

import re
from dataclasses import replace

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.induce._features import Layout
from treaty.papers.relaxations._filters import (
    Choice,
    _unrank,
    choose_products,
    possible_products,
)
from treaty.papers.relaxations._products import Constraints, lay_out
from treaty.papers.relaxations._program import build_program


def test_the_objective_filter_has_all_products_with_a_column_of_the_objective_and_no_others():
    layout = Layout(2)
    wanted = np.zeros(layout.size)
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
    assert chosen.chosen == chosen.rows
    pairs = expected[expected < len(one)]
    assert set(zip(one[pairs], other[pairs], strict=True)) == set(
        zip(chosen.one, chosen.other, strict=True)
    )
    assert len(expected) - len(pairs) == len(chosen.equality) == program.parameters


def test_a_sample_has_the_size_that_was_asked_for_and_depends_on_the_seed():
    program = build_program(3, [[0, 1, 2], [2, 1]])
    envelopes = choose_products(program, Choice()).rows
    some = choose_products(program, Choice(most=500), seed=1)
    assert 500 <= some.chosen <= 500 + envelopes
    assert some.rows < 500
    again = choose_products(program, Choice(most=500), seed=1)
    assert np.array_equal(some.one, again.one) and np.array_equal(some.factor, again.factor)
    assert not np.array_equal(some.one, choose_products(program, Choice(most=500), seed=2).one)
    everything = choose_products(program, Choice(share=1.0), idle=True)
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


def test_counts_may_be_bounded_with_every_choice_of_products():
    for name in ("mccormick", "rlt-obj", "rlt-max-2k", "rlt-30%"):
        assert Choice.named(f"{name}+counts") == replace(Choice.named(name), counts=True)
    with pytest.raises(UsageError, match=re.escape("'chords+counts'")):
        Choice.named("chords+counts")
