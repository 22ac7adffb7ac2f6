"""Confidences of tags, arcs and labels: evidence, calibration, and their place in MISC.

The confidence of a tag is its probability under the tagger (forward-backward); that of an arc is
made from its probability under the pruner (matrix-tree) and its margin: by how much the score of
the tree falls with the next best head. That of a label is for the head and the label together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.learn import Calibration, ModelFile, logit
from treaty.parse._misc import with_misc
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.parse._pipeline import Pipeline

__all__ = [
    "ARC_EVIDENCE",
    "LABEL_EVIDENCE",
    "TAG_EVIDENCE",
    "ParserCalibration",
    "arc_evidence",
    "calibrate",
    "tag_evidence",
    "with_confidences",
    "without_confidences",
    "written",
]

Doubles = npt.NDArray[np.float64]
TAG, ARC, LABEL = "TagConfidence", "ArcConfidence", "LabelConfidence"
TAG_EVIDENCE, ARC_EVIDENCE, LABEL_EVIDENCE = 1, 2, 3
DIGITS = 4


def tag_evidence(probability: Doubles) -> Doubles:
    """Return the evidence for tags, a row for each."""
    return logit(probability).reshape(-1, TAG_EVIDENCE)


def arc_evidence(found: Mapping[str, Any]) -> Doubles:
    """Return the evidence for labels, a row for each; that for arcs is without the last column."""
    margins = [np.log1p(np.maximum(found[name], 0.0)) for name in ("margin", "label_margin")]
    return np.column_stack([logit(found["marginal"]), *margins])


class ParserCalibration:
    """The calibrations of a parser: of arcs, and of arcs with labels."""

    def __init__(self, arc: Calibration | None = None, label: Calibration | None = None) -> None:
        self.arc = arc or Calibration.none(ARC_EVIDENCE)
        self.label = label or Calibration.none(LABEL_EVIDENCE)

    def __call__(self, found: Mapping[str, Any]) -> tuple[list[str], list[str]]:
        """Write the confidences of all arcs and labels of the native parser's answer."""
        evidence = arc_evidence(found)
        return (
            written(self.arc(evidence[:, :ARC_EVIDENCE])),
            written(self.label(evidence)),
        )

    def header(self) -> dict[str, Any]:
        """Return the entry of the header of a model file."""
        if self.label == Calibration.none(LABEL_EVIDENCE) and self.arc == Calibration.none(
            ARC_EVIDENCE
        ):
            return {}
        return {"calibration": {"arc": self.arc.to_list(), "label": self.label.to_list()}}

    @classmethod
    def from_file(cls, file: ModelFile) -> ParserCalibration:
        """Read and validate them."""
        return cls(
            Calibration.from_file(file, "arc", ARC_EVIDENCE),
            Calibration.from_file(file, "label", LABEL_EVIDENCE),
        )


def written(confidences: Doubles) -> list[str]:
    """Write probabilities as they are in MISC.

    >>> written(np.array([0.5, 1.0, 1e-7]))
    ['0.5', '1', '0']
    """
    return [f"{p:.{DIGITS}f}".rstrip("0").rstrip(".") for p in confidences.tolist()]


def with_confidences(sentence: Sentence, **values: Iterable[str]) -> Sentence:
    """Write confidences (``Tag=``, ``Arc=`` or ``Label=``) of all words into MISC.

    Examples
    --------
    >>> hush = with_confidences(Sentence.from_words(["Hush"]), Tag=["0.5"], Arc=["1"])
    >>> hush.tokens[0].misc
    'TagConfidence=0.5|ArcConfidence=1'
    """
    names = [f"{name}Confidence" for name in values]
    tokens = [
        replace(token, misc=with_misc(token.misc, dict(zip(names, own, strict=True))))
        for token, *own in zip(sentence.tokens, *values.values(), strict=True)
    ]
    return Sentence(tokens, sentence.comments, sentence.other_lines)


def without_confidences(sentence: Sentence) -> Sentence:
    """Remove the confidences of tags, arcs and labels from MISC."""
    if not any("Confidence=" in token.misc for token in sentence.tokens):
        return sentence
    gone = dict.fromkeys((TAG, ARC, LABEL))
    tokens = [replace(token, misc=with_misc(token.misc, gone)) for token in sentence.tokens]
    return Sentence(tokens, sentence.comments, sentence.other_lines)


# Fitting


def calibrate(pipeline: Pipeline, gold: Sequence[Sentence], threads: int = 1) -> None:
    """Fit the calibrations of a pipeline on dev data: of tags, arcs, labels, and choices of tags.

    Parameters
    ----------
    pipeline
        The pipeline, which is changed.
    gold
        Sentences with tags and trees that it was not trained on.
    threads
        Number of threads; the result does not depend on it.
    """
    sentences = [sentence for sentence in gold if len(sentence)]
    if not sentences:
        raise UsageError("there are no sentences to calibrate confidences on")
    tagger, parser = pipeline.tagger, pipeline.parser
    seen = sentences
    if tagger is not None:
        column = tagger.taggers[0]
        tags, probability = column.choose_with_probabilities(sentences, threads)
        right = [getattr(t, column.column) for s in sentences for t in s.tokens]
        truth = [tag == own for tag, own in zip(tags, right, strict=True)]
        tagger.calibration = Calibration.fit(tag_evidence(probability), truth)
        seen = list(tagger.predict(sentences, threads=threads))
    rows, arcs, labels = [], list[bool](), list[bool]()
    for sentence, head, label, evidence in _arcs(pipeline, sentences, seen, threads):
        rows.append(evidence)
        arcs += [t.head == h for t, h in zip(sentence.tokens, head, strict=True)]
        known = zip(sentence.tokens, head, label, strict=True)
        labels += [t.head == h and t.deprel == name for t, h, name in known]
    every = np.concatenate(rows)
    parser.calibration = ParserCalibration(
        Calibration.fit(every[:, :ARC_EVIDENCE], arcs), Calibration.fit(every, labels)
    )
    if tagger is not None:
        from treaty.parse._tag_choice import fit_tag_choice

        pipeline.tag_choice = fit_tag_choice(tagger, parser, sentences, threads)


def _arcs(
    pipeline: Pipeline, gold: Sequence[Sentence], seen: Sequence[Sentence], threads: int
) -> Iterator[tuple[Sentence, list[int], list[str], Doubles]]:
    parser, done = pipeline.parser, 0
    for batch, found in parser.found(seen, threads=threads, margins=True):
        evidence, begin = arc_evidence(found), 0
        for _ in batch:
            sentence = gold[done]
            words = slice(begin + 1, begin + len(sentence) + 1)
            names = [parser.labels[number] for number in found["label"][words]]
            yield sentence, found["head"][words].tolist(), names, evidence[words]
            begin, done = words.stop, done + 1
