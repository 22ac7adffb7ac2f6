"""Certificates: gaps are never negative and never hide anything, and parts add up."""

from __future__ import annotations

import itertools
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty import Certificate, Status, UsageError
from treaty.solve import Solution
from treaty.solve._certificate import Certified

ANY = st.floats(allow_nan=True, allow_infinity=True)
FINITE = st.floats(-1e300, 1e300)


@st.composite
def sound(draw):
    """A certificate as a solver makes it."""
    status = draw(st.sampled_from(Status))
    counts = {"iterations": draw(st.integers(0, 99)), "seconds": draw(st.floats(0, 99))}
    if status is Status.INFEASIBLE:
        return Certificate(status, -math.inf, -math.inf, **counts)
    if status is Status.UNKNOWN:
        return Certificate(status, -math.inf, draw(st.sampled_from([1.5, math.inf])), **counts)
    objective = draw(st.floats(-1e6, 1e6))
    bound = objective if status is Status.OPTIMAL else objective + draw(st.floats(0, 1e6))
    return Certificate(status, objective, bound, **counts)


# Gaps


@given(status=st.sampled_from(Status), objective=ANY, bound=ANY)
def test_gaps_are_never_negative_nor_nan(status, objective, bound):
    certificate = Certificate(status, objective, bound)
    for gap in (certificate.gap, certificate.relative_gap):
        assert gap >= 0.0  # false for nan
    if status is not Status.INFEASIBLE and (math.isnan(bound) or not math.isfinite(objective)):
        assert certificate.gap == certificate.relative_gap == math.inf


@given(objective=FINITE, bound=FINITE)
def test_the_gap_is_what_the_bound_leaves(objective, bound):
    certificate = Certificate(Status.FEASIBLE, objective, bound)
    assert certificate.gap == max(bound - objective, 0.0)
    if certificate.gap == 0.0:
        assert certificate.relative_gap == 0.0
    elif abs(objective) > 1e-6:
        assert certificate.relative_gap == pytest.approx(certificate.gap / abs(objective))


@pytest.mark.parametrize(
    ("objective", "bound", "gap", "relative"),
    [
        (8.0, 10.0, 2.0, 0.25),
        (-8.0, -6.0, 2.0, 0.25),
        (8.0, 8.0, 0.0, 0.0),
        (8.0, 7.9999999, 0.0, 0.0),  # a bound that rounding put below
        (0.0, 1e-12, 1e-12, 1.0),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 1.0, 1.0, 1e12),
        (8.0, math.inf, math.inf, math.inf),
        (-math.inf, 3.0, math.inf, math.inf),
        (math.nan, 3.0, math.inf, math.inf),
        (3.0, math.nan, math.inf, math.inf),
        (math.inf, math.inf, math.inf, math.inf),
    ],
)
def test_gaps_by_hand(objective, bound, gap, relative):
    certificate = Certificate(Status.FEASIBLE, objective, bound)
    assert (certificate.gap, certificate.relative_gap) == (gap, pytest.approx(relative))


def test_what_is_infeasible_has_no_gap():
    certificate = Certificate(Status.INFEASIBLE, -math.inf, 5.0)
    assert (certificate.gap, certificate.relative_gap) == (0.0, 0.0)


# Exact algorithms


@given(objective=FINITE)
def test_exact_answers_are_optimal(objective):
    certificate = Certificate.exact(objective, seconds=2.0)
    assert certificate == Certificate(Status.OPTIMAL, objective, objective, 0, 2.0)
    assert certificate.gap == 0.0


def test_no_answer_of_an_exact_algorithm_is_a_proof():
    certificate = Certificate.exact(-math.inf)
    assert certificate == Certificate(Status.INFEASIBLE, -math.inf, -math.inf)


@pytest.mark.parametrize("objective", [math.inf, math.nan])
def test_scores_that_no_answer_has_are_refused(objective):
    with pytest.raises(UsageError, match=f"finite, or -inf if there is none: {objective}"):
        Certificate.exact(objective)


# Parts

ORDER = ("INFEASIBLE", "UNKNOWN", "FEASIBLE", "FRACTIONAL", "OPTIMAL")


@given(parts=st.lists(sound(), max_size=5))
def test_parts_add_up_and_the_worst_counts(parts):
    whole = Certificate.of_parts(iter(parts))
    assert whole.status == min(
        (part.status.value for part in parts), key=ORDER.index, default="OPTIMAL"
    )
    assert whole.iterations == sum(part.iterations for part in parts)
    assert whole.seconds == pytest.approx(math.fsum(part.seconds for part in parts))
    assert not math.isnan(whole.objective) and not math.isnan(whole.bound)
    if whole.status is Status.INFEASIBLE:
        assert whole.objective == whole.bound == -math.inf
        assert whole.gap == 0.0
    else:
        assert whole.objective == pytest.approx(sum(part.objective for part in parts))
        assert whole.bound == pytest.approx(sum(part.bound for part in parts))
        assert whole.bound >= whole.objective - 1e-6
        gaps = sum(part.gap for part in parts)
        assert whole.gap == pytest.approx(gaps, abs=1e-6)


@pytest.mark.parametrize(
    "parts", list(itertools.permutations(["OPTIMAL", "UNKNOWN", "INFEASIBLE"]))
)
def test_one_part_without_an_answer_is_none_in_all_whatever_the_order(parts):
    """A bound of +inf beside one of -inf must not become nan."""
    certificates = {
        "OPTIMAL": Certificate.exact(2.0),
        "UNKNOWN": Certificate(Status.UNKNOWN, -math.inf, math.inf),
        "INFEASIBLE": Certificate.exact(-math.inf),
    }
    whole = Certificate.of_parts(certificates[name] for name in parts)
    assert whole == Certificate.exact(-math.inf)


def test_no_parts_are_an_empty_answer():
    whole = Certificate.of_parts([])
    assert whole == Certificate.exact(0.0)
    assert all(type(value) is float for value in (whole.objective, whole.bound, whole.seconds))


@given(part=sound())
def test_one_part_is_the_whole(part):
    assert Certificate.of_parts([part]) == part


# How it is told


@given(status=st.sampled_from(Status), objective=ANY, bound=ANY, seconds=st.floats(0, 1e6))
def test_json_is_valid_and_says_what_the_certificate_says(status, objective, bound, seconds):
    certificate = Certificate(status, objective, bound, 7, seconds)
    told = json.loads(json.dumps(certificate.to_dict(), allow_nan=False))
    assert list(told) == [
        "status", "objective", "bound", "gap", "relative_gap", "iterations", "seconds"
    ]  # fmt: skip
    assert told["status"] == status.value and told["iterations"] == 7
    assert told["seconds"] == pytest.approx(seconds, abs=1e-3)
    for name in ("objective", "bound", "gap", "relative_gap"):
        value = getattr(certificate, name)
        assert told[name] == (pytest.approx(value, abs=1e-6) if math.isfinite(value) else None), (
            name
        )


def test_a_certificate_is_one_line():
    assert str(Certificate(Status.FEASIBLE, 1 / 3, math.inf)) == (
        "FEASIBLE · objective 0.333333 · bound inf · gap inf"
    )


def test_results_read_their_certificate():
    class Result(Certified):
        certificate = Certificate(Status.FRACTIONAL, 8.0, 10.0, 60, 1.5)

    result = Result()
    assert (result.status, result.objective, result.bound) == (Status.FRACTIONAL, 8.0, 10.0)
    assert (result.gap, result.relative_gap) == (2.0, 0.25)
    assert (result.iterations, result.seconds) == (60, 1.5)
    assert issubclass(Solution, Certified)
