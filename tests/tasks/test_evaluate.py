"""Evaluating: files, texts of a server, and models."""

import pytest
from tests.tasks.conftest import KEPT

from treaty.errors import InputError, UsageError
from treaty.tasks import EvaluateRequest, Run, perform
from treaty.tasks._evaluate import Evaluating
from treaty.tasks._run import Models

GOLD = "1\tHush\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


class Served(Models):
    reads_files = False

    def load(self, kind, name):
        return KEPT.load(kind, name)


def evaluate(**fields):
    (scores,) = perform(EvaluateRequest.from_dict(fields), [], Run(Served()))
    return scores.to_dict()


def test_trees(tmp_path):
    scores = evaluate(gold=GOLD, system=GOLD)
    assert (scores["uas"], scores["las"]) == (1.0, 1.0)
    path = tmp_path / "gold.conllu"
    path.write_text(GOLD)
    (of_files,) = perform(EvaluateRequest(gold=str(path), system=str(path)), [])
    assert of_files.to_dict() == scores


def test_names():
    scores = evaluate(**EvaluateRequest.examples[0])
    assert scores["micro_f1"] == 0.0


def test_a_model():
    scores = evaluate(gold=GOLD, model="english")
    assert (scores["task"], scores["examples"], scores["scores"]["UAS"]) == ("pipeline", 1, 1.0)


def test_tables_are_text():
    task = Evaluating(EvaluateRequest(gold=GOLD, system=GOLD, by=("label",)), Run(Served()))
    assert "UAS" in "".join(task.written(task.read([]), "text"))
    task = Evaluating(EvaluateRequest(gold=GOLD, model="english"), Run(Served()))
    assert "".join(task.written(task.read([]), "text")).startswith("UAS")


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"gold": GOLD}, UsageError),
        ({"gold": GOLD, "system": GOLD, "model": "english"}, UsageError),
        ({"gold": GOLD, "model": "english", "stem": True}, UsageError),
        ({"gold": "", "system": GOLD}, InputError),
        ({"gold": GOLD, "system": "Ann\tB-PER\n"}, InputError),
        ({"gold": GOLD, "system": GOLD, "stem": True}, UsageError),
        ({"gold": "\n", "model": "english"}, InputError),
        ({"gold": GOLD, "system": GOLD, "by": ["color"]}, UsageError),
    ],
)
def test_what_cannot_be_scored(fields, error):
    with pytest.raises(error):
        evaluate(**fields)


def test_files_and_models():
    request = EvaluateRequest(gold="a", system="b", train="c")
    assert set(Evaluating.files(request)) == {"a", "b", "c"}
    assert Evaluating.models(request) == []
    assert Evaluating.models(EvaluateRequest(gold="a", model="m")) == ["m"]
