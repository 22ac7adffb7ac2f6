"""Linear programs in the words of factor graphs, against all integral points."""

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import SolverError
from treaty.papers.decompositions._linear import LinearProgram

SCORES = st.lists(st.integers(-3, 3).map(float), min_size=4, max_size=4)
RULES = {
    "exactly_one": lambda a, b, c, d: a + b + c == 1,
    "xor_with_output": lambda a, b, c, d: a + b == c,
    "implies": lambda a, b, c, d: a <= b,
}


@settings(deadline=None, max_examples=60)
@given(
    scores=SCORES,
    kinds=st.lists(st.sampled_from(sorted(RULES)), max_size=3),
    bonus=st.integers(-3, 3),
)
def test_integer_programs_find_the_best_point(scores, kinds, bonus):
    program = LinearProgram()
    x = [program.variable(score, integral=True) for score in scores]
    add = {
        "exactly_one": lambda: program.exactly_one(x[:3]),
        "xor_with_output": lambda: program.xor_with_output(x[:2], x[2]),
        "implies": lambda: program.implies(x[0], x[1]),
    }
    for kind in kinds:
        add[kind]()
    program.reward(x[2], x[3], float(bonus))
    value, point = program.solve()
    best = max(
        (
            sum(s * v for s, v in zip(scores, values, strict=True)) + bonus * values[2] * values[3]
            for values in itertools.product([0, 1], repeat=4)
            if all(RULES[kind](*values) for kind in kinds)
        ),
        default=-math.inf,
    )
    assert value == pytest.approx(best)
    if best > -math.inf:
        assert all(RULES[kind](*point[:4].round()) for kind in kinds)


def test_numbers_lie_between_0_and_their_bounds():
    program = LinearProgram()
    x, y, z = program.variable(1.0), program.variable(1.0, upper=3.0), program.variable(-1.0)
    program.fix(x, False)
    program.row(0.5, [z], [1.0], 1.0)
    value, point = program.solve()
    assert (value, point.tolist()) == (pytest.approx(2.5), [0.0, 3.0, 0.5])
    assert y == 1


def test_nothing_and_nothing_feasible():
    assert LinearProgram().solve()[0] == 0.0
    program = LinearProgram()
    x = program.variable(1.0)
    program.row(2.0, [x], [1.0], math.inf)
    value, point = program.solve()
    assert (value, point.tolist()) == (-math.inf, [0.0])


def test_what_highs_cannot_do_is_told():
    program = LinearProgram()
    program.variable(1.0, upper=math.inf)
    with pytest.raises(SolverError, match="stopped on the flow program with 'Unbounded'"):
        program.solve()
