"""Summaries as factor graphs: Almeida and Martins (2013), sections 2.2 and 3.3."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treaty._native import summarize as native
from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.summarize._nodes import Floats, Nodes, checked_scores
from treaty.summarize._problem import Problem
from treaty.summarize._ties import Ints

__all__ = ["SummaryGraph", "compressive_graph", "extractive_graph"]

NO_NUMBERS = np.zeros(0)
NO_SHAPE = np.zeros(0, np.int32)


@dataclass(frozen=True, eq=False)
class SummaryGraph:
    """The factor graph of a problem, with the meaning of its variables.

    Attributes
    ----------
    graph
        The graph; add your own constraints to it, and solve.
    nodes
        The meaning of the first variables: phrases, each with the tokens that no cut can separate.
    coverage
        How phrases cover concepts (``treaty._native.summarize.Coverage``).
    """

    graph: FactorGraph
    nodes: Nodes
    coverage: native.Coverage

    @cached_property
    def concept_variables(self) -> Ints:
        """The variable of each concept; -1 for those that score 0.

        Concepts that are on in the same summaries share a variable, possibly that of a phrase.
        """
        return self.coverage.concept_variables

    @property
    def token_variables(self) -> Ints:
        """The variable of each token."""
        return self.nodes.of_token

    @property
    def source_variables(self) -> Ints:
        """The variable of each sentence: that of its dummy symbol ``$``."""
        return self.nodes.of_source[:-1]


def extractive_graph(
    problem: Problem, concept_scores: npt.ArrayLike, words: int, sentences: int | None = None
) -> SummaryGraph:
    """Make the factor graph of extractive summarization (eq. 3).

    It has one OR-WITH-OUTPUT per concept, a KNAPSACK over the sentences, and optionally a BUDGET on
    their number.

    Parameters
    ----------
    problem
        The sentences and their concepts.
    concept_scores
        The score of each concept, if the summary contains it.
    words, sentences
        Limits of the summary; None for no limit on sentences.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Problem, Source
    >>> text = [["Cats", "sleep"], ["Big", "cats", "sleep"]]
    >>> sources = [Source(0, n, Sentence.from_words(words)) for n, words in enumerate(text)]
    >>> problem = Problem.of(sources)
    >>> found = extractive_graph(problem, [1.0, 1.0], words=4)
    >>> found.graph.solve().values[found.source_variables].tolist()
    [0, 1]
    """
    return _build(problem, concept_scores, None, words, sentences)


def compressive_graph(
    problem: Problem,
    concept_scores: npt.ArrayLike,
    cut_scores: npt.ArrayLike,
    words: int,
    sentences: int | None = None,
) -> SummaryGraph:
    """Make the factor graph of compressive summarization (eq. 4).

    It has a compression tree per sentence, an AND-WITH-OUTPUT per concept token, an OR-WITH-OUTPUT
    per concept, a budget on words and one on dummy symbols. Tokens that no cut can separate are one
    variable, so the budget on words is a KNAPSACK over phrases; concepts that are decided by a
    single phrase need no factor. A sentence that needs another one to be understood implies it, and
    of two that say the same at most one is on.

    Parameters
    ----------
    problem
        The parsed sentences and their concepts.
    concept_scores
        The score of each concept, if the summary contains it.
    cut_scores
        For each token, the score of cutting it while its head stays, ``psi(0, 1)`` of eq. 8; used
        for those that are ``problem.cuttable``, and ``-inf`` forbids.
    words, sentences
        Limits of the summary; None for no limit on sentences.
    """
    cuts = checked_scores("scores of cuts", cut_scores, len(problem.source_of))
    return _build(problem, concept_scores, cuts, words, sentences)


def _build(
    problem: Problem,
    concept_scores: npt.ArrayLike,
    cut_scores: Floats | None,
    words: int,
    sentences: int | None,
) -> SummaryGraph:
    scores = checked_scores("scores of concepts", concept_scores, len(problem.concepts))
    if np.isneginf(scores).any():
        raise UsageError(
            "scores of concepts must be finite; to forbid a concept, constrain the graph"
        )
    if words < 0 or (sentences is not None and sentences < 0):
        raise UsageError("the limits on words and sentences must be at least 0")
    nodes = Nodes.of(problem, cut_scores)
    coverage = native.Coverage(
        np.where(problem.is_word, nodes.of_token, -1).astype(np.int32),
        problem.occurrences.concept,
        problem.occurrences.first,
        problem.occurrences.last,
        nodes.size,
        scores,
    )
    graph = FactorGraph()
    graph.native.add_variables(coverage.scores)
    codes = 2 * coverage.members
    for is_or, (begin, end) in zip(coverage.is_or, pairwise(coverage.begin), strict=True):
        kind = Kind.or_with_output if is_or else Kind.and_with_output
        graph.native.add(kind, codes[begin:end], NO_NUMBERS, NO_SHAPE)
    _trees(graph, nodes)
    _limits(graph, nodes, words, sentences)
    _coherence(graph, nodes, problem)
    return SummaryGraph(graph, nodes, coverage)


def _coherence(graph: FactorGraph, nodes: Nodes, problem: Problem) -> None:
    """Add what ties sentences: implications, and pairs that say the same."""
    implied = [(int(nodes.of_source[one]), other) for one, other in problem.needs]
    implied += [(int(nodes.of_token[token]), other) for token, other in problem.leans]
    for node, other in implied:
        if other < 0:
            graph.native.fix(node, 0)
            continue
        codes = np.array([2 * node + 1, 2 * nodes.of_source[other]], np.int32)
        graph.native.add(Kind.at_least_one, codes, NO_NUMBERS, NO_SHAPE)
    for pair in problem.alike:
        own = _codes(nodes.of_source[[*pair]])
        graph.native.add(Kind.at_most, own, NO_NUMBERS, np.array([1], np.int32))


def _trees(graph: FactorGraph, nodes: Nodes) -> None:
    """Add a compression tree for each sentence that can be compressed (eq. 8)."""
    ends = nodes.of_source.tolist()
    for begin, end in pairwise(ends):
        if end - begin > 1:
            # A $ without words of its own must have a child with some.
            shape = np.append(nodes.parent[begin:end] - begin, np.int32(nodes.is_hollow[begin]))
            shape[0] = -1
            cuts = nodes.cut_score[begin:end]
            graph.native.add(Kind.compression_tree, _codes(range(begin, end)), cuts, shape)


def _limits(graph: FactorGraph, nodes: Nodes, words: int, sentences: int | None) -> None:
    """Limit words and sentences; fix phrases off that cannot fit together with their ancestors."""
    needs = nodes.cost.astype(np.float64)
    for node, above in enumerate(nodes.parent.tolist()):  # parents come first
        needs[node] += needs[above] if above >= 0 else 0.0
    for node in np.flatnonzero(needs > words).tolist():
        graph.native.fix(node, 0)
    counted = np.flatnonzero(nodes.cost)
    costs = np.append(nodes.cost[counted].astype(np.float64), float(words))
    graph.native.add(Kind.knapsack, _codes(counted), costs, NO_SHAPE)
    if sentences is not None:
        dollars = nodes.of_source[:-1]
        graph.native.add(Kind.at_most, _codes(dollars), NO_NUMBERS, np.array([sentences], np.int32))


def _codes(variables: Iterable[int] | Ints) -> Ints:
    """Return the literals of variables, not negated."""
    return 2 * np.array(variables, np.int32)
