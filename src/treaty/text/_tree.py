"""Checks that heads form a tree, and which of its arcs are projective."""

from __future__ import annotations

from collections.abc import Sequence

from treaty.errors import InputError
from treaty.text._lines import Fault
from treaty.text._sentence import Sentence

__all__ = ["check_tree", "is_projective", "nonprojective_arcs"]


def check_tree(sentence: Sentence, *, single_root: bool = False) -> None:
    """Check that the heads of a sentence form a tree below the root 0.

    Parameters
    ----------
    sentence
        The sentence to check.
    single_root
        Whether to reject several tokens with the head 0.

    Raises
    ------
    InputError
        With the token at fault: a missing or out-of-range head, no root, a cycle.

    Examples
    --------
    >>> check_tree(Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0]))
    >>> check_tree(Sentence.from_words(["Cats", "sleep"]).with_tree([2, 1]))
    Traceback (most recent call last):
    treaty.errors.InputError: token 1: no token has the head 0; a tree needs a root
    (found 'Cats')
    """
    try:
        require_tree(sentence, single_root=single_root)
    except Fault as fault:
        message = f"token {fault.token}: {fault.message}" if fault.token else fault.message
        raise InputError(message, text=fault.text) from None


def require_tree(sentence: Sentence, *, single_root: bool = False) -> None:
    """Raise `Fault`, with the token, if the heads do not form a tree."""
    heads = sentence.heads
    if heads:
        fault = _fault_of(heads, single_root)
        if fault is not None:
            token, message = fault
            raise Fault(message, sentence.tokens[token - 1].form, token=token)


def _fault_of(heads: Sequence[int], single_root: bool) -> tuple[int, str] | None:
    """Find the id of a token at fault and the cause."""
    size = len(heads)
    for token, head in enumerate(heads, 1):
        if head < 0:
            return token, "has no head; a tree requires a head for every token"
        if head > size:
            return token, f"its head {head} is not in the sentence, whose last id is {size}"
    roots = [token for token, head in enumerate(heads, 1) if head == 0]
    if not roots:
        return 1, "no token has the head 0; a tree needs a root"
    if single_root and len(roots) > 1:
        return roots[1], f"a second root in addition to token {roots[0]}; expected a single root"
    cycle = _cycle(heads)
    if cycle:
        path = " → ".join(map(str, cycle[:5])) + (" → …" if len(cycle) > 5 else f" → {cycle[0]}")
        return min(cycle), f"its heads form a cycle, {path}; expected a tree"
    return None


def _cycle(heads: Sequence[int]) -> list[int]:
    """Find a cycle by following heads from every token to a visited one."""
    walk_of = [0] * (len(heads) + 1)
    walk_of[0] = -1
    for start in range(1, len(heads) + 1):
        token = start
        while not walk_of[token]:
            walk_of[token] = start
            token = heads[token - 1]
        if walk_of[token] == start:
            cycle = [token]
            while (head := heads[cycle[-1] - 1]) != token:
                cycle.append(head)
            return cycle
    return []


def nonprojective_arcs(heads: Sequence[int]) -> list[int]:
    """List the tokens whose arc is not projective.

    An arc is projective if every word between head and dependent descends from the head. Arcs
    from the root 0 always count as projective.

    Parameters
    ----------
    heads
        The heads of a tree: ids from 1, 0 for the root.

    Returns
    -------
    list of int
        Ids of dependents.

    Examples
    --------
    >>> nonprojective_arcs([3, 4, 0, 3])
    [2]
    """
    first, last = _intervals(heads)
    return [
        token
        for token, head in enumerate(heads, 1)
        if head > 0
        and not all(
            first[head] <= first[word] <= last[head]
            for word in range(min(token, head) + 1, max(token, head))
        )
    ]


def is_projective(heads: Sequence[int]) -> bool:
    """Return whether all arcs of a tree are projective.

    Examples
    --------
    >>> is_projective([2, 0, 2]), is_projective([3, 4, 0, 3])
    (True, False)
    """
    return not nonprojective_arcs(heads)


def _intervals(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """Assign numbers to nodes such that the descendants of each node form an interval."""
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for token, head in enumerate(heads, 1):
        children[head].append(token)
    first, size = [0] * len(children), [1] * len(children)
    order: list[int] = []
    stack = [0]
    while stack:
        node = stack.pop()
        first[node] = len(order)
        order.append(node)
        stack += children[node]
    for node in reversed(order[1:]):
        size[heads[node - 1]] += size[node]
    return first, [begin + count - 1 for begin, count in zip(first, size, strict=True)]
