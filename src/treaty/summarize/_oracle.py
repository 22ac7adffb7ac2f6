"""Oracle summaries: the best ones given the references, to train on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from treaty.summarize._concepts import ConceptFinder
from treaty.summarize._decode import Decoded, decode
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._source import Source
from treaty.text import Sentence

__all__ = ["oracle", "reference_counts"]

CUT = -0.05
"""Cost of a cut, compared with 1 for a concept of one reference: oracles cut only for a gain."""


def reference_counts(
    problem: Problem, references: Iterable[Sequence[Sentence]], find: ConceptFinder
) -> Floats:
    """Count the references that contain each concept of a problem.

    Parameters
    ----------
    problem
        The problem.
    references
        The sentences of each human summary.
    find
        The concept finder, the same as in the problem.
    """
    numbers = {name: number for number, name in enumerate(problem.concepts)}
    counts = np.zeros(len(problem.concepts))
    for sentences in references:
        said = {name for sentence in sentences for name, _, _ in find(Source(0, 0, sentence))}
        for name in said:
            if name in numbers:
                counts[numbers[name]] += 1.0
    return counts


def oracle(
    problem: Problem, counts: Floats, *, words: int, sentences: int | None, compressive: bool
) -> Decoded:
    """Find the summary with the highest recall of the references' concepts, exactly (ILP)."""
    cuts = np.full(len(problem.source_of), CUT) if compressive else None
    return decode(problem, counts, cuts, words=words, sentences=sentences, method="ilp")
