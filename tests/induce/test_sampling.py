"""Sentences drawn from grammars."""

import numpy as np
import pytest
from tests.induce.reference import is_projective_tree

from treaty.errors import UsageError
from treaty.induce import Corpus, Counts, Grammar


def test_samples_follow_their_grammar() -> None:
    grammar = Grammar.example()
    corpus = Corpus.sample(grammar, 3000, seed=1)
    again = Grammar.estimate(corpus.count(corpus.heads), corpus.tags)
    assert np.exp(again.root) == pytest.approx(np.exp(grammar.root), abs=0.03)
    assert np.exp(again.decision[2]) == pytest.approx(np.exp(grammar.decision[2]), abs=0.05)
    assert np.exp(again.child[2]) == pytest.approx(np.exp(grammar.child[2]), abs=0.05)
    assert np.array_equal(corpus.tokens, Corpus.sample(grammar, 3000, seed=1).tokens)
    endless = Grammar.estimate(
        Counts(np.ones(1), np.ones((1, 2, 1)), np.eye(2)[[1, 1, 1, 1]].reshape(1, 2, 2, 2)), "A"
    )
    with pytest.raises(UsageError, match="stops more often"):
        Corpus.sample(endless, 1, max_length=5)


def test_samples_are_projective_trees_of_the_length_allowed() -> None:
    corpus = Corpus.sample(Grammar.random("ANV", seed=2), 100, seed=3, max_length=6)
    assert max(map(len, corpus)) <= 6
    assert all(is_projective_tree(tree.tolist()) for tree in corpus.trees(corpus.heads))
