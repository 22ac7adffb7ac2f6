import math

import numpy as np
import pytest

from treaty import FactorGraph
from treaty.solve import Status
from treaty.solve._deadline import Deadline, OutOfTime, unknown


def test_without_a_limit_there_is_always_time():
    deadline = Deadline(None)
    deadline.check()
    assert (deadline.left(), deadline.seconds()) == (None, math.inf)


def test_the_time_that_is_left_only_falls():
    deadline = Deadline(1e3)
    first = deadline.seconds()
    assert 0.0 < deadline.seconds() <= first <= 1e3
    assert deadline.passed() >= 0.0
    deadline.check()


@pytest.mark.parametrize("limit", [0, 0.0, 1e-300, -1.0])
def test_when_nothing_is_left_work_stops(limit):
    deadline = Deadline(limit)
    assert deadline.left() == deadline.seconds() == 0.0
    with pytest.raises(OutOfTime):
        deadline.check()


def test_what_is_known_without_work_is_true():
    graph = FactorGraph()
    x, y, z = graph.variables([1.0, -2.0, 0.5])
    graph.reward(x, y, 3.0)
    graph.reward(x, ~z, -1.0)
    c = graph.categorical([0.25, 0.75])
    graph.table([c, z], [[-3.0, -2.0], [-np.inf, -1.0]])
    solution = unknown(graph.native, "lp", Deadline(0))
    assert solution.status is Status.UNKNOWN
    assert solution.bound == pytest.approx(1.0 + 0.5 + 3.0 + 0.75 - 1.0)
    assert solution.bound >= graph.solve("exact").objective
    assert np.all(solution.values == -1)


def test_custom_factors_are_asked_for_their_best():
    class Both:
        def maximize(self, scores):
            return [1.0, 1.0], 5.0

    graph = FactorGraph()
    graph.factor(Both(), graph.variables([1.0, -1.0]))
    assert unknown(graph.native, "ilp", Deadline(0)).bound == pytest.approx(6.0)
