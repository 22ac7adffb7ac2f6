"""The best summary of a problem, and how far from the best it can be."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.solve import Solution, Status
from treaty.summarize._graph import SummaryGraph, compressive_graph, extractive_graph
from treaty.summarize._nodes import Floats, Nodes, checked_scores
from treaty.summarize._problem import Problem
from treaty.summarize._rounding import best_summary, closest_summary
from treaty.summarize._source import Bools
from treaty.summarize._ties import Ints

__all__ = ["SOLVERS", "Decoded", "decode", "objective_of"]

SOLVERS = ("ad3", "ilp", "lp", "exact")
PENALTY = 3.0
"""Of AD3 at the start: with concepts that compete, more than its usual one is quicker."""
TIGHT = 1e-6
"""A gap, relative to the bound, that is one of rounding errors."""


@dataclass(frozen=True, eq=False)
class Decoded:
    """A summary as tokens to keep, with its certificate.

    Attributes
    ----------
    keep
        Which tokens of the problem are kept; punctuation goes with its head.
    objective
        The score of the summary, computed anew from `keep`.
    bound
        No summary within the limits scores more. Always valid.
    status
        What the answer is worth, see `treaty.Status`.
    iterations, seconds
        What it took.
    solver
        The solver that made it.
    concept_values, token_values, source_values
        What the relaxation says of each, from 0 to 1.
    """

    keep: Bools
    objective: float
    bound: float
    status: Status
    iterations: int
    seconds: float
    solver: str
    concept_values: Floats
    token_values: Floats
    source_values: Floats

    @property
    def gap(self) -> float:
        """How far from the best the summary can be."""
        return max(0.0, self.bound - self.objective)


def decode(
    problem: Problem,
    concept_scores: npt.ArrayLike,
    cut_scores: npt.ArrayLike | None = None,
    *,
    words: int,
    sentences: int | None = None,
    solver: str = "ad3",
    iterations: int = 1000,
    time_limit: float | None = None,
    rounded: bool = True,
) -> Decoded:
    """Find the best summary: by AD3 and rounding, or exactly.

    Parameters
    ----------
    problem
        The sentences and their concepts.
    concept_scores
        What it is worth to have each concept in the summary.
    cut_scores
        For each token what it is worth to cut it off while its head stays. Without them whole
        sentences are chosen.
    words, sentences
        How many the summary may have; None for as many sentences as fit.
    solver
        ``"ad3"``; ``"lp"``, the same relaxation by HiGHS; ``"ilp"`` or ``"exact"``, the optimum by
        HiGHS or by branch and bound.
    iterations
        At most so many of AD3.
    time_limit
        Seconds after which the solver stops with the best that it has.
    rounded
        Whether to make a summary of the relaxation's solution. If not, `keep` is empty.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> from treaty.summarize import Problem, Source
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> problem = Problem.of([Source(0, 0, cats)])
    >>> found = decode(problem, [1.0, 0.2], [0.0, 0.0, 0.5], words=3)
    >>> found.keep.tolist(), found.objective, found.status.value
    ([True, True, False], 1.5, 'OPTIMAL')
    """
    started = time.perf_counter()
    if solver not in SOLVERS:
        raise UsageError(f"there is no solver {solver!r}: choose one of {', '.join(SOLVERS)}")
    if cut_scores is None:
        stated = extractive_graph(problem, concept_scores, words, sentences)
    else:
        stated = compressive_graph(problem, concept_scores, cut_scores, words, sentences)
    options: dict[str, Any] = {"time_limit": time_limit}
    if solver == "ad3":
        options |= {"max_iterations": iterations, "penalty": PENALTY}
    solution = stated.graph.solve(solver, **options)
    values = _values(solution)
    score = partial(
        _score,
        problem,
        stated.nodes,
        checked_scores("scores of concepts", concept_scores, len(problem.concepts)),
        None if cut_scores is None else np.asarray(cut_scores, np.float64),
    )
    chosen, objective = np.zeros(len(stated.nodes), bool), -math.inf
    if rounded:
        chosen, objective = _rounded(problem, stated, solution, values, words, sentences, score)
    return Decoded(
        chosen[stated.token_variables],
        objective,
        max(solution.bound, objective),
        _status(solution, objective),
        solution.iterations,
        time.perf_counter() - started,
        solver,
        _concept_values(problem, stated, values),
        values[stated.token_variables],
        values[stated.source_variables],
    )


def objective_of(
    problem: Problem, keep: Bools, concept_scores: Floats, cut_scores: Floats | None
) -> float:
    """Score a summary (eq. 4): the concepts that it covers, and the arcs that it cuts.

    Returns
    -------
    float
        ``-inf`` if something is cut that may not be, or kept without what it hangs on.
    """
    heads = problem.heads
    in_summary = np.zeros(len(problem.sources), bool)
    in_summary[problem.source_of[keep]] = True
    above = np.where(heads < 0, in_summary[problem.source_of], keep[heads])
    if (keep & ~above).any():
        return -math.inf
    cut = above & ~keep
    if cut.any() and (cut_scores is None or not problem.cuttable[cut].all()):
        return -math.inf
    missing = np.concatenate([[0], np.cumsum(problem.is_word & ~keep)])
    concept, _, first, last = problem.occurrences
    said = np.zeros(len(concept_scores), bool)
    said[concept[missing[last + 1] == missing[first]]] = True
    cuts = 0.0 if cut_scores is None else float(cut_scores[cut].sum())
    return float(concept_scores[said].sum()) + cuts


def _values(solution: Solution) -> Floats:
    """Read the relaxation's solution, or the answer where there is none."""
    if solution.relaxed is not None:
        return solution.relaxed
    return np.maximum(solution.values, 0).astype(np.float64)


