import pytest
from pydantic import ValidationError

from treaty.cli import _options
from treaty.web import _requests
from treaty.web._operations import OPERATIONS
from treaty.web._requests import ParseRequest, SolveRequest


def test_methods_are_those_of_the_commands():
    assert _requests.Method == _options.Method


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_examples_are_valid(operation):
    assert operation.request.examples
    for example in operation.request.examples:
        operation.request.model_validate(example)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"text": 3},
        {"text": "a", "modell": "english"},
        {"text": "a", "time_limit": 0},
        {"text": "a", "time_limit": "NaN"},
        {"text": "a", "longest": 10**9},
        {"text": "a", "constraints": [{"kind": "attach", "word": -1, "head": 2}]},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValidationError):
        ParseRequest.model_validate(wrong)


def test_scores_are_finite():
    graph = {"variables": [{"name": "a", "score": float("inf")}]}
    with pytest.raises(ValidationError):
        SolveRequest.model_validate({"graph": graph})
