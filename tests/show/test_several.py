"""Max-marginals and marginals as text: every variable and state, in every format."""

import json
import math

import numpy as np
import pytest

from treaty import FactorGraph
from treaty.show import (
    marginals_json,
    marginals_text,
    marginals_uai,
    max_marginals_json,
    max_marginals_text,
)
from treaty.solve import LogPartition, MaxMarginals, log_partition, marginals, max_marginals


@pytest.fixture
def drinks():
    graph = FactorGraph()
    tea, coffee = graph.variables([1.0, 1.5], names=["tea", "coffee"])
    graph.at_most_one(tea, coffee)
    graph.categorical([0.0, -0.5, 0.25], name="cup")
    return graph


def test_max_marginals_have_a_line_for_every_state(drinks):
    lines = max_marginals_text(drinks, max_marginals(drinks)).splitlines()
    states = [tuple(line.split("\t")[:2]) for line in lines]
    assert states == [
        *((name, state) for name in ("tea", "coffee") for state in "01"),
        *(("cup", state) for state in "012"),
    ]
    assert lines[-2:] == ["cup\t1\t1\t1", "cup\t2\t1.75\t1.75"]


def test_what_is_impossible_or_unknown_is_null_in_json(drinks):
    found = [
        MaxMarginals(np.array([-math.inf, 1.0]), np.array([-math.inf, 1.0])),
        MaxMarginals(np.array([-math.inf, 1.0]), np.array([2.0, math.inf])),
        MaxMarginals(np.zeros(3), np.ones(3)),
    ]
    record = json.loads(max_marginals_json(drinks, found), parse_constant=pytest.fail)
    assert record["tea"] == {"objective": [None, 1.0], "bound": [None, 1.0], "is_exact": True}
    assert record["coffee"] == {"objective": [None, 1.0], "bound": [2.0, None], "is_exact": False}


def test_marginals_sum_to_one_in_every_format(drinks):
    total, found = log_partition(drinks), marginals(drinks)
    lines = marginals_text(drinks, total, found).splitlines()
    assert [line.split("\t")[0] for line in lines[2:]] == ["tea", "coffee", "cup"]
    for line in lines[2:]:
        assert sum(map(float, line.split("\t")[1:])) == pytest.approx(1.0)
    record = json.loads(marginals_json(drinks, total, found))
    assert record["marginals"]["cup"] == pytest.approx(found[2].tolist())
    numbers = marginals_uai(found).splitlines()[1].split()
    assert (numbers[0], numbers[1], numbers[4], numbers[7]) == ("3", "2", "2", "3")
    assert len(numbers) == 1 + 3 + 3 + 4


def test_a_bound_alone_says_so(drinks):
    bound = LogPartition(12.5, is_exact=False)
    assert marginals_text(drinks, bound, None) == "# log_partition\t12.5\n# is_exact\tfalse\n"
    record = json.loads(marginals_json(drinks, bound, None))
    assert record == {"log_partition": 12.5, "is_exact": False, "marginals": None}
    assert marginals_uai(None) == "MAR\n"
