"""Scores of concepts and cuts: by counts, or by learned weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from treaty.errors import TreatyError
from treaty.features import TemplateSet
from treaty.learn import Int, ModelFile, Texts, pack_weights
from treaty.summarize.cuts._arc_features import MOST_BITS, ArcFeatures
from treaty.summarize.cuts._nodes import Floats
from treaty.summarize.decoding._candidates import simple_scores
from treaty.summarize.decoding._problem import Problem
from treaty.summarize.scores._coverage_features import CoverageFeatures

__all__ = [
    "COMPRESSION",
    "COMPRESSIVE",
    "DOCUMENT",
    "EXTRACTIVE",
    "TASKS",
    "LinearScorer",
    "Scorer",
    "SimpleScorer",
]

COMPRESSIVE, EXTRACTIVE, COMPRESSION = TASKS = ("compressive", "extractive", "compression")
"""Compressive and extractive summarization, and compression of single sentences: tasks 1, 2 and 3
of the paper."""
DOCUMENT = "document"
"""Summaries of single documents; a scorer may lack these weights."""
SHIFT = -0.25
"""Added to the scores of a single document's concepts, in standard deviations: what references
hardly ever say is not worth its words."""
FILL = 0.5
"""The same if nothing was learned from single documents: by the weights of other tasks most
concepts score below 0, and summaries would be shorter than asked for."""


class Scorer(Protocol):
    """Scorer of concepts and cuts."""

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        ...

    def cut_scores(self, problem: Problem) -> Floats:
        """Score cutting each token while its head stays."""
        ...


@dataclass(frozen=True)
class SimpleScorer:
    """Scores without a model: concepts by `simple_scores`, and the same score for all cuts.

    Attributes
    ----------
    cut_score
        The score of every cut.
    """

    cut_score: float = -0.5

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        return simple_scores(problem)

    def cut_scores(self, problem: Problem) -> Floats:
        """Score cutting each token while its head stays."""
        return np.full(len(problem.source_of), self.cut_score)


@dataclass(frozen=True, eq=False)
class LinearScorer:
    """Scores of concepts and cuts by the weights of the task.

    Problems with trees are compressive, others extractive; sentences without concepts are
    compressed one by one. Each of these three tasks has its own weights, and so may the concepts of
    single documents. It is pickled as the contents of a model file.

    Attributes
    ----------
    coverage, arcs
        The features of concepts and of cuts.
    weights
        A weight vector for each of `TASKS`, and perhaps for `DOCUMENT`.
    """

    coverage: CoverageFeatures
    arcs: ArcFeatures
    weights: Mapping[str, npt.NDArray[np.floating[Any]]]

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        parsed = all(source.is_parsed for source in problem.sources)
        task = COMPRESSIVE if parsed else EXTRACTIVE
        if not problem.concepts or problem.documents > 1:
            return self.coverage(problem).scores(self.weights[task])
        is_learned = DOCUMENT in self.weights
        scores = self.coverage(problem).scores(self.weights[DOCUMENT if is_learned else task])
        return scores + (SHIFT if is_learned else FILL) * float(scores.std())

    def cut_scores(self, problem: Problem) -> Floats:
        """Score cutting each token while its head stays."""
        weights = self.weights[COMPRESSIVE if problem.concepts else COMPRESSION]
        arcs = self.arcs([source.sentence for source in problem.sources], problem.language)
        return arcs.scores(weights, "cut")

    # Files

    def to_file(self) -> ModelFile:
        """Return its part of a model file."""
        header = {
            "bits": self.arcs.bits,
            "coverage": list(self.coverage.templates),
            "arcs": list(self.arcs.templates.templates),
        }
        tensors: dict[str, npt.NDArray[np.generic]] = {}
        for name, weights in self.weights.items():
            tensors |= pack_weights(name, weights.astype(np.float32))
        return ModelFile("scorer", header, tensors)

    @classmethod
    def from_file(cls, file: ModelFile) -> LinearScorer:
        """Make a scorer from the contents of a file and validate it."""
        bits = file.value("bits", Int(1, MOST_BITS))
        coverage, arcs = (file.strings(name, Texts(1)) for name in ("coverage", "arcs"))
        try:
            features = CoverageFeatures(coverage, bits), ArcFeatures(TemplateSet(tuple(arcs)), bits)
        except TreatyError as error:
            raise file.fault(error.message) from error
        names = [*TASKS, *([DOCUMENT] if f"{DOCUMENT}.codes" in file.tensors else [])]
        return cls(*features, {name: file.weights(name, 2**bits) for name in names})

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.to_file().to_bytes(),)


def _unpickled(data: bytes) -> LinearScorer:
    return LinearScorer.from_file(ModelFile.from_bytes(data))
