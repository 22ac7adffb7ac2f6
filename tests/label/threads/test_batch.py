"""Threads as instances: gold labels, and links read back."""

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.label.threads._batch import Batch
from treaty.label.threads._models import families_of, kinds_of
from treaty.label.threads._words import WordCounts
from treaty.text import Link, Post, Thread

FAMILIES = families_of("2d")
COUNTS = WordCounts.of([["any", "sheep"], ["no", "sheep"]])


def batch(threads, window=4, pieces=None):
    return Batch(threads, COUNTS, FAMILIES, kinds_of(FAMILIES), window, pieces=pieces)


def test_gold_labels_are_the_links_and_come_back():
    threads = toy_threads(5, seed=3)
    made = batch(threads)
    gold = made.gold()
    assert len(gold) == len(made.grid.source)
    found = [{(source, target) for _, source, target in links} for links in made.links(gold)]
    assert found == [
        {(link.source, link.target) for link in thread.links if link.source - link.target <= 4}
        for thread in threads
    ]
    assert made.links(np.zeros_like(gold)) == [[] for _ in threads]


def test_every_piece_is_an_instance_with_a_vertex_for_every_pair():
    made = batch(toy_threads(4, seed=1), window=3)
    assert len(made.instances) == len(made.pieces) == 4
    assert len(made.grid.source) == made.grid.begin[-1]
    for family, (pairs, features) in zip(FAMILIES, made.factors, strict=True):
        assert pairs.shape == (len(features), 1 + len(family.directions))
        assert features.shape[1] == len(family.templates)


def test_some_pieces_are_as_they_are_among_all():
    threads = toy_threads(4, seed=2)
    whole = batch(threads)
    part = Batch(threads, COUNTS, FAMILIES, kinds_of(FAMILIES), 4, pieces=whole.pieces[1:2])
    own = slice(*whole.grid.begin[1:3])
    assert np.array_equal(part.gold(), whole.gold()[own])
    assert part.links(part.gold())[1] and not part.links(part.gold())[0]


@pytest.mark.parametrize("threads", [[], [Thread([])], [Thread([Post("a")])]])
def test_without_pairs_there_is_nothing_to_label(threads):
    made = batch(threads)
    assert made.gold().tolist() == []
    assert made.links(made.gold()) == [[] for _ in threads]


def test_links_beyond_the_window_have_no_pair():
    thread = Thread([Post("a", "x"), Post("b", "y"), Post("c", "z")], [Link(2, 0), Link(2, 1)])
    assert batch([thread], window=1).gold().tolist() == [0, 1]
    assert batch([thread], window=2).gold().sum() == 2
