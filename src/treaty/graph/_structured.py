"""Structured factors: tables, sequences, trees, and a user's own."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor, ascending, floats, integer, sequence_scores, state_codes
from treaty.graph._variables import Categorical, Literal

__all__ = ["StructuredFactors"]


class StructuredFactors(Base):
    """Factors with an oracle: something that finds their best configuration."""

    def table(self, variables: Iterable[Categorical | Literal], scores: npt.ArrayLike) -> Factor:
        """Score every joint state of some variables; ``-inf`` forbids one.

        Parameters
        ----------
        variables
            Categorical variables; a binary literal x counts as one with the states (~x, x).
        scores
            One axis per variable.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> weather, hat = graph.categorical([0.1, 0.5, 0.2]), graph.variable(-0.1)
        >>> graph.table([weather, hat], [[0, 1], [0, 0], [0, -1]]).scores.shape
        (3, 2)
        """
        codes, cardinalities = state_codes(self._self, variables)
        cells = floats("table: scores", scores, tuple(cardinalities)).ravel()
        return self._add(Kind.table, codes, cells, np.array(cardinalities, np.int32))

    def sequence(
        self,
        variables: Iterable[Categorical | Literal],
        edges: npt.ArrayLike | Sequence[npt.ArrayLike],
        start: npt.ArrayLike | None = None,
        stop: npt.ArrayLike | None = None,
    ) -> Factor:
        """Score neighboring states along a chain of variables (a Markov chain).

        Parameters
        ----------
        variables
            The chain, as in `table`.
        edges
            A table of scores for each neighboring pair, or a single one for all.
        start, stop
            Scores for the first and for the last variable's states.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> tags = [graph.categorical([0.3, 0.1]) for _ in range(4)]
        >>> graph.sequence(tags, [[0.5, -0.5], [-0.5, 0.5]]).shape
        array([2, 2, 2, 2], dtype=int32)
        """
        codes, cardinalities = state_codes(self._self, variables)
        scores = sequence_scores(cardinalities, edges, start, stop)
        return self._add(Kind.sequence, codes, scores, np.array(cardinalities, np.int32))

    def compression_tree(
        self,
        literals: Iterable[Literal],
        parents: Iterable[int | None],
        cut_scores: npt.ArrayLike | None = None,
        root_needs_child: bool = False,
    ) -> Factor:
        """Let a literal be on only if its parent is: what is left of a tree after cutting.

        Parameters
        ----------
        literals
            The nodes.
        parents
            For each node the position of its parent in `literals`; None or -1 for a root.
        cut_scores
            Counted for each node that is off while its parent is on (a root: while it is off).
        root_needs_child
            Whether a root that is on must have a child that is on.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> words = graph.variables([0.1, 0.4, -0.2])
        >>> graph.compression_tree(words, parents=[None, 0, 0], cut_scores=[0, 0, 0.3])
        <Factor 0: compression_tree(x0, x1, x2)>
        """
        codes = self._codes((literals,))
        shape = [-1 if p is None else integer("compression_tree: parent", p, -1) for p in parents]
        shape.append(int(root_needs_child))
        scores = np.zeros(len(codes)) if cut_scores is None else cut_scores
        data = floats("compression_tree: cut scores", scores, (len(codes),))
        return self._add(Kind.compression_tree, codes, data, np.array(shape, np.int32))

    def arborescence(
        self,
        arcs: Iterable[tuple[int, int]],
        literals: Iterable[Literal],
        nodes: int | None = None,
        single_root: bool = False,
    ) -> Factor:
        """Let the arcs that are on form a tree that spans all nodes from node 0, the root.

        Parameters
        ----------
        arcs
            Candidates as (head, modifier) pairs.
        literals
            For each arc the literal that says whether it is in the tree.
        nodes
            How many nodes there are, with the root; by default as many as the arcs name.
        single_root
            Whether exactly one arc may leave the root.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> arcs = [(0, 1), (0, 2), (1, 2), (2, 1)]
        >>> graph.arborescence(arcs, graph.variables([0.3, 0.5, 0.2, 0.4]))
        <Factor 0: arborescence(x0, x1, x2, x3)>
        """
        try:
            ends = [
                integer("arborescence: node", end)
                for head, modifier in arcs
                for end in (head, modifier)
            ]
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"arborescence: an arc is a (head, modifier) pair ({error})"
            ) from error
        count = max(ends, default=0) + 1 if nodes is None else integer("arborescence: nodes", nodes)
        shape = np.array([count, int(single_root), *ends], np.int32)
        return self._add(Kind.arborescence, self._codes((literals,)), shape=shape)

    def head_automaton(
        self,
        modifiers: Iterable[Literal],
        siblings: npt.ArrayLike,
        grandparents: Iterable[Literal] = (),
        grandparent_scores: npt.ArrayLike | None = None,
        grand_siblings: npt.ArrayLike | None = None,
    ) -> Factor:
        """Score the modifiers of a head on one side by those next to them, and by its own head.

        Parameters
        ----------
        modifiers
            M arcs from the head, from the nearest modifier to the farthest; any of them may be on.
        siblings
            A score for every two modifiers a < b that are on with none between them, where 0 is
            START, 1 to M are the modifiers and M + 1 is END: an array of shape (M + 2, M + 2) of
            which the cells above the diagonal count, or these cells in one row. ``-inf`` forbids.
        grandparents
            G arcs to the head. If there are any, exactly one is on.
        grandparent_scores
            For each grandparent and modifier that are on, shape (G, M).
        grand_siblings
            For each grandparent what `siblings` says for all, shape (G, M + 2, M + 2) or a row of
            cells for each.

        Examples
        --------
        >>> import numpy as np
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> left = graph.variables([0.4, 0.1])
        >>> graph.head_automaton(left, siblings=np.eye(4, k=1))
        <Factor 0: head_automaton(x0, x1)>
        >>> incoming, right = graph.variables([0.2, 0.3]), graph.variables([0.5])
        >>> graph.head_automaton(right, [0, 1, 0], incoming, [[0.5], [-0.5]]).shape
        array([2, 1, 0], dtype=int32)
        """
        above, below = self._codes((grandparents,)), self._codes((modifiers,))
        g, m = len(above), len(below)
        if not g and not (grandparent_scores is None and grand_siblings is None):
            raise UsageError("head_automaton: scores of grandparents, but no grandparents")
        if grandparent_scores is None:
            grandparent_scores = np.zeros((g, m))
        data = [
            floats("head_automaton: grandparent scores", grandparent_scores, (g, m)).ravel(),
            ascending("head_automaton: siblings", siblings, m + 2, 2),
        ]
        if grand_siblings is not None:
            what = "head_automaton: grand-siblings"
            data.append(ascending(what, grand_siblings, m + 2, 2, each=(g,)))
        shape = np.array([g, m, grand_siblings is not None], np.int32)
        return self._add(Kind.head_automaton, above + below, np.concatenate(data), shape)

    def tri_sibling_automaton(self, modifiers: Iterable[Literal], scores: npt.ArrayLike) -> Factor:
        """Score every three consecutive modifiers of a head on one side.

        Parameters
        ----------
        modifiers
            M arcs from the head, from the nearest modifier to the farthest; any of them may be on.
        scores
            For every three modifiers a < b < c that are on with none between them, where 0 is
            START, 1 to M are the modifiers and M + 1 is END: an array with three axes of length
            M + 2 of which the cells with ascending indexes count, or these cells in one row.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> graph.tri_sibling_automaton(graph.variables([0.4, 0.1]), [0.3, -0.1, 0, 0.2]).data
        array([ 0.3, -0.1,  0. ,  0.2])
        """
        codes = self._codes((modifiers,))
        data = ascending("tri_sibling_automaton: scores", scores, len(codes) + 2, 3)
        return self._add(Kind.tri_sibling_automaton, codes, data, np.array([len(codes)], np.int32))

    def factor(self, oracle: Any, literals: Iterable[Literal]) -> Factor:
        """Add a factor of your own, written in Python.

        Parameters
        ----------
        oracle
            An object with a method ``maximize(scores)`` that returns the factor's best
            configuration for given scores of its literals: 0 or 1 for each, or a pair of those and
            the configuration's own score. A method ``evaluate(configuration)`` that returns the own
            score of any configuration (``-inf``: not allowed) is optional.
        literals
            What it ties together, in the order of the scores.

        See Also
        --------
        compiled_factor : the same at native speed.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> class AllOrNone:
        ...     def maximize(self, scores):
        ...         return [float(sum(scores) > 0)] * len(scores)
        >>> graph = FactorGraph()
        >>> graph.factor(AllOrNone(), graph.variables([0.5, -0.2]))
        <Factor 0: custom(x0, x1)>
        """
        if not callable(getattr(oracle, "maximize", None)):
            raise UsageError(f"factor: {oracle!r} has no method maximize(scores)")
        codes = np.array(self._codes((literals,)), np.int32)
        return self._added(self.native.add_python_oracle, codes, oracle)

    def compiled_factor(
        self, function: Any, literals: Iterable[Literal], user_data: int = 0
    ) -> Factor:
        """Add a factor of your own as a compiled function, with no Python in the solver's loop.

        Parameters
        ----------
        function
            Its address, a ctypes function pointer, or an object with an ``address`` such as a numba
            ``cfunc``. Its signature is ``double (const double* scores, int64_t degree, uint8_t*
            configuration, void* user_data)``: it fills in the best configuration and returns that
            configuration's own score. It is kept alive with the graph.
        literals
            What it ties together.
        user_data
            An address handed through to the function.
        """
        codes = np.array(self._codes((literals,)), np.int32)
        add = self.native.add_compiled_oracle
        return self._added(add, codes, address_of(function), user_data, function)


def address_of(function: Any) -> int:
    """Find the address of a compiled function."""
    address = getattr(function, "address", function)
    if hasattr(function, "argtypes"):  # a ctypes function pointer; ctypes hides their common class
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or address <= 0:
        raise UsageError(
            "compiled_factor: expected an address, a ctypes function pointer or a numba cfunc, "
            f"got {function!r}"
        )
    return address
