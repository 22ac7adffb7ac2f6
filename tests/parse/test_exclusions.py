"""Labels that exclude each other, against enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parse.treebank import small, treebank

from treaty._native import parse as native
from treaty.errors import ModelError
from treaty.parse import Parser
from treaty.parse._exclusions import exclusions_of
from treaty.text import Sentence

SENTENCES = treebank(12, seed=7)


@pytest.fixture(scope="module", name="parser")
def _parser() -> Parser:
    parser = Parser.train(treebank(20), **small(order="first"))
    nothing = np.zeros(0, np.uint64), np.zeros(0, np.int32)
    parser.label_model.seen = nothing  # any label between any words
    return parser


def choices(parser: Parser, sentence: Sentence, tree: list[int]) -> list[dict[int, float]]:
    """Return the labels that each word may have in a tree, with their scores."""
    heads = np.array([-1, *tree], np.int32)
    found = []
    for modifier, head in enumerate(tree, 1):
        labels, scores = native.label_scores(
            parser.label_model, parser.sequences([sentence]), 0, heads, head, modifier
        )
        found.append(dict(zip(labels.tolist(), scores.tolist(), strict=True)))
    return found


def best_sum(options: list[dict[int, float]], excluded: set[tuple[int, int]]) -> float:
    """Try all labels of the dependents of a head; return -inf if all exclude each other."""
    best = -np.inf
    for labels in product(*options):
        pairs = ((a, b) for i, a in enumerate(labels) for b in labels[:i])
        if not any((min(p), max(p)) in excluded for p in pairs):
            best = max(best, sum(o[label] for o, label in zip(options, labels, strict=True)))
    return best


@given(data=st.data())
def test_labels_of_siblings_are_the_best_that_do_not_exclude_each_other(parser, data):
    n = len(parser.labels)
    pairs = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).map(lambda p: (min(p), max(p)))
    excluded = data.draw(st.sets(pairs, max_size=12))
    sentence = data.draw(st.sampled_from(SENTENCES))
    first, second = np.array(sorted(excluded), np.int32).reshape(-1, 2).T
    before = parser.label_model.exclusions
    parser.label_model.exclusions = np.ascontiguousarray(first), np.ascontiguousarray(second)
    try:
        (parse,) = parser.predict([sentence])
    finally:
        parser.label_model.exclusions = before
    heads, options = parse.sentence.heads, choices(parser, sentence, parse.sentence.heads)
    chosen = [parser.labels.index(token.deprel) for token in parse.sentence.tokens]
    for head in set(heads):
        below = [i for i, h in enumerate(heads) if h == head]
        total = sum(options[i][chosen[i]] for i in below)
        best = best_sum([options[i] for i in below], excluded)
        free = sum(max(options[i].values()) for i in below)
        assert total == pytest.approx(free if best == -np.inf else best)


def test_a_head_has_one_subject_if_all_heads_of_the_treebank_have(parser):
    one = Sentence.from_words(["a", "b", "c"]).with_tree([2, 0, 2], ["nsubj", "root", "obj"])
    other = Sentence.from_words(["a", "b", "c"]).with_tree([2, 0, 2], ["nsubj:pass", "root", "obj"])
    labels = ["nsubj", "nsubj:pass", "obj", "root"]
    pairs = np.array(exclusions_of([one] * 40 + [other] * 40, labels)).T.tolist()
    assert pairs == [[0, 0], [0, 1], [1, 1], [2, 2]]
    two = Sentence.from_words(["a", "b", "c"]).with_tree([2, 0, 2], ["nsubj", "root", "nsubj"])
    pairs = np.array(exclusions_of([one] * 40 + [two] * 40, labels)).T.tolist()
    assert pairs == [[2, 2]]
    assert np.array(exclusions_of([], labels)).size == 0


def test_exclusions_are_stored(parser):
    numbers = np.array([0], np.int32), np.array([1], np.int32)
    before, parser.label_model.exclusions = parser.label_model.exclusions, numbers
    try:
        file = parser.to_file()
    finally:
        parser.label_model.exclusions = before
    loaded = Parser.from_file(file)
    assert [pair.tolist() for pair in loaded.label_model.exclusions] == [[0], [1]]
    file.tensors["labels.exclusions.second"] = np.array([len(parser.labels)], np.int32)
    with pytest.raises(ModelError, match="a label that is not there"):
        Parser.from_file(file)
