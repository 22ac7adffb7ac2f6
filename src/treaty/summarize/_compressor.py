"""Compression of single sentences, with or without hard constraints, tuned to a data set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treaty.errors import UsageError
from treaty.learn import MultiTaskSvm, fit
from treaty.metrics import compression_scores
from treaty.summarize._arc_features import EVENTS, ArcFeatures, ArcTable
from treaty.summarize._compression_task import CompressionTask, Costs, compress_arcs, gold_of
from treaty.summarize._nodes import Floats
from treaty.summarize._problem import Problem
from treaty.summarize._rules import Rules
from treaty.summarize._source import Bools
from treaty.text import Compression, Sentence

__all__ = ["Compressor"]

STEPS = np.arange(-20, 21) / 10.0
"""Steps by which the score of kept words is changed to tune F1, in mean absolute scores."""


@dataclass(frozen=True, eq=False)
class Compressor:
    """Compressor of single sentences, by dynamic programming over their trees (eq. 8).

    Made by `Compressor.train`, to study compression separately: it is not a `Model`, and has no
    file. The paper scores only cuts: ``events=("cut",)``. Scores of words that stay while their
    heads are cut (``"lift"``), so that a subordinate clause can stand alone, and of words that stay
    (``"keep"``) fit data with strong compression better.

    Attributes
    ----------
    features
        The features of arcs.
    weights
        A weight per feature.
    events
        Events that have features.
    rules
        Hard constraints, or None.
    bonus
        Score added for each word that stays: the larger, the longer the compressions.
    tuned_f1
        The F1 of kept words on the sentences that the bonus was tuned on; NaN if it was not tuned.

    Examples
    --------
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> example = Compression(cats, [True, True, False])
    >>> Compressor.train([example] * 8, bits=10, epochs=3).compress([cats])
    [[True, True, False]]
    """

    features: ArcFeatures
    weights: Floats
    events: tuple[str, ...] = ("cut",)
    rules: Rules | None = None
    bonus: float = 0.0
    tuned_f1: float = math.nan

    @classmethod
    def train(
        cls,
        examples: Sequence[Compression],
        dev: Sequence[Compression] = (),
        *,
        events: tuple[str, ...] = ("cut", "lift", "keep"),
        rules: Rules | None = None,
        costs: Costs = Costs(0.0, 1.0, 1.0),  # noqa: B008 - frozen
        regularization: float = 1e-3,
        epochs: int = 10,
        group: int = 4,
        bits: int = 20,
        folds: int = 0,
        seed: int = 1,
    ) -> Compressor:
        """Train on compressions of parsed sentences.

        Parameters
        ----------
        examples, dev
            Sentences with trees. On `dev`, the length of compressions is tuned for the best F1 of
            kept words; without `dev`, it is not tuned.
        events, rules
            Allowed events and hard constraints.
        costs
            Costs of mistakes, see `Costs`.
        regularization, epochs, group, bits, seed
            Settings of the structured SVM.
        folds
            For small data: also tune the length of compressions on `examples`, by cross-validation
            with this number of folds.
        """
        if "cut" not in events or not set(events) <= EVENTS.keys():
            raise UsageError(f"events must include 'cut' and be among {', '.join(EVENTS)}")
        untrained = cls(ArcFeatures(bits=bits), np.zeros(2**bits), events, rules)

        def learn(some: Sequence[Compression]) -> Compressor:
            arcs, cuttable = untrained._arcs([example.sentence for example in some])
            task = CompressionTask(
                arcs, gold_of(some), cuttable, events=events, costs=costs, group=group, seed=seed
            )
            svm = MultiTaskSvm(
                {"compression": task}, 2**bits, shared=False, regularization=regularization,
                first_step=min(1.0, 0.5 / regularization), warm_up=len(task),
            )  # fmt: skip
            fit(svm, len(task), epochs=epochs, seed=seed)
            return replace(untrained, weights=svm.weights("compression"))

        made = learn(examples)
        held_out = [(made, dev)] if dev else []
        for fold in range(folds):
            rest = [example for n, example in enumerate(examples) if n % folds != fold]
            held_out.append((learn(rest), examples[fold::folds]))
        return made._with_bonus(held_out) if held_out else made

    def tuned(self, dev: Sequence[Compression]) -> Compressor:
        """Tune the bonus of kept words for the best F1."""
        return self._with_bonus([(self, dev)])

    def _with_bonus(
        self, held_out: Sequence[tuple[Compressor, Sequence[Compression]]]
    ) -> Compressor:
        """Tune on sentences that compressors with these settings were not trained on."""
        gold = [gold_of(examples).tolist() for _, examples in held_out]
        found: dict[float, list[list[bool]]] = {}
        unit = 0.0
        for compressor, examples in held_out:
            arcs, cuttable = compressor._arcs([example.sentence for example in examples])
            scores = compressor._scores(arcs)
            unit = unit or float(np.abs(scores["cut"]).mean()) or 1.0
            for bonus in (STEPS * unit).tolist():
                kept, _ = compress_arcs(arcs, _longer(scores, bonus), cuttable)
                found.setdefault(bonus, []).append(kept.tolist())
        f1 = {bonus: compression_scores(gold, kept).kept.f1 for bonus, kept in found.items()}
        best = max(f1, key=lambda bonus: (f1[bonus], -abs(bonus)))
        return replace(self, bonus=best, tuned_f1=f1[best])

    def compress(self, sentences: Sequence[Sentence]) -> list[list[bool]]:
        """Return for each word of parsed sentences whether it stays."""
        arcs, cuttable = self._arcs(sentences)
        kept, _ = compress_arcs(arcs, _longer(self._scores(arcs), self.bonus), cuttable)
        return [part.tolist() for part in np.split(kept, arcs.begin[1:-1])]

    def _scores(self, arcs: ArcTable) -> dict[str, Floats]:
        return {event: arcs.scores(self.weights, event) for event in self.events}

    def _arcs(self, sentences: Sequence[Sentence]) -> tuple[ArcTable, Bools | None]:
        arcs = self.features(sentences)
        if self.rules is None:
            return arcs, None
        problem = Problem.of_sentences(sentences, self.rules)
        if len(problem.sources) < len(sentences):
            raise UsageError("a sentence has no words; remove it")
        return replace(arcs, head=problem.heads), problem.cuttable


def _longer(scores: Mapping[str, Floats], bonus: float) -> dict[str, Floats]:
    keep = scores["keep"] if "keep" in scores else np.zeros(len(scores["cut"]))
    return {**scores, "keep": keep + bonus}
