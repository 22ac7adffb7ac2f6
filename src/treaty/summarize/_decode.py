"""Decoding: the best summary of a problem, with a certificate."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._threads import Clock, check_stopped
from treaty.errors import LimitError, UsageError
from treaty.solve import Certificate, Certified, Solution, Status
from treaty.summarize._graph import SummaryGraph, compressive_graph, extractive_graph
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._rounding import best_summary, closest_summary
from treaty.summarize._source import Bools
from treaty.summarize._ties import Ints

__all__ = [
    "METHODS", "Decoded", "decode", "first_sentences", "objective_of", "or_first_that_fits",
]  # fmt: skip

METHODS = ("ad3", "subgradient", "lp", "ilp", "exact")
EXACT = ("ilp", "exact")
PENALTY = 3.0
"""Initial penalty of AD3: with competing concepts, a larger one than the default is faster."""
ROUGH = 1e-3
"""First tolerance of AD3, relative to the bound; a smaller gap is worth a more precise bound."""
NEARLY = 0.05
"""Values closer to 0 or 1 than this count as integral."""
TIGHT = 1e-6
"""Relative gap that is attributed to rounding errors."""


@dataclass(frozen=True, eq=False)
class Decoded(Certified):
    """A summary as tokens to keep, with its certificate.

    Attributes
    ----------
    keep
        Which tokens of the problem are kept; punctuation follows its head.
    certificate
        The certificate. The objective is recomputed from `keep`, and the bound is an upper bound on
        every summary within the limits.
    method
        The solver.
    concept_values, token_values, source_values
        The relaxation's values of each, from 0 to 1.
    """

    keep: Bools
    certificate: Certificate
    method: str
    concept_values: Floats
    token_values: Floats
    source_values: Floats


def decode(
    problem: Problem,
    concept_scores: npt.ArrayLike,
    cut_scores: npt.ArrayLike | None = None,
    *,
    words: int,
    sentences: int | None = None,
    method: str = "ad3",
    iterations: int = 1000,
    time_limit: float | None = None,
    gap: float = 0.0,
    tolerance: float | None = None,
    rounded: bool = True,
    improved: bool = True,
) -> Decoded:
    """Find the best summary: by AD3 and rounding, or exactly.

    Parameters
    ----------
    problem
        The sentences and their concepts.
    concept_scores
        The score of each concept, if the summary contains it.
    cut_scores
        For each token, the score of cutting it while its head stays. Without these scores, whole
        sentences are chosen.
    words, sentences
        Limits of the summary; None for no limit on sentences.
    method
        ``"ad3"``; ``"subgradient"`` or ``"lp"``, the same relaxation by the subgradient method or
        HiGHS; ``"ilp"`` or ``"exact"``, the optimum by HiGHS or by branch and bound.
    iterations
        Maximum number of iterations of AD3 and the subgradient method.
    time_limit
        Limit in seconds, after which the solver stops with its best answer; where it has none, the
        first sentences that fit are taken, without a bound.
    gap
        The solver also stops when the gap is at most this; for ``"ad3"``, ``"subgradient"`` and
        ``"exact"``.
    tolerance
        AD3 stops when the gap of the relaxation, relative to the bound, is below this. By default,
        a rough solution is enough unless it is nearly integral.
    rounded
        Whether to round the relaxation's solution to a summary. If not, `keep` is empty.
    improved
        Whether to improve the rounded summary. If not, it is the paper's (section 3.4).

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Problem, Rules, Source
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> problem = Problem.of([Source(0, 0, cats)], rules=Rules.load(bold=True))
    >>> found = decode(problem, [1.0, 0.2], [0.0, 0.0, 0.5], words=3)
    >>> found.keep.tolist(), found.objective, found.status.value
    ([True, True, False], 1.5, 'OPTIMAL')
    """
    started = time.perf_counter()
    clock = Clock(time_limit)
    if method not in METHODS:
        raise UsageError(f"there is no method {method!r}: choose one of {', '.join(METHODS)}")
    if cut_scores is None:
        stated = extractive_graph(problem, concept_scores, words, sentences)
    else:
        stated = compressive_graph(problem, concept_scores, cut_scores, words, sentences)
    search = _Search(problem, stated, concept_scores, cut_scores, words, sentences)
    limits: dict[str, Any] = {"gap": gap} if gap else {}
    solution = None
    with suppress(LimitError), clock:
        for solution in _solutions(stated, method, iterations, clock, tolerance, limits):
            search.bound = min(search.bound, solution.bound)
            search.iterations += solution.iterations
            if rounded:
                search.round(solution, improved)
            if not rounded or search.gap > ROUGH or not _is_nearly_integral(solution):
                break
            if gap and search.bound - search.objective <= gap:
                break
    if solution is None:
        return first_sentences(problem, concept_scores, words, sentences, method)
    values = _values(solution)
    return Decoded(
        search.best[stated.token_variables] if rounded else np.zeros(len(problem.source_of), bool),
        Certificate(
            _status(solution, search, rounded),
            search.objective if rounded else -math.inf,
            max(search.bound, search.objective),
            search.iterations,
            time.perf_counter() - started,
        ),
        method,
        _concept_values(problem, stated, values),
        values[stated.token_variables],
        values[stated.source_variables],
    )


def _solutions(
    stated: SummaryGraph,
    method: str,
    iterations: int,
    clock: Clock,
    tolerance: float | None,
    limits: dict[str, Any],
) -> Iterator[Solution]:
    """Solve a graph: by AD3 roughly, and then to full precision if more solutions are requested.

    A bound that is 0.1% too high is good enough, unless the relaxation is tight and can prove that
    the summary is optimal.
    """
    if method == "subgradient":
        limits = {"iterations": iterations, **limits}
    if method != "ad3":
        yield stated.graph.solve(method, time_limit=clock.left, **limits)
        return
    options = {"penalty": PENALTY, "polish": False, "iterations": iterations, **limits}
    if tolerance is not None:
        yield stated.graph.solve(method, tolerance=tolerance, time_limit=clock.left, **options)
        return
    rough = stated.graph.solve(method, tolerance=ROUGH, time_limit=clock.left, **options)
    yield rough
    options["iterations"] = iterations - rough.iterations
    if options["iterations"] > 0 and clock.left != 0.0:
        yield stated.graph.solve(method, warm_start=rough, time_limit=clock.left, **options)


class _Search:
    """The incumbent and the bound."""

    def __init__(
        self,
        problem: Problem,
        stated: SummaryGraph,
        concept_scores: npt.ArrayLike,
        cut_scores: npt.ArrayLike | None,
        words: int,
        sentences: int | None,
    ) -> None:
        self.problem, self.stated, self.nodes = problem, stated, stated.nodes
        self.words, self.sentences = words, sentences
        self.concept_scores = np.asarray(concept_scores, np.float64)
        self.cut_scores = None if cut_scores is None else np.asarray(cut_scores, np.float64)
        self.best, self.objective = np.zeros(len(stated.nodes), bool), 0.0  # the empty summary
        self.bound, self.iterations = math.inf, 0

    @property
    def gap(self) -> float:
        """The gap relative to the bound."""
        return max(0.0, self.bound - self.objective) / max(1.0, abs(self.bound))

    def round(self, solution: Solution, improved: bool) -> None:
        """Round the solver's solution by its own and the paper's method, and improve the result."""
        if solution.method in EXACT:
            improved = True  # the paper's rounding is for relaxations
        nodes, values = self.nodes, _values(solution)
        sizes = np.bincount(nodes.of_token, self.problem.is_word, minlength=len(nodes))
        weights = (sizes + nodes.is_dollar).astype(np.int32)
        starts = [closest_summary(nodes, values, weights, self.words, self.sentences)]
        if improved and math.isfinite(solution.objective):
            starts.append(solution.values[: len(nodes)] > 0)
        for start in starts:
            chosen, previous = self.understood(start, values), -math.inf
            while (now := self.score(chosen)) > previous + TIGHT * abs(now):
                if now > self.objective:
                    self.best, self.objective = chosen, now
                if not improved:
                    break
                gains = self.stated.coverage.gains(chosen.astype(np.uint8), values)
                chosen, previous = self.best_for(gains), now
        if improved:
            self.fill()

    def fill(self) -> None:
        """Add whole sentences with those that they need, or swap one for them, where it helps."""
        begin, cost = self.nodes.of_source, self.nodes.cost
        whole = np.add.reduceat(cost, begin[:-1])
        for n in range(len(whole)):
            check_stopped()
            added = [n, *self.problem.needed_by(n)]
            taken = self.best[begin[:-1]]
            if taken[added].all():
                continue
            own = np.add.reduceat(np.where(self.best, cost, 0), begin[:-1])
            own[added] = whole[added]
            after = taken.copy()
            after[added] = True
            spare = self.words - int(own.sum())
            more = (len(after) if self.sentences is None else self.sentences) - int(after.sum())
            swaps = np.flatnonzero(taken & (own >= -spare)).tolist() if more >= -1 else []
            free: list[int | None] = [None] if spare >= 0 and more >= 0 else []
            for out in [*free, *(m for m in swaps if m not in added)]:
                trial = self.best | np.repeat(after & ~taken, np.diff(begin))
                if out is not None:
                    trial[begin[out] : begin[out + 1]] = False
                if (now := self.score(trial)) > self.objective:
                    self.best, self.objective = trial, now
                    break

    def understood(self, chosen: Bools, values: Floats) -> Bools:
        """Return a summary in which no sentence lacks one that it needs."""
        nodes = self.nodes
        if self.problem.is_coherent(chosen[nodes.of_token], chosen[nodes.of_source[:-1]]):
            return chosen
        return self.best_for(self.stated.coverage.gains(chosen.astype(np.uint8), values))

    def best_for(self, gains: Floats) -> Bools:
        """Find the best summary for scores of phrases, without sentences that lack another one.

        These are left out one round after the other; what they need often stays. Of two sentences
        that say the same, the worse one is left out.
        """
        nodes, begin, problem = self.nodes, self.nodes.of_source, self.problem
        while True:
            check_stopped()
            chosen = best_summary(nodes, gains, self.words, self.sentences)
            keep, taken = chosen[nodes.of_token], chosen[begin[:-1]]
            if problem.is_coherent(keep, taken):
                return chosen
            worth = np.add.reduceat(np.where(chosen, gains, 0.0), begin[:-1])
            worse = [min(pair, key=lambda n: (worth[n], -n)) for pair in problem.repeating(taken)]
            cost = nodes.cost.copy()
            cost[begin[[*problem.lacking(taken), *worse]]] = self.words + 1
            cost[nodes.of_token[problem.leaning(keep, taken)]] = self.words + 1
            nodes = replace(nodes, cost=cost)

    def score(self, chosen: Bools) -> float:
        """Score a selection of nodes."""
        keep = chosen[self.nodes.of_token]
        return objective_of(self.problem, keep, self.concept_scores, self.cut_scores)


def objective_of(
    problem: Problem, keep: Bools, concept_scores: Floats, cut_scores: Floats | None
) -> float:
    """Score a summary (eq. 4): the concepts that it covers, and the arcs that it cuts.

    Returns
    -------
    float
        ``-inf`` if a token is cut that must not be, or kept without its head.
    """
    heads = problem.heads
    in_summary = np.zeros(len(problem.sources), bool)
    in_summary[problem.source_of[keep]] = True
    if not problem.is_coherent(keep, in_summary):
        return -math.inf
    above = np.where(heads < 0, in_summary[problem.source_of], keep[heads])
    if (keep & ~above).any():
        return -math.inf
    cut = above & ~keep
    if cut.any() and (cut_scores is None or not problem.cuttable[cut].all()):
        return -math.inf
    said = np.zeros(len(concept_scores), bool)
    said[problem.occurrences.concept[problem.said(keep)]] = True
    cuts = 0.0 if cut_scores is None else float(cut_scores[cut].sum())
    return float(concept_scores[said].sum()) + cuts


def first_sentences(
    problem: Problem, concept_scores: npt.ArrayLike, words: int, sentences: int | None, method: str
) -> Decoded:
    """Take the first sentences that fit, where there is no time for anything better.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Problem, Source
    >>> text = [["Cats", "sleep"], ["Dogs", "and", "cats", "run"], ["Cats", "run"]]
    >>> problem = Problem.of([Source(0, n, Sentence.from_words(own)) for n, own in enumerate(text)])
    >>> scores = [1.0] * len(problem.concepts)
    >>> found = first_sentences(problem, scores, 4, None, "exact")
    >>> found.keep.tolist(), found.status.value, found.bound
    ([True, True, False, False, False, False, True, True], 'FEASIBLE', inf)
    """
    scores = np.asarray(concept_scores, np.float64)
    taken, counted = np.zeros(len(problem.sources), bool), problem.words.tolist()
    tied = {one for one, _ in problem.needs} | {one for pair in problem.alike for one in pair}
    tied |= {int(problem.source_of[token]) for token, _ in problem.leans}
    left = len(taken) if sentences is None else sentences
    for number, size in enumerate(counted):
        if size <= words and left > 0 and number not in tied:
            taken[number] = True
            words, left = words - size, left - 1
    keep = taken[problem.source_of]
    objective = objective_of(problem, keep, scores, None)
    if not objective >= 0.0:  # to say nothing is better
        taken, keep, objective = taken & False, keep & False, 0.0
    certificate = Certificate(Status.FEASIBLE, objective, math.inf)
    values = keep.astype(np.float64)
    concepts = np.zeros(len(scores))
    return Decoded(keep, certificate, method, concepts, values, taken.astype(np.float64))


def or_first_that_fits(
    problem: Problem, decoded: Decoded, concept_scores: Floats, words: int
) -> Decoded:
    """Replace an empty summary by a sentence that scores 0 but fits, such as a lone 'Hello'."""
    bound = {one for one, _ in problem.needs}
    bound |= {int(problem.source_of[token]) for token, _ in problem.leans}
    free = ~np.isin(np.arange(len(problem.sources)), sorted(bound))
    fitting = np.flatnonzero((problem.words <= words) & free)
    if not len(fitting):
        return decoded
    keep = problem.source_of == fitting[0]
    objective = objective_of(problem, keep, concept_scores, None)
    status = decoded.status if objective >= decoded.objective else Status.FEASIBLE
    certificate = replace(decoded.certificate, objective=objective, status=status)
    return replace(decoded, keep=keep, certificate=certificate)


def _is_nearly_integral(solution: Solution) -> bool:
    values = _values(solution)
    return bool((np.abs(values - np.rint(values)) < NEARLY).all())


def _values(solution: Solution) -> Floats:
    """Return the relaxation's solution, or the answer if there is none."""
    if solution.relaxed is not None:
        return solution.relaxed
    return np.maximum(solution.values, 0).astype(np.float64)


