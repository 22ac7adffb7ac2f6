"""Cases lose what their finding does not need."""

import json

import pytest

from research.fuzz._run import Finding, Harness
from research.fuzz.shrink import found_in, shrunk


def test_only_what_is_needed_stays():
    case = {"a": [1.5, [2.5, 3.75]], "b": {"c": "x", "d": [1e-300]}}
    assert shrunk(case, lambda one: "3.75" in str(one.get("a"))) == {"a": [[3.75]]}


def test_numbers_become_simple():
    assert shrunk([0.123456789, 7.0], lambda one: len(one) == 2 and one[0] > 0) == [1.0, 0.0]
    assert shrunk([-123.456], lambda one: len(one) == 1 and one[0] < -100) == [-120.0]


def fails(data):
    case = json.loads(data)
    if case == "hang":
        while True:
            pass
    if case == "crash":
        raise SystemExit
    if case:
        raise Finding("a lie", "text")


@pytest.mark.parametrize(
    ("case", "found"), [("", None), ("x", "a lie"), ("hang", "hang"), ("crash", "crash")]
)
def test_a_case_is_run_in_a_process_of_its_own(case, found):
    harness = Harness("x", lambda: [b""], fails)
    assert found_in(harness, json.dumps(case).encode(), seconds=1.0) == found
