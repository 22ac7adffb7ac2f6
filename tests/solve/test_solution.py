"""Solutions and traces: how they are read and given."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from treaty import Certificate, FactorGraph, Solution, SolverError, Status, Trace


def solution(status, objective, values):
    return Solution(Certificate(status, objective, 2.0), np.array(values, np.int8), "ad3")


def test_variables_read_their_states():
    graph = FactorGraph()
    x, c = graph.variable(), graph.categorical([0, 0, 0])
    found = solution(Status.OPTIMAL, 2.0, [1, 0, 0, 1])
    assert (found[x], found[~x], found[c], found[c[2]]) == (True, False, 2, True)


@pytest.mark.parametrize("status", [Status.UNKNOWN, Status.INFEASIBLE])
def test_without_an_answer_nothing_can_be_read(status):
    x = FactorGraph().variable()
    found = solution(status, -math.inf, [-1])
    with pytest.raises(SolverError, match=f"no answer to read: the status is {status}"):
        found[x]
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["values"] is None and told["certificate"]["objective"] is None


def test_an_answer_gives_itself_as_a_dict():
    told = json.loads(json.dumps(solution(Status.FEASIBLE, 1.5, [0, 1]).to_dict()))
    assert (told["method"], told["values"]) == ("ad3", [0, 1])
    assert told["certificate"]["gap"] == 0.5
    assert list(told) == ["method", "values", "certificate"]


def test_a_solution_is_equal_to_itself_alone():
    one, two = (solution(Status.OPTIMAL, 2.0, [1]) for _ in range(2))
    assert one == one and one != two
    assert "warm" not in repr(one)


def test_traces_by_row():
    columns = np.arange(12).reshape(6, 2)
    trace = Trace(columns[0], *columns[1:].astype(float))
    assert len(trace) == 2
    assert trace.rows() == [(0, 2.0, 4.0, 6.0, 8.0, 10.0), (1, 3.0, 5.0, 7.0, 9.0, 11.0)]
