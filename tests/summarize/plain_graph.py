"""The graph of compressive summarization word by word, as the paper draws it (its figure 1)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treaty.graph import FactorGraph
from treaty.summarize.cuts._nodes import checked_scores
from treaty.summarize.decoding._problem import Problem

__all__ = ["plain_graph"]


def plain_graph(
    problem: Problem,
    concept_scores: npt.ArrayLike,
    cut_scores: npt.ArrayLike,
    words: int,
    sentences: int | None = None,
) -> FactorGraph:
    """State the problem of `compressive_graph` with a variable for every word and concept.

    Its optima are the same. It is there to be compared with: `compressive_graph` is several times
    smaller.

    Parameters
    ----------
    problem, concept_scores, cut_scores, words, sentences
        As in `compressive_graph`.

    Returns
    -------
    FactorGraph
        Its variables are the tokens of the problem, then the ``$`` of the sentences, then the
        concepts, then their tokens.
    """
    scores = checked_scores("scores of concepts", concept_scores, len(problem.concepts))
    cuts = checked_scores("scores of cuts", cut_scores, len(problem.source_of))
    graph = FactorGraph()
    tokens = graph.variables(np.zeros(len(cuts)))
    dollars = graph.variables(np.zeros(len(problem.sources)))
    concepts = graph.variables(scores)
    for source, (begin, end) in enumerate(pairwise(problem.begin.tolist())):
        parents = [max(head - begin, -1) + 1 for head in problem.heads[begin:end].tolist()]
        graph.compression_tree(
            [dollars[source], *tokens[begin:end]],
            [None, *parents],
            np.append(0.0, np.where(problem.cuttable[begin:end], cuts[begin:end], 0.0)),
            root_needs_child=True,
        )
        for token, parent in zip(range(begin, end), parents, strict=True):
            if not problem.cuttable[token]:  # a score of -inf for cutting it, as a constraint
                above = tokens[begin + parent - 1] if parent else dollars[source]
                graph.implies(above, tokens[token])
    said: list[list[int]] = [[] for _ in concepts]
    occurrences = (array.tolist() for array in problem.occurrences)
    for concept, _, first, last in zip(*occurrences, strict=True):
        output = graph.variable()
        own = [tokens[t] for t in range(first, last + 1) if problem.is_word[t]]
        graph.and_with_output(own, output)
        said[concept].append(output.variable)
    for concept, outputs in zip(concepts, said, strict=True):
        graph.or_with_output([graph[output] for output in outputs], concept)
    graph.at_most(words, [tokens[t] for t in np.flatnonzero(problem.counts).tolist()])
    if sentences is not None:
        graph.at_most(sentences, dollars)
    return graph
