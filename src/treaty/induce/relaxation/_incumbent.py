"""Answers: parses of a corpus, and how relaxed ones are made into them (section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._corpus import Corpus
from treaty.induce._features import Features
from treaty.induce._grammar import Grammar
from treaty.induce._viterbi import Parses, viterbi
from treaty.induce.relaxation._layout import Doubles
from treaty.induce.relaxation._posterior import best_trees, meets, priced_viterbi
from treaty.induce.relaxation._program import Program
from treaty.induce.relaxation._projection import PROJECTIONS, project_parameters

__all__ = ["Answer", "Projector"]


@dataclass(frozen=True, eq=False)
class Answer:
    """Trees for all sentences of a corpus, and their log-likelihood."""

    objective: float
    heads: npt.NDArray[np.int32]


class Projector:
    """The projecting step: relaxed parameters, relaxed parses, then a few steps of Viterbi EM.

    Parameters
    ----------
    corpus, program
        The corpus, and its program.
    constraint
        What answers must satisfy; those that do not are dropped.
    method
        How parameters are projected: ``"normalize"``, or ``"simplex"`` for the nearest point.
    before
        Added to the probabilities before they are projected.
    steps
        Of Viterbi EM after projecting.
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
    ) -> None:
        if method not in PROJECTIONS:
            raise UsageError(f"projection: expected {' or '.join(PROJECTIONS)}, got {method!r}")
        self._corpus, self._program, self._constraint = corpus, program, constraint
        self._method, self._before, self._steps = method, before, steps

    def __call__(self, x: Doubles) -> Iterator[Answer]:
        """Make answers of a relaxed one."""
        heads = best_trees(self._program, x)
        are_copies_apart = self._constraint is not None
        yield from self.climb(heads if are_copies_apart else self._corpus.spread(heads))
        parses = self._parse(Features.from_flat(self._weights(x)))
        if parses is not None:
            yield from self.climb(parses.heads)

    def climb(self, heads: npt.NDArray[np.int32]) -> Iterator[Answer]:
        """Improve parses by Viterbi EM, as long as they become better."""
        best, smoothing = -np.inf, self._program.smoothing
        for _ in range(self._steps + 1):
            counts = self._corpus.count(heads)
            objective = counts.log_likelihood(smoothing)
            if objective <= best:
                return
            if meets(self._constraint, self._corpus, counts):
                best = objective
                yield Answer(objective, heads)
            parses = self._parse(Grammar.estimate(counts, self._corpus.tags, smoothing))
            if parses is None:
                return
            heads = parses.heads

    def _weights(self, x: Doubles) -> Doubles:
        """Project the parameters; those that no parse uses stay at the floor."""
        program = self._program
        probabilities = np.full(program.layout.count, program.floor)
        probabilities[program.live] = np.exp(x[: program.parameters])
        projected = project_parameters(
            probabilities, program.layout.distribution, self._method, self._before
        )
        return np.log(np.maximum(projected, program.floor))

    def _parse(self, weights: Features) -> Parses | None:
        if self._constraint is None:
            return viterbi(self._corpus, weights)
        return priced_viterbi(self._corpus, weights, self._constraint)
