"""The parser: options, scores, candidates, and sentences that nobody would write."""

import json
import random

import numpy as np
import pytest
from tests.parse.enumeration import is_tree
from tests.parse.toy_parsers import (
    heads_of,
    random_sentence,
    randomize,
    small_templates,
    toy_parser,
)
from tests.parse.treebank import small, treebank

from treaty.errors import UsageError
from treaty.parse import ORDERS, Parser, ParserTemplates, Root, Settings
from treaty.solve import Status
from treaty.text import Sentence, Token


def parsed(parser: Parser, sentence: Sentence, **how: object) -> tuple[int, ...]:
    found = next(parser.predict([sentence], **how))
    assert found.sentence.words == sentence.words
    assert found.bound >= found.objective - 1e-4
    tree = heads_of(found.sentence)
    assert is_tree(tree)
    assert tree.count(0) == min(1, len(sentence)) or not parser.settings.single_root
    return tree


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("single_root", [True, False])
def test_no_words_and_one(order: str, single_root: bool) -> None:
    parser = toy_parser(order, single_root=single_root)
    randomize(parser, 1)
    assert parsed(parser, Sentence([])) == (-1,)
    assert parsed(parser, Sentence([Token("a")])) == (-1, 0)
    assert parsed(parser, Sentence([]), order="first", projective=True) == (-1,)
    assert parsed(parser, Sentence([Token("a")]), order="first", projective=True) == (-1, 0)
    assert parser.marginals(Sentence([])).tolist() == [[0.0]]
    assert parser.candidate_heads(Sentence([])) == []
    assert parser.candidate_heads(Sentence([Token("a")])) == [[(0, 1.0)]]
    assert list(parser.predict([])) == []


@pytest.mark.parametrize("form", ["", "\0", "a\0b", "\ud800", "🙂" * 1000, " ", "\n", "\udc80x"])
def test_strange_words(form: str) -> None:
    parser = toy_parser("third")
    randomize(parser, 2)
    sentence = Sentence([Token(form, form, form, form, form), Token("a"), Token(form)])
    parsed(parser, sentence)
    parsed(parser, sentence, order="first", projective=True)


def test_strange_words_are_told_apart() -> None:
    parser = toy_parser("first", templates=None)
    randomize(parser, 3)
    words = ["\ud800", "\ud801", "\0", ""]
    scores = {next(parser.predict([Sentence([Token(word)])])).objective for word in words}
    assert len(scores) == len(words)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("order", ["first", "third"])
def test_many_times_the_same_word(order: str, single_root: bool) -> None:
    """Where all trees are alike the best may be flat, with a hundred thousand parts per head."""
    parser = toy_parser(order, single_root=single_root, iterations=3)
    for how in ("zeros", "real"):
        randomize(parser, 4, how)
        parsed(parser, Sentence([Token("a")] * 300))


def test_long_sentences() -> None:
    """Above 600 words the pruner takes the heads of each word as independent."""
    parser = toy_parser("third", iterations=3, heads=3)
    randomize(parser, 5)
    values = parser.pruner_model.weights.values
    values[:] = parser.parser_model.weights.values
    sentence = random_sentence(random.Random(5), 700)
    parsed(parser, sentence)
    marginals = parser.marginals(sentence)
    assert marginals.sum(axis=0)[1:] == pytest.approx(1.0)


def test_the_work_for_a_word_has_a_bound() -> None:
    """Text without full stops once took all iterations for each of its parts."""
    parser = toy_parser("third", iterations=90, heads=3)
    randomize(parser, 4)
    sentence = random_sentence(random.Random(4), 300)
    (found,) = parser.predict([sentence])
    assert found.status is not Status.OPTIMAL
    assert found.certificate.iterations == 30


def test_few_iterations_still_give_a_tree() -> None:
    parser = toy_parser("third", iterations=1)
    for seed in range(5):
        randomize(parser, seed)
        found = next(parser.predict([random_sentence(random.Random(seed), 12)]))
        assert is_tree(heads_of(found.sentence))
        assert found.status in (Status.FEASIBLE, Status.FRACTIONAL, Status.OPTIMAL)


