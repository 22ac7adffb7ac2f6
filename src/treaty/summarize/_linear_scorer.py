"""Scores of concepts and of cuts by learned weights, and the files that they live in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import ModelError, TreatyError, UsageError
from treaty.features import TemplateSet
from treaty.learn import ModelFile, load_model, pack_weights, save_model
from treaty.parse import model_path
from treaty.summarize._arc_features import ArcFeatures
from treaty.summarize._concepts import finder_of
from treaty.summarize._coverage_features import CoverageFeatures
from treaty.summarize._problem import Problem
from treaty.summarize._summarizer import Summarizer

__all__ = ["TASKS", "LinearScorer", "load_summarizer", "save_summarizer"]

Floats = npt.NDArray[np.float64]

TASK = "summarizer"
BIGRAMS = "bigrams"
COMPRESSIVE, EXTRACTIVE, COMPRESSION = TASKS = ("compressive", "extractive", "compression")
"""Compressive and extractive summarization, and compression of single sentences: the paper's #1, #2
and #3."""


@dataclass(frozen=True, eq=False)
class LinearScorer:
    """Scores concepts and cuts by the weights of the task at hand.

    Sentences that have trees are going to be compressed, others only extracted; sentences without
    concepts are compressed one by one. Each of the three tasks has weights of its own.

    Attributes
    ----------
    coverage, arcs
        The features of concepts and of cuts.
    weights
        A table for each of `TASKS`.
    """

    coverage: CoverageFeatures
    arcs: ArcFeatures
    weights: dict[str, npt.NDArray[np.floating[Any]]]

    def concept_scores(self, problem: Problem) -> Floats:
        """Score each concept of a problem."""
        parsed = all(source.is_parsed for source in problem.sources)
        weights = self.weights[COMPRESSIVE if parsed else EXTRACTIVE]
        return self.coverage(problem).scores(weights)

    def cut_scores(self, problem: Problem) -> Floats:
        """Score for each token that it is cut off while its head stays."""
        weights = self.weights[COMPRESSIVE if problem.concepts else COMPRESSION]
        arcs = self.arcs([source.sentence for source in problem.sources])
        return arcs.scores(weights, "cut")


def save_summarizer(summarizer: Summarizer, path: str | Path) -> None:
    """Write a summarizer to a model file; the parser is named in it, not part of it.

    Raises
    ------
    ModelError
        When its scores are not those of a `LinearScorer`.
    """
    scorer = summarizer.scorer
    if not isinstance(scorer, LinearScorer):
        raise ModelError("only summarizers with learned weights can be saved: train one")
    header = {
        "bits": scorer.arcs.bits,
        "coverage": list(scorer.coverage.templates),
        "arcs": list(scorer.arcs.templates.templates),
        "language": summarizer.language,
        "concepts": summarizer.concepts if isinstance(summarizer.concepts, str | int) else BIGRAMS,
        "parser": summarizer.parser if isinstance(summarizer.parser, str) else None,
        "info": summarizer.info,
    }
    tensors: dict[str, npt.NDArray[np.generic]] = {}
    for name in TASKS:
        tensors |= pack_weights(name, scorer.weights[name].astype(np.float32))
    save_model(path, task=TASK, header=header, tensors=tensors)


def load_summarizer(name: str | Path | IO[bytes] = "summarizer") -> Summarizer:
    """Read a summarizer from a model file, checking everything.

    Parameters
    ----------
    name
        ``"summarizer"`` for the one that comes with Treaty, the path of a file, or an open stream.

    Raises
    ------
    ModelError
        When the file cannot be read, is damaged, or of another task.

    Examples
    --------
    >>> load_summarizer().language
    'en'
    """
    origin = model_path(name) if isinstance(name, str | Path) else name
    file = load_model(origin, task=TASK)
    bits = file.value("bits", int)
    try:
        coverage = CoverageFeatures(file.texts(file.header.get("coverage"), "coverage"), bits)
        templates = TemplateSet(tuple(file.texts(file.header.get("arcs"), "arcs")))
        arcs = ArcFeatures(templates, bits)
    except ModelError:
        raise
    except TreatyError as error:
        raise file.fault(error.message) from error
    weights = {name: file.weights(name, 2**bits) for name in TASKS}
    return Summarizer(
        LinearScorer(coverage, arcs, weights),
        parser=_parser(file),
        language=file.value("language", str),
        concepts=_concepts(file),
        info=file.value("info", dict),
    )


def _concepts(file: ModelFile) -> Any:
    concepts = file.header.get("concepts")
    try:
        finder_of(concepts, str, frozenset())  # type: ignore[arg-type]
    except UsageError as error:
        raise file.fault(error.message) from error
    return concepts


def _parser(file: ModelFile) -> str | None:
    parser = file.header.get("parser")
    return None if parser is None else file.checked(parser, str, "parser")
