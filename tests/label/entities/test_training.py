"""Training of entity labelers: schemes, dev scores, taggers of one's own, data that are refused."""

import pytest
from tests.label.entities.toy import make_messages

from treaty.errors import InputError, UsageError
from treaty.label.entities import EntityLabeler, message_of_words
from treaty.text import ColumnSentence, spans_of_labels

OPTIONS = {"language_model": None, "tags": False}


def test_dev_scores_are_those_of_the_model(labeler):
    assert labeler.info["language"] == "en"
    assert labeler.info["training"]["messages"] == 60
    dev = make_messages(10, seed=2)
    assert labeler.info["scores"] == labeler.evaluate(dev)
    assert labeler.info["scores"]["micro F1"] == 1.0


def test_dev_scores_are_reported_after_each_epoch(messages):
    events, dev = [], make_messages(10, seed=2)
    labeler = EntityLabeler.train(messages, dev, epochs=3, progress=events.append, **OPTIONS)
    scores = [event.scores for event in events if event.scores]
    assert len(scores) == 3
    assert {name: round(value, 4) for name, value in scores[-1].items()} == labeler.info["scores"]
    assert [(event.stage, event.epochs) for event in events] == [("entities", 3)] * len(events)


@pytest.mark.parametrize("scheme", ["BIO", "BILOU"])
def test_other_schemes_learn_as_well(messages, scheme):
    labeler = EntityLabeler.train(messages, scheme=scheme, **OPTIONS)
    (labeled,) = labeler.predict([message_of_words(["Bob", "Brown", "sleeps"])])
    assert [tuple(s) for s in spans_of_labels(labeled.labels)] == [(0, 2, "PER")]
    assert set(labeler.labels) >= set(labeled.labels)


@pytest.mark.parametrize(
    ("rows", "error", "cause"),
    [
        ([("Rome", "X-LOC")], InputError, "not a valid entity label"),
        ([("Rome", "B")], InputError, "not a valid entity label"),
        ([("Rome", "O")], UsageError, "no message has an entity"),
        ([], UsageError, "no messages"),
    ],
)
def test_data_that_cannot_be_learned_from_are_refused(rows, error, cause):
    with pytest.raises(error, match=cause):
        EntityLabeler.train([ColumnSentence(rows)], **OPTIONS)


def test_tags_need_a_language_model(messages):
    with pytest.raises(UsageError, match="tags require a language model"):
        EntityLabeler.train(messages, language_model=None)
    with pytest.raises(UsageError, match="learner must be one of"):
        EntityLabeler.train(messages, learner="magic", **OPTIONS)
