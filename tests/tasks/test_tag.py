"""Tagging: tags, lemmas, confidences."""

import json

import pytest
from tests.tasks.conftest import Strict

from treaty.errors import UsageError
from treaty.parse import Tagger
from treaty.tasks import Run, TagRequest, Text
from treaty.tasks._tag import Tagging


def test_tags_and_lemmas(perform):
    (sentence,) = perform("tag", "Cats sleep.", confidences=True)
    assert [token.lemma for token in sentence] == ["cat", "sleep", "."]
    assert "TagConfidence=" in sentence.tokens[0].misc


def test_tags_are_those_of_the_library(perform, models):
    text = "They can fish. Cats sleep."
    tagger = models.load(Tagger, "english")
    twin = tagger.predict(tagger.tokenizer.sentences(text))
    assert [s.to_conllu() for s in perform("tag", text)] == [s.to_conllu() for s in twin]


def test_formats(run):
    task = Tagging(TagRequest(), run)
    (line,) = task.written(task.read([Text("Cats sleep.")]), "json")
    assert json.loads(line)["tokens"][0]["upos"] == "NOUN"
    (block,) = task.written(task.read([Text("Cats sleep.")]), "conllu")
    assert block.endswith("\n\n")


def test_another_language_is_told_unless_the_run_is_quiet(perform, models):
    text = "Der Hund schläft auf dem Sofa, und die Katze sitzt neben ihm. " * 4
    run, quiet = Run(models), Run(models, quiet=True)
    perform("tag", text, run=run)
    perform("tag", text, run=quiet)
    assert (len(run.notes), quiet.notes) == (1, [])


def test_words_without_a_tokenizer(models):
    task = Tagging(TagRequest(), Strict(models))
    task.tokenizer = None
    with pytest.raises(UsageError, match="cannot find the words"):
        list(task([Text("a b")]))
