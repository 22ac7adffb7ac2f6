"""Directed and undirected accuracy of unlabeled trees, for grammar induction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.metrics._counts import Accuracy
from treaty.metrics._pairs import pairs

if TYPE_CHECKING:
    from treaty.text import Sentence

__all__ = ["DependencyAccuracy", "dependency_accuracy"]


@dataclass(frozen=True, slots=True)
class DependencyAccuracy:
    """Accuracy of arcs (Klein & Manning 2004).

    Parameters
    ----------
    directed
        Words with the right head.
    undirected
        Words whose arc is in the gold tree in either direction; the arc from the root has only one.
    """

    directed: Accuracy
    undirected: Accuracy


def dependency_accuracy(gold: Iterable[Sentence], system: Iterable[Sentence]) -> DependencyAccuracy:
    """Score unlabeled trees.

    Parameters
    ----------
    gold, system
        The same sentences, with the gold trees and with those to score.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> words = Sentence.from_words(["big", "cats", "sleep"])
    >>> found = dependency_accuracy([words.with_tree([2, 3, 0])], [words.with_tree([0, 1, 2])])
    >>> found.directed.value, round(found.undirected.value, 3)
    (0.0, 0.667)
    """
    directed = undirected = total = 0
    for _, ours, theirs in pairs(gold, system):
        right = ours.heads
        for word, head in enumerate(theirs.heads, 1):
            total += 1
            same = right[word - 1] == head
            directed += same
            undirected += same or (0 < head <= len(right) and right[head - 1] == word)
    return DependencyAccuracy(Accuracy(directed, total), Accuracy(undirected, total))
