"""All trees of a few words, one by one."""

import itertools


def is_tree(heads: tuple[int, ...]) -> bool:
    for node in range(1, len(heads)):
        steps = 0
        while node and steps < len(heads):
            node, steps = heads[node], steps + 1
        if node:
            return False
    return True


def crosses(heads: tuple[int, ...]) -> bool:
    """Whether two arcs cross, those from the root at the left end included."""
    arcs = [sorted((h, m)) for m, h in enumerate(heads) if m]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def all_trees(words: int, single_root: bool) -> list[tuple[int, ...]]:
    choices = [[h for h in range(words + 1) if h != m] for m in range(1, words + 1)]
    heads = ((-1, *rest) for rest in itertools.product(*choices))
    return [h for h in heads if is_tree(h) and not (single_root and h.count(0) > 1)]


TREES = {(n, single): all_trees(n, single) for n in range(6) for single in (True, False)}
