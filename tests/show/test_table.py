"""Solutions in the terminal."""

import io
import math

import numpy as np
import pytest
from rich.console import Console

from treaty import Certificate, FactorGraph, Solution, Status
from treaty.show import certificate, solution_table
from treaty.show._table import MEANING


def printed(renderable, width=80):
    out = io.StringIO()
    Console(file=out, width=width).print(renderable)
    return [line.strip() for line in out.getvalue().splitlines() if line.strip()]


def made(graph, status, objective=1.0, values=None, method="ad3"):
    values = [0] * len(graph) if values is None else values
    worth = Certificate(status, objective, 2.0, 7, 0.123456)
    return Solution(worth, np.array(values, np.int8), method)


def test_variables_that_are_on_and_states_are_named():
    graph = FactorGraph()
    graph.variables([0, 0, 0], names=["tea", "milk", "sugar"])
    graph.categorical([0, 0], name="cup")
    lines = printed(solution_table(graph, made(graph, Status.OPTIMAL, values=[1, 0, 1, 0, 1])))
    assert lines[:2] == ["on  tea sugar", "states  cup=1"]
    assert lines[2] == "status  OPTIMAL (proved: there is no better answer)"
    assert lines[3:] == [
        "objective  1",
        "bound  2",
        "gap  1",
        "method  ad3, 7 iterations, 0.123 seconds",
    ]


def test_nothing_on_and_no_answer():
    graph = FactorGraph()
    graph.variables([0, 0])
    assert printed(solution_table(graph, made(graph, Status.OPTIMAL)))[0] == "on  none"
    none = made(graph, Status.UNKNOWN, -math.inf, [-1, -1])
    assert printed(solution_table(graph, none))[0] == "on  no answer"
    only = FactorGraph()
    only.categorical([0, 0], name="cup")
    assert (
        printed(solution_table(only, made(only, Status.OPTIMAL, values=[1, 0])))[0]
        == "states  cup=0"
    )


@pytest.mark.parametrize("status", Status)
def test_every_status_has_its_meaning(status):
    (line,) = (x for x in printed(certificate(made(FactorGraph(), status))) if "status" in x)
    assert line == f"status  {status} ({MEANING[status][1]})"


def test_a_relaxation_without_an_answer_says_so():
    lines = printed(certificate(made(FactorGraph(), Status.FRACTIONAL, -math.inf)), 120)
    assert "no answer could be rounded from it" in lines[0]


@pytest.mark.parametrize(
    ("method", "unit"), [("exact", "nodes"), ("junction", "nodes"), ("lp", "iterations")]
)
def test_searches_count_nodes(method, unit):
    lines = printed(certificate(made(FactorGraph(), Status.OPTIMAL, method=method)))
    assert f"7 {unit}" in lines[-1]
