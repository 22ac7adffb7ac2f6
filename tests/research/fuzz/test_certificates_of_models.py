"""A short run of the certificates of models, and that lies about them are seen."""

from __future__ import annotations

import math
import random

import pytest

from research.fuzz import certificates_of_models as models
from research.fuzz._run import Finding, fuzz
from treaty.solve import Certificate, Status

HARNESS = {harness.name: harness for harness in models.HARNESSES}


@pytest.mark.parametrize("name", HARNESS)
def test_a_short_run_finds_nothing(name):
    report = fuzz(HARNESS[name], inputs=30, seed=4)
    assert dict(report.found) == {}
    assert report.inputs == 30


@pytest.mark.parametrize(
    ("certificate", "best", "score", "wrong"),
    [
        (Certificate(Status.INFEASIBLE, -math.inf, -math.inf), 1.0, 1.0, "INFEASIBLE is false"),
        (Certificate(Status.OPTIMAL, 1.0, 1.0), 1.1, 1.0, "the bound is below the optimum"),
        (Certificate(Status.UNKNOWN, -math.inf, 1.0), 1.1, 1.0, "the bound is below the optimum"),
        (Certificate(Status.FEASIBLE, 1.0, math.nan), 1.1, 1.0, "the bound is below the optimum"),
        (Certificate(Status.FEASIBLE, 1.0, 2.0), 1.1, 0.9, "the objective is not the score"),
        (Certificate(Status.OPTIMAL, 1.0, 1.1), 1.1, 1.0, "OPTIMAL is false"),
    ],
)
def test_false_claims_are_seen(certificate, best, score, wrong):
    with pytest.raises(Finding, match="x: ") as raised:
        models.claims("x", certificate, best, score)
    assert raised.value.what.startswith(f"x: {wrong}")


@pytest.mark.parametrize(
    ("certificate", "best", "score"),
    [
        (Certificate(Status.INFEASIBLE, -math.inf, -math.inf), -math.inf, -math.inf),
        (Certificate(Status.OPTIMAL, 1.0, 1.0), 1.0, 1.0),
        (Certificate(Status.FRACTIONAL, 1.0, 2.0), 1.5, 1.0),
        (Certificate(Status.UNKNOWN, -math.inf, 2.0), 1.5, -math.inf),
    ],
)
def test_true_claims_pass(certificate, best, score):
    models.claims("x", certificate, best, score)


@pytest.mark.parametrize(
    "name", ["parser", "labeler", "linker", "summarizer", "compressor", "inducer"]
)
@pytest.mark.parametrize("change", [-1.0, 1.0])
def test_models_whose_best_is_another_are_seen(monkeypatch, name, change):
    """As if the bound were too low, and as if the objective were not the score of the answer."""
    right = models.claims
    monkeypatch.setattr(
        models,
        "claims",
        lambda what, certificate, best, score, *more: right(
            what, certificate, best - min(change, 0.0), score + max(change, 0.0), *more
        ),
    )
    dice, seen = random.Random(1), 0
    for _ in range(30):
        try:
            getattr(models, f"judge_{name}")(dice)
        except Finding:
            seen += 1
    assert seen > 10
