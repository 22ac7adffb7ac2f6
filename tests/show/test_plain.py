"""Solutions as text for other programs."""

import json
import math

import numpy as np
import pytest

from treaty import Certificate, FactorGraph, Solution, Status, Trace
from treaty.show import as_csv, as_json, as_text
from treaty.show._plain import assignment, short


@pytest.fixture
def graph():
    graph = FactorGraph()
    graph.variable(1.0, name="first")
    graph.categorical([0.0, 1.0, 0.5], name="weather")
    graph.variables([-1.0])
    graph.categorical([2.0])
    return graph


def test_every_variable_is_named_with_its_value(graph):
    solution = graph.solve("exact")
    assert list(assignment(graph, solution)) == [("first", 1), ("weather", 1), ("x4", 0), ("c1", 0)]
    lines = [line.split("\t") for line in as_text(graph, solution).splitlines()]
    assert [name for name, _ in lines[:7]] == [
        "# status", "# objective", "# bound", "# gap", "# iterations", "# seconds", "# method",
    ]  # fmt: skip
    assert dict(lines[:4]) == {
        "# status": "OPTIMAL", "# objective": "4", "# bound": "4", "# gap": "0",
    }  # fmt: skip
    assert lines[7:] == [["first", "1"], ["weather", "1"], ["x4", "0"], ["c1", "0"]]


def test_json_has_names_values_and_certificate(graph):
    record = json.loads(as_json(graph, graph.solve("exact")))
    assert record["names"] == graph.names
    assert record["values"] == [1, 0, 1, 0, 0, 1]
    assert record["categoricals"] == {"weather": 1, "c1": 0}
    assert record["certificate"]["objective"] == 4.0
    assert record["method"] == "exact"


def test_without_an_answer_there_are_no_values(graph):
    values = np.full(len(graph), -1, np.int8)
    none = Solution(Certificate(Status.UNKNOWN, -math.inf, math.inf), values, "ad3")
    assert list(assignment(graph, none)) == []
    assert as_text(graph, none).splitlines()[:3] == [
        "# status\tUNKNOWN", "# objective\t-inf", "# bound\tinf",
    ]  # fmt: skip
    record = json.loads(as_json(graph, none), parse_constant=pytest.fail)
    assert record["values"] is record["categoricals"] is record["certificate"]["bound"] is None


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.1 + 0.2, "0.3"), (-0.0, "0"), (1e20, "1e+20"), (math.inf, "inf"), (12.5, "12.5")],
)
def test_numbers_as_people_read_them(number, text):
    assert short(number) == text


def test_traces_are_tables():
    columns = [np.array([1, 2]), *(np.array([x, x + 0.5]) for x in (0.0, 1.0, 2.0, 3.0, 4.0))]
    header, *rows = as_csv(Trace(*columns)).splitlines()
    assert header.split(",")[:3] == ["iteration", "seconds", "objective"]
    assert rows == ["1,0.0,1.0,2.0,3.0,4.0", "2,0.5,1.5,2.5,3.5,4.5"]
