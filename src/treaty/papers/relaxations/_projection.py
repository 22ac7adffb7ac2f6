"""The projection step: from a relaxed solution to a grammar and parses (section 5)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._features import Features, Floats, Heads, Ints
from treaty.induce._grammar import Grammar
from treaty.induce._viterbi import Parses, viterbi
from treaty.papers.relaxations._posterior import best_trees, priced_viterbi
from treaty.papers.relaxations._program import Program

__all__ = ["Answer", "Projector", "normalized", "on_simplex", "project_parameters"]


def normalized(values: Floats) -> Floats:
    """Divide nonnegative numbers by their sum.

    Examples
    --------
    >>> normalized(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    total = values.sum()
    return values / total if total > 0 else np.full(len(values), 1.0 / len(values))


def on_simplex(values: Floats) -> Floats:
    """Project onto the simplex in Euclidean distance (Chen & Ye 2011).

    Examples
    --------
    >>> on_simplex(np.array([1.0, 0.5, -1.0]))
    array([0.75, 0.25, 0.  ])
    """
    falling = np.sort(values)[::-1]
    shift = (np.cumsum(falling) - 1.0) / np.arange(1, len(values) + 1)
    last = int(np.flatnonzero(falling > shift)[-1])
    projected: Floats = np.maximum(values - shift[last], 0.0)
    return projected


MOST_KNOWN = 100_000  # parses that are remembered
PROJECTIONS = {"normalize": normalized, "simplex": on_simplex}


def project_parameters(
    probabilities: Floats, distribution: Ints, method: str, smoothing: float
) -> Floats:
    """Normalize every distribution, after adding `smoothing` to each of its values."""
    projected = np.zeros(len(probabilities))
    for number in np.unique(distribution):
        own = distribution == number
        projected[own] = PROJECTIONS[method](probabilities[own] + smoothing)
    return projected


@dataclass(frozen=True, eq=False)
class Answer:
    """Trees for all sentences of a corpus, and their log-likelihood."""

    objective: float
    heads: Heads


class Projector:
    """The projection step: relaxed parameters, relaxed parses, then a few steps of Viterbi EM.

    Parameters
    ----------
    corpus, program
        The corpus, and its program.
    constraint
        A constraint on answers; those that violate it are dropped.
    method
        Projection of parameters: ``"normalize"``, or ``"simplex"`` for the nearest point.
    before
        Added to the probabilities before projection.
    steps
        Steps of Viterbi EM after projection.
    smoothing
        Added to every count in these steps, but not in the objective; the paper adds one. By
        default the smoothing of the objective.
    """

    def __init__(
        self,
        corpus: Corpus,
        program: Program,
        constraint: EdgeConstraint | None = None,
        *,
        method: str = "normalize",
        before: float = 0.0,
        steps: int = 5,
        smoothing: float | None = None,
    ) -> None:
        if method not in PROJECTIONS:
            raise UsageError(f"projection: expected {' or '.join(PROJECTIONS)}, got {method!r}")
        self._corpus, self._program, self._constraint = corpus, program, constraint
        self._method, self._before, self._steps = method, before, steps
        self._smoothing = program.smoothing if smoothing is None else smoothing
        self._climbed: set[bytes] = set()

    def __call__(self, x: Floats) -> Iterator[Answer]:
        """Make answers from a relaxed solution; parses from which it climbed before are skipped."""
        heads = best_trees(self._program, x)
        are_copies_apart = self._constraint is not None
        yield from self.climb(heads if are_copies_apart else self._corpus.spread(heads))
        parses = self._parse(Features.from_flat(self._weights(x)))
        if parses is not None:
            yield from self.climb(parses.heads)

    def climb(self, heads: Heads) -> Iterator[Answer]:
        """Improve parses by Viterbi EM until there is no more improvement."""
        best = -np.inf
        for _ in range(self._steps + 1):
            if self._is_known(heads):
                return
            counts = self._corpus.count(heads)
            objective = counts.log_likelihood(self._program.smoothing)
            if objective <= best:
                return
            if self._constraint is None or self._constraint.allows(counts, self._corpus):
                best = objective
                yield Answer(objective, heads)
            parses = self._parse(Grammar.estimate(counts, self._corpus.tags, self._smoothing))
            if parses is None:
                return
            heads = parses.heads

    def _is_known(self, heads: Heads) -> bool:
        """Return whether parses were met before; they lead to the same answers."""
        key = hashlib.blake2b(heads.tobytes(), digest_size=16).digest()
        if key in self._climbed:
            return True
        if len(self._climbed) >= MOST_KNOWN:
            self._climbed.clear()
        self._climbed.add(key)
        return False

    def _weights(self, x: Floats) -> Floats:
        """Project the parameters; those that no parse uses stay at the floor."""
        program = self._program
        probabilities = np.full(program.layout.size, program.floor)
        probabilities[program.live] = np.exp(x[: program.parameters])
        projected = project_parameters(
            probabilities, program.layout.distribution, self._method, self._before
        )
        return np.log(np.maximum(projected, program.floor))

    def _parse(self, weights: Features) -> Parses | None:
        if self._constraint is None:
            return viterbi(self._corpus, weights)
        return priced_viterbi(self._corpus, weights, self._constraint)
