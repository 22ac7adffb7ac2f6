"""Two factor graphs of one model: a few large factors, or many small ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treaty.graph import FactorGraph, Variable
from treaty.papers.decompositions._logic import (
    add_automaton,
    add_grandparents,
    add_heads,
    add_multi_commodity_flow,
)

if TYPE_CHECKING:
    from treaty.papers.decompositions._model import SiblingModel
    from treaty.solve import Solution

__all__ = ["ArcGraph", "small_components", "tree_and_automata"]


@dataclass(frozen=True)
class ArcGraph:
    """A factor graph over the arcs of a sentence."""

    graph: FactorGraph
    arcs: dict[tuple[int, int], Variable]
    """The variable of each arc (head, modifier)."""

    def heads(self, solution: Solution) -> list[int]:
        """Read the head of every node from a solution; -1 for the root."""
        heads = [-1] * (max((m for _, m in self.arcs), default=0) + 1)
        for (head, modifier), variable in self.arcs.items():
            if solution[variable]:
                heads[modifier] = head
        return heads


def tree_and_automata(model: SiblingModel) -> ArcGraph:
    """Decompose a model into a tree and head automata (Koo et al. 2010).

    Every head has two automata, one for each side, which also score its grandparents. Without
    grandparent scores, the relaxation is the polytope Z̄ of Martins et al. (2011, eq. 43).

    Parameters
    ----------
    model
        The scores.

    Returns
    -------
    ArcGraph
        The factor graph and its arcs.

    Examples
    --------
    >>> from treaty.papers.decompositions import SiblingModel, tree_and_automata
    >>> problem = tree_and_automata(SiblingModel([[0, 1, 0], [0, 0, 2], [0, 0, 0]]))
    >>> problem.heads(problem.graph.solve())
    [-1, 0, 1]
    """
    graph, arcs = _arc_variables(model)
    nodes = model.words + 1
    graph.arborescence(arcs, arcs.values(), nodes, single_root=model.single_root)
    for side in model.sides():
        modifiers = [arcs[side.head, m] for m in side.modifiers]
        siblings = np.pad(
            side.siblings, ((0, 1), (1, 0))
        )  # START has no predecessor, END no successor
        if side.modifiers and side.grandparent_scores.any():
            above = [arcs[g, side.head] for g in side.grandparents]
            graph.head_automaton(modifiers, siblings, above, side.grandparent_scores)
        else:
            graph.head_automaton(modifiers, siblings)
    return ArcGraph(graph, arcs)


def small_components(model: SiblingModel) -> ArcGraph:
    """Decompose a model into many small logic factors (Martins et al. 2011).

    The tree is a multi-commodity flow of XOR, XOR-WITH-OUTPUT and implication factors, each head
    automaton a chain of XOR and XOR-WITH-OUTPUT factors, and grandparents are pairs. Without
    grandparents the relaxation is the same as that of `tree_and_automata`.

    Parameters
    ----------
    model
        The scores.

    Returns
    -------
    ArcGraph
        The factor graph and its arcs; the graph has other variables too.

    Examples
    --------
    >>> from treaty.papers.decompositions import SiblingModel, small_components
    >>> problem = small_components(SiblingModel([[0, 1, 0], [0, 0, 2], [0, 0, 0]]))
    >>> problem.heads(problem.graph.solve())
    [-1, 0, 1]
    """
    graph, arcs = _arc_variables(model)
    add_heads(graph, model, arcs)
    add_multi_commodity_flow(graph, model, arcs)
    for side in model.sides():
        add_automaton(graph, side, arcs)
        add_grandparents(graph, side, arcs)
    return ArcGraph(graph, arcs)


def _arc_variables(model: SiblingModel) -> tuple[FactorGraph, dict[tuple[int, int], Variable]]:
    graph = FactorGraph()
    return graph, {
        (h, m): graph.variable(float(model.arcs[h, m]), name=f"{h}->{m}")
        for h, m in model.candidates
    }
