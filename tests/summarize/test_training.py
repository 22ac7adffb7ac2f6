"""Training of summarizers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.summarize.toys import compressions, sentences

from treaty import Progress
from treaty.errors import UsageError
from treaty.summarize import LearningSettings, Problem, Source, Summarizer, Trainer
from treaty.summarize._scorers import DOCUMENT, TASKS
from treaty.text import Article, Collection, Compression, Sentence

QUICK = {"parts": 4, "part_sentences": 4, "part_share": 0.5, "epochs": 2, "bits": 12}
TEXTS = [
    "Ada sells big boats in Lisbon. Bo was there, too. It rained all day long on Monday.",
    "Big boats sank in Lisbon today. Nobody was hurt, they say. The sun came out at noon again.",
]


def collections(number: int) -> list[Collection]:
    references = ["Big boats in Lisbon.", "Ada sells big boats."]
    return [Collection([Article(t) for t in TEXTS], references, n) for n in range(number)]


def test_a_summarizer_learns_to_say_what_references_say() -> None:
    made = Summarizer.train(collections(3), parser=None, words=10, **QUICK)
    assert "big boats" in made.summarize(TEXTS, words=6).text.lower()
    assert made.info["training"]["topics"] == 3
    assert "scores" not in made.info


def test_scores_on_held_out_data_are_told_after_each_epoch_and_kept() -> None:
    told: list[Progress] = []
    dev = [*collections(1), *compressions(1, 5)]
    examples = [*collections(2), *compressions(0, 12)]
    made = Summarizer.train(examples, dev, parser=None, progress=told.append, **QUICK)
    found = {name: round(score, 4) for name, score in made.evaluate(dev).items()}
    assert made.info["scores"] == found
    assert {"ROUGE-2 recall", "compression F1"} <= found.keys()
    ends = [event for event in told if event.scores]
    assert [event.epoch for event in ends] == [1, 2]
    assert {name: round(score, 4) for name, score in ends[-1].scores.items()} == found


def test_the_language_is_that_of_the_collections() -> None:
    french = [replace(collection, language="fr") for collection in collections(2)]
    assert Summarizer.train(french, **QUICK).language == "fr"
    assert Summarizer.train(french, parser=None, language="en", **QUICK).language == "en"


def test_single_documents_have_weights_of_their_own() -> None:
    one = [Collection([Article(text)], ["Big boats in Lisbon."], text[:3]) for text in TEXTS]
    both = Summarizer.train([*collections(2), *one], parser=None, **QUICK)
    alone = Summarizer.train(one, parser=None, **QUICK)
    many = Summarizer.train(collections(2), parser=None, **QUICK)
    assert DOCUMENT in both.scorer.weights and DOCUMENT in alone.scorer.weights
    assert DOCUMENT not in many.scorer.weights
    for name in TASKS:  # these learn nothing from single documents if there are others
        assert np.array_equal(both.scorer.weights[name], many.scorer.weights[name])
    assert "big boats" in alone.summarize(TEXTS[1], words=6).text.lower()


def test_tasks_are_those_with_examples() -> None:
    settings = LearningSettings(**{name: QUICK[name] for name in QUICK if name != "bits"})
    trainer = Trainer(Summarizer(parser=None), settings)
    topics = [trainer.topic(c, 8) for c in collections(1)]
    assert list(trainer.tasks(trainer.parts(topics))) == ["extractive"]
    arcs = trainer.compressions(compressions(0, 9))
    assert list(trainer.tasks(trainer.parts(topics), arcs)) == ["extractive", "compression"]
    parsed = Problem.of([Source(0, n, s) for n, s in enumerate(sentences(1, 8))])
    trees = [trainer.topic_of(parsed, ["Ada sells big boats."], 8)]
    assert list(trainer.tasks(trainer.parts(trees), arcs)) == list(TASKS)
    scorer = trainer.learn(trainer.tasks(trainer.parts(trees), arcs))
    assert all(weights.any() for weights in scorer.weights.values())


def test_what_cannot_be_learned_from_is_refused() -> None:
    bare = Compression(Sentence.from_words(["Cats", "sleep"]), [True, False])
    for examples, cause in (
        ([bare], "no collections"),
        ([Collection([Article("Cats sleep.")])], "has no references"),
        ([*collections(1), bare], "requires a parser"),
        ([*collections(1), "Cats sleep."], "found str"),
    ):
        with pytest.raises(UsageError, match=cause):
            Summarizer.train(examples, parser=None, **QUICK)
