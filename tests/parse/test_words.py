"""What the native parser reads: hashed attributes, and gold trees as arrays."""

from dataclasses import replace

import numpy as np

from treaty._native.features import template_features
from treaty.features import Family, TemplateSet, compile_templates
from treaty.parse import Clusters
from treaty.parse._words import attribute_names, gold_of, sequences_of
from treaty.text import Sentence, Token

CATS = Sentence(
    [
        Token("Cats", "cat", "NOUN", "NNS", "Number=Plur", 2, "nsubj"),
        Token("sleep", "sleep", "VERB", "VBP", "_", 0, "root"),
    ]
)
COLUMNS = ("form", "lemma", "upos", "xpos", "feats")


def test_names_come_once_and_the_coarse_tag_always():
    sets = [TemplateSet.of("h.form m.form"), TemplateSet.of("m.xpos h.form")]
    assert sorted(attribute_names(sets)) == ["form", "upos", "xpos"]
    assert attribute_names([]) == ["upos"]


def hashes(sentences, attribute, clusters=None):
    names = [attribute, "upos"]
    sequences = sequences_of(sentences, names, clusters)
    compiled = compile_templates(
        Family("word", ("w",), ()), TemplateSet.of(f"w.{attribute}"), names
    )
    return template_features(sequences, compiled).tolist()


def test_every_column_is_read_from_its_own_field():
    """A word that differs in one field alone differs in that attribute alone."""
    plain = Token("a", "a", "a", "a", "a")
    for column in COLUMNS:
        other = replace(plain, **{column: "b"})
        for attribute in COLUMNS:
            one, two = (hashes([Sentence([token])], attribute) for token in (plain, other))
            assert (one != two) == (attribute == column), (column, attribute)


def test_the_root_stands_before_the_first_word():
    root, cats, sleep = hashes([CATS], "form")
    assert len({root, cats, sleep}) == 3
    assert hashes([CATS, Sentence()], "form") == [root, cats, sleep, root]
    lower = Sentence([Token("cats"), Token("sleep")])
    assert hashes([lower], "lower") == hashes([CATS], "lower")
    assert hashes([lower], "form") != hashes([CATS], "form")


def test_clusters_stand_for_words_where_there_are_any():
    clusters = Clusters({"cats": "01", "sleep": "01"})
    _, cats, sleep = hashes([CATS], "cluster", clusters)
    assert cats == sleep
    _, cats, sleep = hashes([CATS], "cluster")
    assert cats != sleep


def test_gold_trees_are_arrays_with_the_root_in_front():
    sequences = sequences_of([CATS, Sentence([Token("x", head=0, deprel="new")])], ["form", "upos"])
    sentences = [CATS, Sentence([Token("x", head=0, deprel="new")])]
    _, heads, labels = gold_of(sequences, sentences, {"nsubj": 0, "root": 1})
    assert heads.tolist() == [-1, 2, 0, -1, 0]
    assert labels.tolist() == [-1, 0, 1, -1, -1]
    assert heads.dtype == labels.dtype == np.int32
