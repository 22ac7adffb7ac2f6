"""Which arcs of a tree are not projective."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["nonprojective_words"]


def nonprojective_words(heads: Sequence[int]) -> set[int]:
    """Find the words whose arc from their head is not projective.

    An arc is not projective when some word between its ends is no descendant of the head. Arcs
    from the root are projective.

    Parameters
    ----------
    heads
        The head of each word: its place counted from 1, 0 for the root, -1 for none. They need
        not form a tree.

    Returns
    -------
    set of int
        The words at the lower ends of the arcs, counted from 1.

    Examples
    --------
    "A hearing is scheduled on the issue today": *on the issue* belongs to *hearing*.

    >>> nonprojective_words([2, 4, 4, 0, 7, 7, 2, 4])
    {7}
    """
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads, 1):
        if head > 0:
            dependents[head].append(word)
    found = set()
    for head, words in enumerate(dependents):
        far = [word for word in words if abs(word - head) > 1]
        if far:
            below = _descendants(head, dependents)
            found |= {word for word in far if not below.issuperset(_between(head, word))}
    return found


def _descendants(head: int, dependents: list[list[int]]) -> set[int]:
    below, frontier = {head}, [head]
    while frontier:
        new = [word for word in dependents[frontier.pop()] if word not in below]
        below.update(new)
        frontier += new
    return below


def _between(one: int, other: int) -> range:
    return range(min(one, other) + 1, max(one, other))
