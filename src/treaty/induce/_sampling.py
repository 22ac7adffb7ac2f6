"""Sentences drawn from a grammar."""

from __future__ import annotations

import numpy as np

from treaty.errors import UsageError
from treaty.induce._features import FIRST, LATER, LEFT, RIGHT, STOP
from treaty.induce._grammar import Grammar

__all__ = ["sample_sentence"]

TRIES = 1000
LONGEST = 1000
"""Number of tokens after which a sentence counts as infinite."""


def sample_sentence(
    grammar: Grammar, rng: np.random.Generator, longest: int | None = None
) -> tuple[list[int], list[int]]:
    """Draw tags and heads; sentences that are too long are drawn again.

    Examples
    --------
    >>> sample_sentence(Grammar.random(["N"], seed=1), np.random.default_rng(0), 1)
    ([0], [0])
    """
    for _ in range(TRIES):
        tree = _draw(grammar, rng, LONGEST if longest is None else longest)
        if tree is not None:
            return _flatten(tree)
    raise UsageError(
        f"no sentence of at most {longest or LONGEST} tokens in {TRIES} draws: "
        "choose a grammar that stops more often"
    )


class _Node:
    """A token and its children on the left and on the right, from near to far."""

    def __init__(self, tag: int) -> None:
        self.tag = tag
        self.children: tuple[list[_Node], list[_Node]] = ([], [])


def _draw(grammar: Grammar, rng: np.random.Generator, longest: int) -> _Node | None:
    def choose(logs: np.ndarray) -> int:
        return int(
            np.searchsorted(np.cumsum(np.exp(logs)), rng.random() * np.exp(logs).sum(), "right")
        )

    root = _Node(choose(grammar.root))
    size, agenda = 1, [root]
    while agenda:
        node = agenda.pop()
        for direction in (LEFT, RIGHT):
            children = node.children[direction]
            while (
                choose(grammar.decision[node.tag, direction, LATER if children else FIRST]) != STOP
            ):
                children.append(_Node(choose(grammar.child[node.tag, direction])))
                size += 1
                if size > longest:
                    return None
            agenda += children
    return root


def _flatten(root: _Node) -> tuple[list[int], list[int]]:
    order: list[_Node] = []
    agenda: list[tuple[_Node, bool]] = [(root, False)]
    while agenda:  # left children from far to near, the node, right children from near to far
        node, opened = agenda.pop()
        if opened:
            order.append(node)
            continue
        left, right = node.children
        agenda += [(child, False) for child in reversed(right)]
        agenda.append((node, True))
        agenda += [(child, False) for child in left]
    place = {id(node): i for i, node in enumerate(order, 1)}
    heads = [0] * len(order)
    for node in order:
        for child in (*node.children[0], *node.children[1]):
            heads[place[id(child)] - 1] = place[id(node)]
    return [node.tag for node in order], heads
