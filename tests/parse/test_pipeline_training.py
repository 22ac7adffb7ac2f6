"""Training all parts of a pipeline: stages, scores, folds, and treebanks that lack something."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.parse.treebank import small, small_pipeline, treebank

from treaty.errors import UsageError
from treaty.parse import Parser, Pipeline
from treaty.text import read_conllu


def test_training_tells_its_stages_and_keeps_scores():
    told, dev = [], treebank(5, seed=9)
    made = small_pipeline(order="first", dev=dev, progress=told.append)
    stages = list(dict.fromkeys(event.stage for event in told))
    assert stages == [
        "tokenizer", "upos", "xpos", "feats", "lemmatizer", "pruner", "labels", "trees",
    ]  # fmt: skip
    scores = made.info["scores"]
    assert set(scores) == {
        "UAS", "LAS", "pruner recall", "candidates", "UPOS", "XPOS", "FEATS", "words", "sentences",
        "LEMMA", "UAS, predicted tags", "LAS, predicted tags", "LEMMA, predicted tags",
    }  # fmt: skip
    predicted, given = made.evaluate(dev), made.evaluate(dev, tags="keep")
    for name in ("UAS", "LAS"):
        assert scores[name] == pytest.approx(given[name], abs=1e-4)
        assert scores[f"{name}, predicted tags"] == pytest.approx(predicted[name], abs=1e-4)
    assert 0.8 < scores["UAS"] <= 1.0
    assert "scores" not in small_pipeline(order="first").info
    json.dumps(made.info)


def test_jackknifed_sentences_are_kept_for_resume(tmp_path):
    options = {"order": "first", "folds": 3, "checkpoint": tmp_path / "state"}
    whole = small_pipeline(**options)
    kept = list(read_conllu(tmp_path / "state.jackknife.conllu"))
    assert [s.heads for s in kept] == [s.heads for s in treebank(40)]
    for stage in ("trees", "labels"):
        (tmp_path / f"state.{stage}").unlink()
    again = small_pipeline(**options, resume=True)
    assert np.array_equal(
        whole.parser.parser_model.weights.values, again.parser.parser_model.weights.values
    )
    plain = small_pipeline(order="first")
    assert not np.array_equal(
        whole.parser.parser_model.weights.values, plain.parser.parser_model.weights.values
    )


def test_a_treebank_without_spaces_or_tags_trains_what_it_can():
    bank = treebank(10)
    for token in (token for sentence in bank for token in sentence):
        token.misc, token.xpos, token.feats = "_", "_", "_"
    made = Pipeline.train(bank, tagger_options={"epochs": 1, "bits": 10}, **small(order="first"))
    assert made.tokenizer.info["spaces"].startswith("supposed")
    assert made("The cat sees a dog.").words[-1].form == "."
    assert made.tagger.columns == ("upos",)
    bare = Pipeline.train(bank, tagger=False, **small(order="first"))
    assert bare.tagger is None
    with pytest.raises(UsageError, match="no sentences"):
        Pipeline.train([])


def test_lemmas_are_learned_if_there_are_any():
    sentences = treebank(20)
    dev = [replace(s, tokens=[replace(t, lemma="_") for t in s.tokens]) for s in sentences]
    made = Pipeline.train(sentences, dev, **small(order="first", tokenizer=False, tagger=False))
    assert made.lemmatizer is not None and "LEMMA" not in made.info["scores"]
    assert Pipeline.train(dev, **small(order="first", tagger=False)).lemmatizer is None
    options = {"tagger": False, "tokenizer": False, "lemmatizer": False}
    assert Pipeline.train(sentences, **small(order="first", **options)).lemmatizer is None


def test_the_parser_learns_from_chosen_sentences(tmp_path):
    examples = treebank(40)
    first = {id(sentence) for sentence in examples[:25]}
    options = small(order="first", tagger_options={"epochs": 1, "bits": 10}, lemmatizer=False)
    options |= {"tokenizer": False, "folds": 2, "checkpoint": tmp_path / "c"}
    made = Pipeline.train(examples, with_tree=lambda s: id(s) in first, **options)
    jackknifed = list(read_conllu(tmp_path / "c.jackknife.conllu"))
    assert len(jackknifed) == 40
    versions = [examples[:25], jackknifed[:25]]
    mixed = [versions[i % 2][i] for i in range(25)]
    alone = Parser.train(mixed, versions=versions, seeds=2, **small(order="first"))
    tables = [p.parser_model.weights.values for p in (made.parser, alone)]
    assert np.array_equal(*tables) and tables[0].any()


def test_columns_that_some_sentences_lack_are_filled_for_the_parser(monkeypatch):
    seen = []
    train = Parser.train
    monkeypatch.setattr(
        Parser,
        "train",
        lambda examples, *rest, **options: (
            seen.extend(examples) or train(examples, *rest, **options)
        ),
    )
    whole, bare = treebank(20), treebank(20, seed=5)
    for sentence in bare:
        sentence.tokens = [replace(token, xpos="_", feats="_") for token in sentence.tokens]
    tagger = {"epochs": 3, "bits": 10}
    made = Pipeline.train(
        whole + bare, **small(order="first"), tagger_options=tagger, lemmatizer=False
    )
    assert made.tagger.columns == ("upos", "xpos", "feats")
    assert [s.words for s in seen] == [s.words for s in whole + bare]
    assert seen[:20] == whole
    gold = treebank(20, seed=5)
    for column in ("xpos", "feats"):
        right = [
            getattr(a, column) == getattr(b, column)
            for s, t in zip(seen[20:], gold, strict=True)
            for a, b in zip(s.tokens, t.tokens, strict=True)
        ]
        assert sum(right) > 0.9 * len(right)
    assert [t.upos for s in seen[20:] for t in s] == [t.upos for s in gold for t in s]
