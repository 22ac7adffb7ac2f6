"""Grammars as models: what they learn, and how they parse."""

import math

import numpy as np
import pytest
from tests.induce.reference import random_corpus

from treaty.errors import ModelError, UsageError
from treaty.induce import Corpus, Grammar, GrammarParser, viterbi, viterbi_em
from treaty.text import Sentence, Token

EXAMPLE = Grammar.example()
CORPUS = Corpus.sample(EXAMPLE, 30, seed=4, max_length=8)


def test_training_is_what_the_methods_do():
    trained = GrammarParser.train(CORPUS.sentences(), seed=5, restarts=20)
    found = viterbi_em(CORPUS, seed=5, restarts=20)
    assert np.array_equal(trained.grammar.flat, found.grammar.flat)
    assert trained.info["training"]["objective"] == found.objective
    searched = GrammarParser.train(
        CORPUS.sentences(), method="branch-and-bound", iterations=10, time_limit=5
    )
    assert searched.info["training"]["objective"] >= found.objective - 1e-9


def test_predictions_are_the_best_trees_one_by_one():
    parses = list(GrammarParser(EXAMPLE).predict(CORPUS.sentences()))
    best = viterbi(CORPUS, EXAMPLE)
    assert [h for parse in parses for h in parse.sentence.heads] == best.heads.tolist()
    assert math.fsum(parse.objective for parse in parses) == pytest.approx(best.score)
    assert all(parse.status == "OPTIMAL" for parse in parses)


def test_scores_are_those_of_the_trees():
    scores = GrammarParser(EXAMPLE).evaluate(CORPUS.sentences())
    right = viterbi(CORPUS, EXAMPLE).heads == CORPUS.heads
    assert scores["directed"] == pytest.approx(right.mean())
    assert scores["directed"] <= scores["undirected"] < 1.0


def test_punctuation_hangs_on_the_root():
    tags = [("“", "PUNCT"), ("cats", "N"), ("sleep", "V"), (".", "PUNCT")]
    sentence = Sentence([Token(form, upos=tag) for form, tag in tags])
    (parse,) = GrammarParser(EXAMPLE).predict([sentence])
    assert parse.sentence.heads == [3, 3, 0, 3]
    (alone,) = GrammarParser(EXAMPLE).predict([Sentence(sentence.tokens[:1])])
    assert alone.sentence.heads == [0]


def test_tags_that_the_grammar_does_not_have_are_named():
    with pytest.raises(UsageError, match="no tag 'X': it was induced from A, N, V"):
        list(GrammarParser(EXAMPLE).predict([Sentence([Token("a", upos="X")])]))
    with pytest.raises(UsageError, match="has no UPOS"):
        list(GrammarParser(EXAMPLE).predict([Sentence.from_words(["a"])]))


def test_impossible_choices_survive_the_file():
    counts = random_corpus(1, [4, 5]).count([2, 0, 2, 3, 0, 1, 2, 3, 4])
    parser = GrammarParser(Grammar.estimate(counts, "ANV"))
    assert (parser.grammar.flat == -np.inf).any()
    again = GrammarParser.from_bytes(parser.to_bytes()).grammar
    assert np.array_equal(again.flat == -np.inf, parser.grammar.flat == -np.inf)


def test_a_file_names_no_other_files():
    parser = GrammarParser(EXAMPLE)
    parser.tags = "/etc/tags.toml"
    with pytest.raises(ModelError, match=r"tagset: expected one of upos, .*found '/etc/tags.toml'"):
        GrammarParser.from_bytes(parser.to_bytes())
