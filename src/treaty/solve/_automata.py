"""Head automata in the linear relaxation: paths from START to END, as flows of one unit.

A configuration is a path through the modifiers that are on. Flows through a graph without cycles
have integral vertices (Ford & Fulkerson 1956), so the rows describe the hull of a factor's
configurations exactly; column generation is not needed.
"""

from __future__ import annotations

import itertools

import numpy as np

from treaty.solve._rows import Rows
from treaty.solve._view import Doubles, GraphView, Ints

__all__ = ["add_head_automata", "add_tri_sibling_automata"]

Terms = tuple[Ints, Ints]
"""Rows, and the literals summed in each."""


def add_head_automata(rows: Rows, view: GraphView, factors: Ints) -> None:
    """Add the rows of head automata."""
    for factor in factors.tolist():
        literals, data = view.literals_of(factor), view.data_of(factor)
        _add_head_automaton(rows, literals, data, view.shape_of(factor))


def add_tri_sibling_automata(rows: Rows, view: GraphView, factors: Ints) -> None:
    """Add the rows of tri-sibling automata."""
    for factor in factors.tolist():
        _add_tri_sibling_automaton(rows, view.literals_of(factor), view.data_of(factor))


def _add_balance(rows: Rows, left: Terms, right: Terms, count: int) -> None:
    """Ask in `count` rows that two sums of literals are equal."""
    sign = np.repeat([1.0, -1.0], [len(left[0]), len(right[0])])
    row, literal = (np.concatenate(both) for both in zip(left, right, strict=True))
    rows.add(row, literal, sign, np.zeros(count), 0.0)


def _add_head_automaton(rows: Rows, literals: Ints, data: Doubles, shape: Ints) -> None:
    """Add a column for every grandparent and step from one modifier to the next.

    The paths of a grandparent carry as much as its arc; those without grandparents carry one.
    """
    grandparents, modifiers, has_grand_siblings = shape.tolist()
    incoming, outgoing = np.split(literals, [grandparents])
    a, b = np.triu_indices(modifiers + 2, 1)
    grandparent, sibling, grand_sibling = np.split(
        data, np.cumsum([grandparents * modifiers, len(a)])
    )
    score = np.tile(sibling, (max(grandparents, 1), 1))
    if has_grand_siblings:
        score += grand_sibling.reshape(score.shape)
    if grandparents:
        to_modifier = b <= modifiers
        arc = grandparent.reshape(grandparents, modifiers)
        score[:, to_modifier] += arc[:, b[to_modifier] - 1]

    lane, pair = np.nonzero(score > -np.inf)
    step = rows.fresh(score[lane, pair])
    left, right = a[pair] - 1, b[pair] - 1  # modifiers; -1 is START
    start, into, out = left < 0, right < modifiers, left >= 0
    arriving = lane[into] * modifiers + right[into], step[into]
    leaving = lane[out] * modifiers + left[out], step[out]
    _add_balance(rows, arriving, leaving, len(score) * modifiers)
    _add_balance(rows, (right[into], step[into]), (np.arange(modifiers), outgoing), modifiers)
    if grandparents:
        arcs = np.arange(grandparents), incoming
        _add_balance(rows, (lane[start], step[start]), arcs, grandparents)
    one = incoming if grandparents else step[start]
    rows.add(np.zeros(len(one), dtype=int), one, 1.0, np.ones(1), 1.0)


def _add_tri_sibling_automaton(rows: Rows, literals: Ints, data: Doubles) -> None:
    """Add a column for every step from two neighbors to the next two.

    At most one step leaves START; without any there is no modifier.
    """
    end = len(literals) + 1
    triples = np.array(list(itertools.combinations(range(end + 1), 3)), np.intp).reshape(-1, 3)
    a, b, c = triples[data > -np.inf].T
    step = rows.fresh(data[data > -np.inf])
    into, out = c < end, a > 0
    arriving = b[into] * end + c[into], step[into]  # a row for every two neighbors
    leaving = a[out] * end + b[out], step[out]
    _add_balance(rows, arriving, leaving, end * end)
    _add_balance(rows, (b - 1, step), (np.arange(len(literals)), literals), len(literals))
    first = step[a == 0]
    rows.add(np.zeros(len(first), dtype=int), first, 1.0, np.zeros(1), 1.0)
