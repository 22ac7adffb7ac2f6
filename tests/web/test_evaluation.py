import pytest

from treaty.errors import InputError, UsageError
from treaty.web import _evaluation
from treaty.web._requests import EvaluateRequest

GOLD = "1\tHush\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


def evaluate(context, **asked):
    (found,) = _evaluation.evaluate(EvaluateRequest.model_validate(asked), context)
    return found


def test_trees(context):
    found = evaluate(context, gold=GOLD, system=GOLD)
    assert (found["uas"], found["las"]) == (1.0, 1.0)


def test_names(context):
    found = evaluate(context, **EvaluateRequest.examples[0])
    assert found["micro_f1"] == 0.0 or "all" in found


def test_a_model(context):
    found = evaluate(context, gold=GOLD, model="english")
    assert (found["task"], found["examples"], found["scores"]["UAS"]) == ("pipeline", 1, 1.0)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"gold": GOLD}, UsageError),
        ({"gold": GOLD, "system": GOLD, "model": "english"}, UsageError),
        ({"gold": "", "system": GOLD}, InputError),
        ({"gold": GOLD, "system": "Ann\tB-PER\n"}, InputError),
        ({"gold": GOLD, "system": GOLD, "stem": True}, UsageError),
        ({"gold": "\n", "model": "english"}, UsageError),
    ],
)
def test_what_cannot_be_scored(context, asked, error):
    with pytest.raises(error):
        evaluate(context, **asked)
