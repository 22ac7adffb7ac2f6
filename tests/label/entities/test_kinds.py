"""The kinds of an entity labeler, against the definitions of schemes and of Qian and Liu (2014)."""

from itertools import product

import pytest

from treaty.label.entities._kinds import chain_kinds, kinds_of, phrase_kinds, same
from treaty.label.entities._settings import EntitySettings
from treaty.text import scheme_named

TYPES = ["LOC", "PER"]


@pytest.mark.parametrize("name", ["BIO", "BILOU"])
def test_a_chain_forbids_what_the_scheme_forbids(name):
    scheme = scheme_named(name)
    labels = scheme.labels(TYPES)
    kinds = chain_kinds(scheme, TYPES)
    assert [kind.name for kind in kinds] == ["word", "first", "last", "next"]
    word, first, last, following = kinds
    assert not word.forbidden
    assert {labels[i] for (i,) in first.forbidden} == {x for x in labels if not scheme.may_begin(x)}
    assert {labels[i] for (i,) in last.forbidden} == {x for x in labels if not scheme.may_end(x)}
    assert {(labels[i], labels[j]) for i, j in following.forbidden} == {
        (a, b) for a, b in product(labels, repeat=2) if not scheme.may_follow(a, b)
    }


def test_identical_words_are_rewarded_for_one_type():
    scheme = scheme_named("BIO")
    labels = scheme.labels(TYPES)
    (words,) = phrase_kinds(scheme, TYPES, 1)
    assert words.name == same(1)
    pairs = {(labels[i], labels[j]) for i, j in words.patterns}
    types = {label: label.partition("-")[2] for label in labels}
    assert pairs == {(a, b) for a, b in product(labels, repeat=2) if types[a] == types[b]}
    assert ("B-PER", "I-PER") in pairs and ("O", "B-PER") not in pairs


def test_identical_phrases_are_rewarded_outside_and_as_entities():
    scheme = scheme_named("BIO")
    labels = scheme.labels(TYPES)
    *_, three = phrase_kinds(scheme, TYPES, 3)
    assert three.name == same(3)
    rows = {tuple(labels[i] for i in pattern) for pattern in three.patterns}
    one = [("O",) * 3, ("B-LOC", "I-LOC", "I-LOC"), ("B-PER", "I-PER", "I-PER")]
    assert rows == {row * 2 for row in one}


def test_the_order_decides():
    chain = kinds_of(EntitySettings(order="chain"), TYPES)
    more = kinds_of(EntitySettings(order="global", longest_phrase=3), TYPES)
    assert [kind.name for kind in chain] == ["word", "first", "last", "next"]
    assert [kind.name for kind in more[4:]] == [same(1), same(2), same(3)]
