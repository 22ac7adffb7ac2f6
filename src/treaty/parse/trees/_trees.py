"""Trees from dense scores of arcs: best tree, best projective tree, and marginals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.errors import UsageError

__all__ = ["best_tree", "projective_tree", "tree_marginals"]

Floats = npt.NDArray[np.float64]
Heads = npt.NDArray[np.int32]


def tree_marginals(scores: npt.ArrayLike, *, single_root: bool = True) -> tuple[Floats, float]:
    """Compute the marginal probability of every arc.

    A tree's probability is proportional to the exponential of the sum of its arcs' scores. The
    sums over trees are exact, by the matrix-tree theorem, and stable for any scores.

    Parameters
    ----------
    scores
        A row for each head and a column for each modifier; node 0 is the root, words are numbered
        from 1. ``-inf`` forbids an arc. The diagonal and the root's column are ignored.
    single_root
        Whether exactly one word is attached to the root.

    Returns
    -------
    marginals
        A matrix like `scores`; the column of each word sums to 1. All 0 if there is no tree.
    log_partition
        The logarithm of the sum over all trees; ``-inf`` if there is none.

    Examples
    --------
    >>> from treaty.parse import tree_marginals
    >>> marginals, log_partition = tree_marginals([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    >>> marginals.round(3)
    array([[0.   , 0.953, 0.047],
           [0.   , 0.   , 0.953],
           [0.   , 0.047, 0.   ]])
    """
    marginals, log_partition = native.tree_marginals(checked(scores), bool(single_root))
    return marginals, log_partition


def best_tree(scores: npt.ArrayLike, *, single_root: bool = True) -> tuple[Heads, float]:
    """Find the tree with the highest sum of scores, projective or not (Chu-Liu-Edmonds).

    Parameters
    ----------
    scores, single_root
        As in `tree_marginals`.

    Returns
    -------
    heads
        The head of every node; -1 for the root, and for all nodes if there is no tree.
    score
        The score of the tree; ``-inf`` if there is none.

    Examples
    --------
    >>> from treaty.parse import best_tree
    >>> best_tree([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    (array([-1,  0,  1], dtype=int32), 3.0)
    """
    heads, score = native.best_tree(checked(scores), bool(single_root))
    return heads, score


def projective_tree(scores: npt.ArrayLike, *, single_root: bool = True) -> tuple[Heads, float]:
    """Find the best projective tree, without crossing arcs (Eisner's algorithm).

    Parameters
    ----------
    scores, single_root
        As in `tree_marginals`.

    Returns
    -------
    heads, score
        As in `best_tree`.

    Examples
    --------
    >>> from treaty.parse import projective_tree
    >>> projective_tree([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    (array([-1,  0,  1], dtype=int32), 3.0)
    """
    heads, score = native.projective_tree(checked(scores), bool(single_root))
    return heads, score


def checked(scores: npt.ArrayLike) -> Floats:
    """Return a valid square matrix of scores, or raise `UsageError`."""
    try:
        matrix = np.ascontiguousarray(scores, np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"scores of arcs: expected numbers ({error})") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise UsageError(
            "scores of arcs: expected a row and a column for the root and for each word, "
            f"got an array of shape {matrix.shape}"
        )
    wrong = ~(np.isneginf(matrix) | (np.abs(matrix) <= 1e100))
    wrong[:, 0] = False
    np.fill_diagonal(wrong, False)
    if wrong.any():
        head, modifier = np.argwhere(wrong)[0]
        raise UsageError(
            f"scores of arcs: expected numbers between -1e100 and 1e100, or -inf to forbid an arc; "
            f"got {matrix[head, modifier]} for head {head} and modifier {modifier}"
        )
    return matrix
