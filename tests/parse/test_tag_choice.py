"""Unsure words read both ways: which readings there are, and which one is taken."""

from dataclasses import replace

import numpy as np
import pytest
from tests.parse.tagged import sentences
from tests.parse.treebank import NOUNS, VERBS, small_pipeline, treebank

from treaty.learn import Calibration
from treaty.parse import Pipeline, calibrate
from treaty.parse import _tag_choice as module
from treaty.parse._tag_choice import EVIDENCE, best_readings, fit_tag_choice, readings_of
from treaty.text import Sentence

ALWAYS, NEVER = (Calibration(shift, (0.0,) * EVIDENCE) for shift in (9.0, -9.0))


def odd_sentences(count, seed):
    """Sentences whose nouns and verbs change places: the tagger is wrong or unsure."""
    made = treebank(count, seed)
    rng = np.random.default_rng(seed)
    for sentence in made:
        for token in sentence.tokens:
            if token.upos in ("NOUN", "VERB") and rng.random() < 0.4:
                token.form = str(rng.choice(VERBS if token.upos == "NOUN" else NOUNS))
    return made


@pytest.fixture(scope="module")
def pipeline():
    made = small_pipeline(order="second", tagger_options={"epochs": 1, "bits": 10})
    calibrate(made, treebank(30, seed=7))
    return made


@pytest.fixture
def questioning(monkeypatch):
    monkeypatch.setattr(module, "UNSURE", 2.0)  # every tag
    monkeypatch.setattr(module, "LONGEST", 40)  # in every sentence


def test_a_reading_is_the_best_without_the_usual_tag(pipeline, questioning):
    usual = list(pipeline.tagger.predict(odd_sentences(4, 3)))
    column = pipeline.tagger.taggers[0]
    found = readings_of(pipeline.tagger, usual)
    assert len(found) == sum(min(module.MOST, len(s)) for s in usual)
    for reading in found:
        before = usual[reading.number]
        assert reading.sentence.words == before.words
        assert reading.sentence.tokens[reading.word].upos != before.tokens[reading.word].upos
        assert np.isfinite(reading.odds)
        # The other columns follow from the first one.
        again = pipeline.tagger.taggers[1].choose([reading.sentence])
        assert [t.xpos for t in reading.sentence.tokens] == again
    assert column.column == "upos"


def test_long_sentences_and_sure_words_are_left_alone(pipeline, monkeypatch):
    monkeypatch.setattr(module, "UNSURE", 0.0)
    assert readings_of(pipeline.tagger, list(pipeline.tagger.predict(treebank(5)))) == []
    monkeypatch.setattr(module, "UNSURE", 2.0)
    long = Sentence.from_words(["the", "cat"] * module.LONGEST)
    assert readings_of(pipeline.tagger, list(pipeline.tagger.predict([long]))) == []
    assert best_readings(pipeline.tagger, pipeline.parser, ALWAYS, []) == []


def test_the_choice_decides(pipeline, questioning):
    usual = list(pipeline.tagger.predict(odd_sentences(6, 4)))
    kept = best_readings(pipeline.tagger, pipeline.parser, NEVER, usual)
    assert kept == usual
    changed = best_readings(pipeline.tagger, pipeline.parser, ALWAYS, usual, threads=2)
    for before, after in zip(usual, changed, strict=True):
        assert [t.upos for t in before] != [t.upos for t in after]
        assert before.words == after.words
    alone = [best_readings(pipeline.tagger, pipeline.parser, ALWAYS, [s])[0] for s in usual]
    assert alone == changed


def test_confidence_of_the_new_tag(pipeline, questioning):
    usual = list(pipeline.tagger.predict(odd_sentences(3, 4), confidences=True))
    for before, after in zip(
        usual, best_readings(pipeline.tagger, pipeline.parser, ALWAYS, usual), strict=True
    ):
        (word,) = (i for i, t in enumerate(after) if t.misc != before.tokens[i].misc)
        old, new = (
            float(s.tokens[word].misc.split("TagConfidence=")[1].split("|")[0])
            for s in (before, after)
        )
        assert 0 <= new <= 1 and old != new


def test_fitting_prefers_readings_with_better_trees(pipeline, questioning, tmp_path):
    assert fit_tag_choice(pipeline.tagger, pipeline.parser, treebank(2)) is None
    gold = odd_sentences(80, 6)
    choice = fit_tag_choice(pipeline.tagger, pipeline.parser, gold)
    made = Pipeline(pipeline.parser, pipeline.tagger, pipeline.tokenizer)
    plain = made.evaluate(gold)
    made.tag_choice = choice
    assert made.evaluate(gold)["LAS"] > plain["LAS"]
    made.save(tmp_path / "toy.treaty")
    again = Pipeline.load(tmp_path / "toy.treaty")
    assert again.tag_choice == choice
    assert again.evaluate(gold, threads=2) == again.evaluate(gold)
    # Given tags are kept.
    kept = list(again.predict(gold))
    assert [t.upos for p in kept for t in p.sentence] == [t.upos for s in gold for t in s]


def test_sentences_without_trees_of_their_own_are_not_changed(pipeline, questioning):
    given = [replace(s) for s in sentences(3)]
    before = [s.to_conllu() for s in given]
    best_readings(pipeline.tagger, pipeline.parser, ALWAYS, list(pipeline.tagger.predict(given)))
    assert [s.to_conllu() for s in given] == before