def _status(solution: Solution, search: _Search, rounded: bool) -> Status:
    if not rounded:
        return Status.UNKNOWN
    if search.gap <= TIGHT:
        return Status.OPTIMAL
    solved = solution.status in (Status.OPTIMAL, Status.FRACTIONAL)
    return Status.FRACTIONAL if solved else Status.FEASIBLE


def _concept_values(problem: Problem, stated: SummaryGraph, values: Floats) -> Floats:
    """Return the values of concepts; one without a variable has that of its best occurrence."""
    found = values[np.maximum(stated.concept_variables, 0)]
    absent = stated.concept_variables < 0
    if absent.any():
        found[absent] = _from_tokens(problem, values[stated.token_variables])[absent]
    return found


def _from_tokens(problem: Problem, token_values: Floats) -> Floats:
    """Compute for each concept the maximum over occurrences of the minimum value of its words."""
    words: Ints = np.concatenate([[0], np.cumsum(problem.is_word)]).astype(np.int32)
    concept, _, first, last = problem.occurrences
    spans = np.stack([words[first], words[last + 1]], axis=1).ravel()
    padded = np.append(token_values[problem.is_word], 0.0)
    found = np.zeros(len(problem.concepts))
    if len(spans):
        np.maximum.at(found, concept, np.minimum.reduceat(padded, spans)[::2])
    return found
