"""The factor graph of a sentence: arcs and labels as variables, to add your own constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Unpack

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.errors import SolverError, UsageError
from treaty.graph import FactorGraph, Variable
from treaty.parse.trees._parser import Parse, Parser
from treaty.parse.trees._trees import best_tree
from treaty.solve import Solution, SolveOptions, Status, k_best
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse.trees._constraints import Constraint

__all__ = ["AD3_OPTIONS", "ParseGraph"]

Arc = tuple[int, int]
LEAST = 1e-300
"""Lower limit on probabilities, so that their logarithm is finite."""
MEANINGS = ("{head}~>{word}", "{head}->{modifier} to {word}", "{head}->{modifier} projective")
"""Names of variables: a path, an arc on the way from the root to a word, an arc that crosses none.

In the order of the native enum (native/parse/path_graph.hpp).
"""


AD3_OPTIONS: SolveOptions = {
    "penalty": native.DecoderOptions().penalty,
    "projection_rounds": native.DecoderOptions().rounds,
}
"""Options of AD3 tuned for the graphs of parsers, as used by `ParseGraph.solve` and the parser.

For ``parser.graph(sentence).graph.solve("ad3", **AD3_OPTIONS)``.
"""


class ParseGraph:
    """The factor graph of a sentence; made by `Parser.graph`.

    Every candidate arc is a variable, and the parser's factors tie them: add yours to `graph`, then
    solve. Words have the ids 1, 2, 3…, and 0 is the root.

    Attributes
    ----------
    graph
        The graph. The last of its initial variables is fixed on; its score is a constant that
        belongs to every tree.
    sentence
        The sentence to parse.
    arcs
        The variables of the candidate arcs, by head and modifier.
    paths
        In the orders ``"full"`` and ``"third+"``, a variable for every two words that is on if the
        second descends from the first; otherwise none.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.parse import Parser
    >>> cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    >>> parser = Parser.train([cats] * 3, order="first", epochs=1, parser_bits=10, threshold=0.0)
    >>> found = parser.graph(cats)
    >>> found.graph.fix(found.arcs[0, 1])
    >>> found.solve().sentence.heads
    [0, 1]
    """

    def __init__(
        self,
        parser: Parser,
        sentence: Sentence,
        order: str | None = None,
        single_root: bool | None = None,
        labels: bool = False,
        constraints: Sequence[Constraint] = (),
    ) -> None:
        self.sentence, self._parser = sentence, parser
        self._sequences = parser.sequences([sentence])
        pruning, decoding = parser.options(single_root)
        parts = native.candidate_parts(
            self._sequences,
            0,
            parser.pruner_model,
            parser.parser_model,
            parser.families(order or parser.settings.order),
            pruning,
            self._extra_arcs(constraints, pruning.single_root),
        )
        scores = parts.scores(parser.parser_model, self._sequences, 0)
        graph, others = parts.graph(scores, decoding)
        pairs = list(zip(parts.head.tolist(), parts.modifier.tolist(), strict=True))
        names = [f"{head}->{modifier}" for head, modifier in pairs]
        more, paths = _named(others.reshape(-1, 4).tolist())
        self.graph = FactorGraph._of(graph, [*names, *more, "constant"])
        self.arcs: Mapping[Arc, Variable] = MappingProxyType(
            {arc: self.graph[a] for a, arc in enumerate(pairs)}
        )
        self.paths: Mapping[Arc, Variable] = MappingProxyType(
            {path: self.graph[len(pairs) + place] for path, place in paths.items()}
        )
        self._labels: dict[Arc, dict[str, Variable]] = {}
        late = [c for c in constraints if c.needs_labels]
        for constraint in constraints:
            if not constraint.needs_labels:
                constraint.apply(self)
        if (labels or late) and len(sentence):
            self._add_labels()
        for constraint in late:
            constraint.apply(self)

    def arc(self, head: int, modifier: int) -> Variable | None:
        """Return the variable of an arc; None if it is not a candidate and so in no tree."""
        return self.arcs.get((head, modifier))

    def labels(self, head: int, modifier: int) -> Mapping[str, Variable]:
        """Return the variables of the labels of an arc; empty if it is not a candidate.

        Requires a graph with labels: ``parser.graph(sentence, labels=True)``.
        """
        if not self._labels and len(self.sentence):
            raise UsageError("the graph has no labels; make it with labels=True")
        return MappingProxyType(self._labels.get((head, modifier), {}))

    def label(self, head: int, modifier: int, label: str) -> Variable | None:
        """Return the variable of an arc's label; None if the arc cannot have it."""
        return self.labels(head, modifier).get(label)

    def solve(self, method: str = "ad3", **options: Unpack[SolveOptions]) -> Parse:
        """Find the best tree that the graph allows.

        Parameters
        ----------
        method, **options
            As in `FactorGraph.solve`. If ``"ad3"`` finds no tree at all, ``"exact"`` is tried.

        Raises
        ------
        SolverError
            When there is no tree, or none was found.
        """
        settings: SolveOptions = {**AD3_OPTIONS, **options} if method == "ad3" else options
        solution = self.graph.solve(method, **settings)
        if solution.status is Status.UNKNOWN and method == "ad3" and not options:
            solution = self.graph.solve("exact")
        return self.read(solution)

    def k_best(
        self, k: int, method: str = "exact", *, distance: int = 1, **options: Unpack[SolveOptions]
    ) -> list[Parse]:
        """Find the k best trees that the graph allows, the best first.

        Parameters
        ----------
        k
            Number of trees. There are fewer if the candidate arcs allow no more.
        method, **options
            As in `treaty.solve.k_best`; the certificate of a tree is about all that are left.
        distance
            The number of words whose heads must differ between any two trees. With 1, a different
            label is enough if the graph has labels.
        """
        variables = list(self.arcs.values())
        if distance == 1:
            variables += [v for labels in self._labels.values() for v in labels.values()]
        # A word with another head changes two arcs.
        apart = distance if distance <= 1 else 2 * distance
        solutions = k_best(self.graph, k, method, distance=apart, variables=variables, **options)
        return [self.read(solution) for solution in solutions]

    def read(self, solution: Solution) -> Parse:
        """Read the tree of a solution of the graph.

        Labels are those of the label variables, if any; otherwise the parser's choice for the tree.
        """
        tree = self._tree(solution)
        labels = self._chosen_labels(solution, tree) if self._labels else self._usual_labels(tree)
        return Parse(self.sentence.with_tree(tree[1:].tolist(), labels), solution.certificate)

    # Candidates

    def _extra_arcs(
        self, constraints: Sequence[Constraint], single_root: bool
    ) -> npt.NDArray[np.int32]:
        """List the arcs of the constraints, and a tree they allow, so that there is one."""
        if not constraints:
            return np.zeros(0, np.int32)
        n = len(self.sentence)
        wanted = [self._checked(arc) for c in constraints for arc in c.arcs(self.sentence)]
        probability = self._parser.marginals(self.sentence, single_root=single_root)
        scores = np.log(np.maximum(probability, LEAST))
        for constraint in constraints:
            for arc in constraint.forbidden(self.sentence):
                scores[self._checked(arc)] = -np.inf
        heads, _ = best_tree(scores, single_root=single_root)
        if n and heads[1] < 0:
            raise SolverError(
                f"no tree of {n} words satisfies the constraints: they contradict each other; "
                "remove one"
            )
        return np.array([*wanted, *zip(heads[1:], range(1, n + 1), strict=True)], np.int32).ravel()

    def _checked(self, arc: Arc) -> Arc:
        head, modifier = arc
        n = len(self.sentence)
        if not (0 <= head <= n and 1 <= modifier <= n and head != modifier):
            raise UsageError(
                f"a constraint names the arc from {head} to {modifier}; the sentence has the words "
                f"1 to {n}, and 0 is the root"
            )
        return arc

    # Labels

    def _add_labels(self) -> None:
        """Add variables for the labels that each arc may have.

        The score of a label is its difference to the arc's best label, so labels cost only what
        constraints make them lose, and scores of trees remain comparable.
        """
        tree = self._tree(self._best_context())
        for (head, modifier), arc in self.arcs.items():
            labels, scores = self._label_scores(tree, head, modifier)
            names = [f"{arc.name}:{label}" for label in labels]
            variables = self.graph.variables(scores - scores.max(), names)
            self.graph.xor_with_output(variables, arc)
            self._labels[head, modifier] = dict(zip(labels, variables, strict=True))

    def _best_context(self) -> Solution:
        solution = self.graph.solve()
        return self.graph.solve("exact") if solution.status is Status.UNKNOWN else solution

    def _label_scores(
        self, tree: npt.NDArray[np.int32], head: int, modifier: int
    ) -> tuple[list[str], npt.NDArray[np.float64]]:
        numbers, scores = native.label_scores(
            self._parser.label_model, self._sequences, 0, tree, head, modifier
        )
        return [self._parser.labels[number] for number in numbers.tolist()], scores

    def _usual_labels(self, tree: npt.NDArray[np.int32]) -> list[str]:
        names = []
        for modifier, head in enumerate(tree[1:].tolist(), 1):
            labels, scores = self._label_scores(tree, head, modifier)
            names.append(labels[int(scores.argmax())])
        return names

    def _chosen_labels(self, solution: Solution, tree: npt.NDArray[np.int32]) -> list[str]:
        arcs = zip(tree[1:].tolist(), range(1, len(tree)), strict=True)
        return [
            next(label for label, variable in self._labels[arc].items() if solution[variable])
            for arc in arcs
        ]

    def _tree(self, solution: Solution) -> npt.NDArray[np.int32]:
        """Return the heads of all words; -1 for the root."""
        if solution.status is Status.INFEASIBLE:
            raise SolverError(
                "no tree satisfies the constraints (status INFEASIBLE): remove one; if other "
                "arcs may be needed, list them in the constraint's arcs()"
            )
        if solution.status is Status.UNKNOWN:
            raise SolverError(
                "no tree was found (status UNKNOWN): solve with method='exact', or with a larger "
                "time limit"
            )
        tree = np.full(len(self.sentence) + 1, -1, np.int32)
        for (head, modifier), arc in self.arcs.items():
            if solution[arc]:
                tree[modifier] = head
        return tree


def _named(others: list[list[int]]) -> tuple[list[str], dict[Arc, int]]:
    """Name the variables that are no arcs, and tell which of them are paths."""
    names, paths = list[str](), dict[Arc, int]()
    for place, (meaning, head, modifier, word) in enumerate(others):
        names.append(MEANINGS[meaning].format(head=head, modifier=modifier, word=word))
        if meaning == 0 and head != word:
            paths[head, word] = place
    return names, paths
