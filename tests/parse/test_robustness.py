"""Sentences that nobody would write."""

import random

import pytest
from tests.parse.enumeration import is_tree
from tests.parse.toy_parsers import heads_of, random_sentence, randomize, toy_parser

from treaty.corpus import Sentence, Token
from treaty.parse import ORDERS, Parser
from treaty.solve import Status


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
