"""Clauses made from trees: they are trees, and read as they should."""

import random

import pytest

from research.training.clauses import (
    ADVERBS,
    MADE,
    Clauses,
    people,
    plural_first,
    predicates,
    with_adverb,
    with_relative,
    without_article,
    without_that,
)
from treaty.text import Sentence, Token, check_tree


def sentence(*rows):
    """A sentence of rows form/UPOS/head/label."""
    cells = [row.split("/") for row in rows]
    return Sentence(
        [Token(f, lemma=f.lower(), upos=u, head=int(h), deprel=d) for f, u, h, d in cells]
    )


@pytest.fixture
def copular():
    return sentence(
        "Ann/PROPN/5/nsubj", "is/AUX/5/cop", "a/DET/5/det", "good/ADJ/5/amod", "nurse/NOUN/0/root",
        "in/ADP/7/case", "Leeds/PROPN/5/nmod", "and/CCONJ/9/cc", "sings/VERB/5/conj",
        "./PUNCT/5/punct",
    )  # fmt: skip


@pytest.fixture
def saying():
    return sentence(
        "They/PRON/2/nsubj", "say/VERB/0/root", "that/SCONJ/6/mark", "the/DET/5/det",
        "state/NOUN/6/nsubj", "ignored/VERB/2/ccomp", "warnings/NOUN/6/obj", "./PUNCT/2/punct",
    )  # fmt: skip


def test_predicates_are_whole(copular):
    ((number, tokens),) = predicates([copular])
    assert number == "Sing"
    assert [t.form for t in tokens] == ["is", "a", "good", "nurse", "in", "Leeds"]
    assert [t.head for t in tokens] == [4, 4, 4, 0, 6, 4]


def test_that_is_left_out(saying, copular):
    made = without_that(saying)
    assert made.words == ["They", "say", "the", "state", "ignored", "warnings", "."]
    assert made.heads == [2, 0, 4, 5, 2, 5, 2]
    check_tree(made)
    assert without_that(copular) is None and without_that(made) is None


def test_relative_clauses(copular, saying):
    bank = list(predicates([copular]))
    made = {
        " ".join(found.words): found
        for seed in range(40)
        for found in [with_relative(saying, bank, frozenset({"state"}), random.Random(seed))]
    }
    restrictive = made["They say that the state who is a good nurse in Leeds ignored warnings ."]
    assert restrictive.heads == [2, 0, 13, 5, 13, 10, 10, 10, 10, 5, 12, 10, 2, 13, 2]
    assert restrictive.tokens[9].deprel == "acl:relcl"
    long = "They say that the state , who is a good nurse in Leeds , ignored warnings ."
    with_commas = made[long]
    assert [t.head for t in with_commas.tokens if t.form == ","] == [11, 11]
    for found in made.values():
        check_tree(found)
    assert "They say that the state ignored warnings , which is a good nurse in Leeds ." in made
    assert with_relative(sentence("Hush/INTJ/0/root"), bank, frozenset(), random.Random(1)) is None


def test_copies_of_sentences(copular, saying):
    maker, drawn = Clauses([copular, saying]), random.Random(1)
    first, second = maker.copies(saying, 1.0, drawn)
    assert "is" in first.words and "that" not in second.words
    assert first.comments == second.comments == [MADE]
    assert maker.copies(saying, 0.0, drawn) == []


def test_people_are_who(copular):
    relative = sentence(
        "nurses/NOUN/0/root", "who/PRON/3/nsubj", "sing/VERB/1/acl:relcl", "well/ADV/3/advmod"
    )
    assert people([relative, copular]) == {"nurses"}


def test_adverbs_between_auxiliary_and_verb(saying):
    has = sentence(
        "It/PRON/3/nsubj", "has/AUX/3/aux", "replaced/VERB/0/root", "parts/NOUN/3/obj",
        "./PUNCT/3/punct",
    )  # fmt: skip
    has.tokens[1].lemma = "have"
    made = {with_adverb(has, "have", random.Random(seed)).words[2] for seed in range(200)}
    assert made == set(ADVERBS["have"])
    copy = with_adverb(has, "have", random.Random(1))
    check_tree(copy)
    assert copy.heads == [4, 4, 4, 0, 4, 4]
    assert (copy.tokens[2].upos, copy.tokens[2].deprel) == ("ADV", "advmod")
    assert with_adverb(has, "be", random.Random(1)) is None
    assert with_adverb(saying, "have", random.Random(1)) is None


def test_articles_before_plurals_are_left_out(copular):
    prices = sentence(
        "The/DET/2/det", "prices/NOUN/5/nsubj", "of/ADP/4/case", "oil/NOUN/2/nmod",
        "rose/VERB/0/root", "./PUNCT/5/punct",
    )  # fmt: skip
    assert without_article(prices) is None  # no plural
    prices.tokens[1].xpos = "NNS"
    made = without_article(prices)
    assert made.words == ["Prices", "of", "oil", "rose", "."]
    assert made.heads == [4, 3, 1, 0, 4]
    check_tree(made)
    assert prices.words[1] == "prices"
    assert without_article(copular) is None
    others = {plural_first(prices, ["share"], random.Random(seed)).words[0] for seed in range(40)}
    assert others == {"Prices", "Shares"}
    bare = {plural_first(made, ["plan"], random.Random(seed)) is None for seed in range(40)}
    assert bare == {True, False}
    assert made.words[0] == "Prices"
    assert plural_first(copular, ["plan"], random.Random(1)) is None