def _score(
    problem: Problem,
    nodes: Nodes,
    concept_scores: Floats,
    cut_scores: Floats | None,
    chosen: Bools,
) -> float:
    return objective_of(problem, chosen[nodes.of_token], concept_scores, cut_scores)


def _rounded(
    problem: Problem,
    stated: SummaryGraph,
    solution: Solution,
    values: Floats,
    words: int,
    sentences: int | None,
    score: Callable[[Bools], float],
) -> tuple[Bools, float]:
    """Choose the best of no summary, the solver's, the paper's, and what betters them."""
    nodes = stated.nodes
    weights = np.bincount(nodes.of_token, problem.is_word, minlength=len(nodes)) + nodes.is_dollar
    starts = [closest_summary(nodes, values, weights.astype(np.int32), words, sentences)]
    if math.isfinite(solution.objective):
        starts.append(solution.values[: len(nodes)] > 0)
    best, best_score = np.zeros(len(nodes), bool), 0.0
    for start in starts:
        chosen, previous = start, -math.inf
        while (now := score(chosen)) > previous + TIGHT * abs(now):
            if now > best_score:
                best, best_score = chosen, now
            gains = stated.coverage.gains(chosen.astype(np.uint8), values)
            chosen, previous = best_summary(nodes, gains, words, sentences), now
    return best, best_score


def _status(solution: Solution, objective: float) -> Status:
    if not math.isfinite(objective):
        return Status.UNKNOWN
    if max(solution.bound, objective) - objective <= TIGHT * max(1.0, abs(objective)):
        return Status.OPTIMAL
    solved = solution.status in (Status.OPTIMAL, Status.FRACTIONAL)
    return Status.FRACTIONAL if solved else Status.FEASIBLE


def _concept_values(problem: Problem, stated: SummaryGraph, values: Floats) -> Floats:
    """Read the values of concepts; one without a variable has that of its best occurrence."""
    found = values[np.maximum(stated.concept_variables, 0)]
    absent = stated.concept_variables < 0
    if absent.any():
        found[absent] = _from_tokens(problem, values[stated.token_variables])[absent]
    return found


def _from_tokens(problem: Problem, token_values: Floats) -> Floats:
    """Compute for each concept the greatest, over occurrences, of the least value of its words."""
    words: Ints = np.concatenate([[0], np.cumsum(problem.is_word)]).astype(np.int32)
    concept, _, first, last = problem.occurrences
    spans = np.stack([words[first], words[last + 1]], axis=1).ravel()
    padded = np.append(token_values[problem.is_word], 0.0)
    found = np.zeros(len(problem.concepts))
    if len(spans):
        np.maximum.at(found, concept, np.minimum.reduceat(padded, spans)[::2])
    return found