def test_a_stream_comes_back_in_order() -> None:
    parser = toy_parser("first")
    randomize(parser, 6)
    sentences = [random_sentence(random.Random(i), i % 4) for i in range(1100)]
    found = parser.predict(iter(sentences), threads=2)
    assert [p.sentence.words for p in found] == [s.words for s in sentences]


# Options


def test_higher_orders_are_refused() -> None:
    with pytest.raises(UsageError, match="has the order 'second'"):
        next(toy_parser("second").predict([Sentence([Token("a")])], order="third"))
    with pytest.raises(UsageError, match="expected one of first, second"):
        next(toy_parser("second").predict([Sentence([Token("a")])], order="fourth"))
    with pytest.raises(UsageError, match='add order="first"'):
        next(toy_parser("second").predict([Sentence([Token("a")])], projective=True))
    with pytest.raises(UsageError, match="projective trees cannot be combined with constraints"):
        next(
            toy_parser("first").predict(
                [Sentence([Token("a")])], projective=True, constraints=[Root(1)]
            )
        )


def test_a_parser_needs_templates_for_arcs() -> None:
    usual = small_templates()
    for templates in (
        ParserTemplates({}, usual.parser, usual.label),
        ParserTemplates(usual.pruner, {"sibling": usual.parser["sibling"]}, usual.label),
    ):
        with pytest.raises(UsageError, match="require templates for arcs"):
            Parser(Settings(), templates, ["root"], {})


# Scores and candidates


def test_scores_are_shares_of_words() -> None:
    parser = Parser.train(treebank(12), **small(order="first", epochs=8))
    (parse,) = parser.predict(treebank(1))
    gold = parse.sentence
    assert parser.evaluate([gold]) == {"UAS": 1.0, "LAS": 1.0}
    gold.tokens[0].deprel = "no such label"
    gold.tokens[2].head = 0 if gold.tokens[2].head else 1
    words = len(gold)
    assert parser.evaluate([gold]) == {"UAS": (words - 1) / words, "LAS": (words - 2) / words}


def test_options_of_predict_go_through_evaluation() -> None:
    parser = toy_parser("second")
    randomize(parser, 3)
    sentences = [
        s.with_tree([0, *range(1, len(s))], ["root"] * len(s))
        for s in (random_sentence(random.Random(i), 6) for i in range(9))
    ]
    for options in ({}, {"order": "first"}, {"order": "first", "projective": True}):
        heads = [p.sentence.heads for p in parser.predict(sentences, **options)]
        right = sum(
            a == b
            for found, s in zip(heads, sentences, strict=True)
            for a, b in zip(found, s.heads, strict=True)
        )
        assert parser.evaluate(sentences, **options)["UAS"] == pytest.approx(right / 54)


def test_candidate_heads_are_the_most_probable() -> None:
    parser = toy_parser("first")
    values = parser.pruner_model.weights.values
    values[:] = np.random.default_rng(2).normal(size=len(values))
    sentence = random_sentence(random.Random(2), 5)
    marginals = parser.marginals(sentence)
    for m, heads in enumerate(parser.candidate_heads(sentence, k=3), start=1):
        assert len(heads) == 3
        assert [p for _, p in heads] == sorted(marginals[:, m], reverse=True)[:3]
        assert all(marginals[h, m] == p for h, p in heads)
    assert all(len(heads) == 5 for heads in parser.candidate_heads(sentence, k=99))


def test_a_parse_gives_itself_as_a_dict() -> None:
    parser = toy_parser("first")
    parse = next(parser.predict([Sentence([Token("a")])]))
    told = json.loads(json.dumps(parse.to_dict()))
    assert told["certificate"]["status"] == "OPTIMAL"
    assert told["tokens"] == [
        {"id": 1, "form": "a", "start": 0, "end": 1, "head": 0, "deprel": "obj"}
    ]
