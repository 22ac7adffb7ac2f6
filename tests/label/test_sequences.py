"""Sequence models: what they learn from columns and pairs, scores, certificates."""

import io

import pytest
from tests.label.test_estimator import as_dicts, toy

from treaty.errors import ModelError, UsageError
from treaty.label import SequenceModel
from treaty.learn import ModelFile
from treaty.solve import Status
from treaty.text import ColumnSentence

COLUMNS = "Ann\tNNP\tB-PER\nLee\tNNP\tI-PER\nruns\tVBZ\tO\n\nin\tIN\tO\nRome\tNNP\tB-LOC\n"


@pytest.fixture(scope="module")
def columns():
    return list(SequenceModel.read(io.StringIO(COLUMNS)))


def test_columns_are_learned_with_the_usual_templates(columns):
    model = SequenceModel.train([ColumnSentence([], ["# id = 1"]), *columns * 4])
    assert model.columns == ["form", "b"]
    found = list(model.predict([*columns, ColumnSentence([("Ann", "NNP"), ("runs", "VBZ")])]))
    assert [list(one.labels) for one in found[:2]] == [s.labels for s in columns]
    assert found[2].labels == ("B-PER", "O")
    assert {one.status for one in found} == {Status.OPTIMAL}
    assert found[0].to_dict()["labels"] == ["B-PER", "I-PER", "O"]


def test_scores_are_shares_of_labels_and_f1_of_entities(columns):
    model = SequenceModel.train(columns * 4)
    wrong = columns[1].with_labels(["B-PER", "B-LOC"])
    assert model.evaluate([columns[0], wrong]) == {"accuracy": 4 / 5, "micro F1": 4 / 5}
    texts, y = toy()
    pairs = list(zip(as_dicts(texts), y, strict=True))
    other = SequenceModel.train(pairs, epochs=2)
    right = [one.labels for one in other.predict(as_dicts(texts))]
    flat = [[label for row in rows for label in row] for rows in (y, right)]
    same = sum(a == b for a, b in zip(*flat, strict=True))
    assert other.evaluate(iter(pairs)) == {"accuracy": same / len(flat[0])}
    assert other.evaluate([([], [])]) == {}


def test_dev_scores_are_reported_and_kept(columns):
    events = []
    model = SequenceModel.train(columns * 4, columns, epochs=4, progress=events.append)
    scores = [event.scores for event in events if event.scores]
    assert len(scores) == 4
    assert scores[-1] == model.info["scores"] == model.evaluate(columns)
    assert events[-1].stage == "sequences"


def test_forbidden_pairs_are_named_again():
    model = SequenceModel.train([([["a"], ["b"]], ["A", "B"])], forbidden=[("B", "A")], epochs=1)
    assert SequenceModel.from_bytes(model.to_bytes()).forbidden == (("B", "A"),)


def test_columns_need_a_model_of_columns(columns):
    model = SequenceModel.train([([["a"]], ["A"])], epochs=1)
    with pytest.raises(UsageError, match="it cannot read columns"):
        list(model.predict(columns))


def test_marginals_are_those_of_the_labels():
    model = SequenceModel.train([([["a"], ["b"]], ["A", "B"])] * 3)
    (table,) = model.marginals([[["a"], ["b"]]])
    assert model.labels == ["A", "B"]
    assert table.argmax(axis=1).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ([ColumnSentence([("Ann",)])], "found one column"),
        ([([["a"]], ["A", "B"])], "a sequence has 1 tokens and 2 labels"),
        (
            [ColumnSentence([("a", "b", "A")]), ColumnSentence([("a", "A")])],
            "the attributes form, b",
        ),
    ],
)
def test_examples_that_make_no_sense_are_refused(examples, message):
    with pytest.raises(UsageError, match=message):
        SequenceModel.train(examples)


@pytest.mark.parametrize(
    "change",
    [
        {"templates": ["nonsense"], "columns": ["form"]},
        {"templates": ["w.form"], "columns": None},
        {"crf": {"labels": ["A"], "kinds": []}},
    ],
)
def test_files_that_make_no_sense_are_refused(change):
    file = SequenceModel.train([([["a"]], ["A"])], epochs=1).to_file()
    with pytest.raises(ModelError):
        SequenceModel.from_file(ModelFile(file.task, {**file.header, **change}, file.tensors))
