"""Small parsers of every order, a short sentence, and the trees of its graph."""

from __future__ import annotations

import math

import numpy as np
from tests.parse.enumeration import TREES
from tests.parse.treebank import small, treebank

from treaty.corpus import Sentence, Token
from treaty.parse import ORDERS, Constraint, Parser

BANK = treebank(12)
PARSERS = {order: Parser.train(BANK, **small(order=order)) for order in ORDERS}
SHORT = Sentence(
    [
        Token("The", upos="DET", xpos="DT"),
        Token("cat", upos="NOUN", xpos="NN", feats="Number=Sing"),
        Token("sees", upos="VERB", xpos="VBZ"),
        Token("birds", upos="NOUN", xpos="NN"),
    ]
)


def trees(found, single_root=True):
    """All trees of the candidate arcs, each with the values of the graph's variables."""
    for tree in TREES[len(found.sentence), single_root]:
        on = {(head, m) for m, head in enumerate(tree) if m}
        if on <= set(found.arcs):
            values = np.array([arc in on for arc in found.arcs] + [True], np.int8)
            yield tree, values


def best_of(found, objective, allowed=lambda tree: True):
    free = found.graph.copy()
    for variable in list(free)[:-1]:
        free.free(variable)
    scored = [(objective(free, values), tree) for tree, values in trees(found) if allowed(tree)]
    return max(scored, default=(-math.inf, ()))


class Every(Constraint):
    """All arcs are candidates."""

    def arcs(self, sentence):
        words = range(1, len(sentence) + 1)
        return [(h, m) for m in words for h in range(len(sentence) + 1) if h != m]
