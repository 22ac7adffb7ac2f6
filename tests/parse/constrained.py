"""Small parsers of every order, a short sentence, and the trees of its graph."""

from __future__ import annotations

import math
import re

import numpy as np
from tests.parse.enumeration import TREES
from tests.parse.parts_reference import is_on
from tests.parse.treebank import small, treebank

from treaty.parse import ORDERS, Constraint, Parser
from treaty.text import Sentence, Token

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


NAMES = (
    r"(?P<h>\d+)~>(?P<k>\d+)",
    r"(?P<h>\d+)->(?P<m>\d+) to (?P<k>\d+)",
    r"(?P<h>\d+)->(?P<m>\d+) projective",
)


def says(tree, name):
    """What a tree says of a variable that is no arc, by its name."""
    for meaning, pattern in enumerate(NAMES):
        if match := re.fullmatch(pattern, name):
            nodes = {"m": -1, "k": -1, **match.groupdict()}
            return is_on(tree, meaning, *(int(nodes[node]) for node in "hmk"))
    return name == "constant"


def trees(found, single_root=True):
    """All trees of the candidate arcs, each with the values of the graph's variables."""
    for tree in TREES[len(found.sentence), single_root]:
        on = {(head, m) for m, head in enumerate(tree) if m}
        if on <= set(found.arcs):
            rest = [says(tree, variable.name) for variable in list(found.graph)[len(found.arcs) :]]
            yield tree, np.array([arc in on for arc in found.arcs] + rest, np.int8)


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
