"""Training of taggers, one column at a time; optionally the mean of several runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.errors import UsageError, check_threads
from treaty.learn import WeightsLearner, checkpoint_of, fit, mean_of_trainings
from treaty.parse._clusters import Clusters
from treaty.parse._column_tagger import (
    TAG_COLUMNS,
    ColumnTagger,
    column_scores,
    completed,
    has_column,
    tagged,
)
from treaty.parse._continuing import continued_tagger
from treaty.parse._tag_dictionary import TagDictionary
from treaty.progress import OnProgress
from treaty.text import Sentence

__all__ = ["train_columns"]

AGGRESSIVENESS, DROPOUT = 0.1, 0.5
"""Tuned on English EWT dev, together with the epochs: dropout helps with many epochs; it was not
tried alone."""
WARM_UP = 10
"""Number of initial epochs left out of the average, if there are more."""


def train_columns(
    sentences: Iterable[Sentence],
    columns: Sequence[str],
    dev: Sequence[Sentence],
    *,
    clusters: Clusters | None,
    vector_clusters: Clusters | None,
    lexicon: Clusters | None,
    epochs: int,
    seed: int,
    seeds: int,
    bits: int,
    batch: int,
    threads: int,
    checkpoint: str | Path | None,
    resume: bool,
    progress: OnProgress | None,
    base: Sequence[ColumnTagger] | None = None,
) -> tuple[list[ColumnTagger], dict[str, float], int]:
    """Train the columns of a tagger; see `Tagger.train` for the parameters.

    Returns
    -------
    list of ColumnTagger, dict, int
        The taggers, their scores on `dev`, and the number of training sentences.
    """
    given = [s for s in sentences if len(s)]
    examples = given if base is None else completed(base, given, threads)
    _check(given, columns, base is not None)
    check_threads(threads)
    if seeds < 1:
        raise UsageError(f"seeds must be at least 1, not {seeds}")
    taggers: list[ColumnTagger] = []
    scores: dict[str, float] = {}
    for column in columns:
        filled = [e for s, e in zip(given, examples, strict=True) if has_column(s, column)]
        options = {
            "earlier": [t.column for t in taggers],
            "clusters": clusters,
            "vector_clusters": vector_clusters,
            "lexicon": lexicon,
        }
        if base is not None and not filled:  # nothing can be learned
            taggers.append(base[len(taggers)])
            continue
        if base is None:
            tagger, begin = _new_tagger(filled, column, bits=bits, **options), None
        else:
            tagger, begin = continued_tagger(base[len(taggers)], filled)
        training = _Training(tagger, filled, batch, threads, 0 if base else WARM_UP)
        scorer = training.scorer(tagged(taggers, dev, threads), dev) if dev else None
        for number in mean_of_trainings(tagger.model.weights, seeds, begin):
            name = column if number == 0 else f"{column}-{number + 1}"
            learner = training.learner()
            fit(
                learner,
                len(filled),
                epochs=epochs,
                seed=seed + number,
                stage=name,
                evaluate=scorer and learner.scoring(scorer),
                checkpoint=checkpoint_of(checkpoint, name),
                resume=resume,
                progress=progress,
                made_from={
                    "bits": bits,
                    "batch": batch,
                    "templates": tagger.templates,
                    "clusters": [clusters, vector_clusters, lexicon],
                    "data": filled,
                    **({} if begin is None else {"from": begin}),
                },
            )
            learner.finish()
        taggers.append(tagger)
        scores |= scorer() if scorer else {}
    return taggers, scores, len(examples)


class _Training:
    """The tagger of a column with its training data and learner."""

    def __init__(
        self,
        tagger: ColumnTagger,
        sentences: Sequence[Sentence],
        batch: int,
        threads: int,
        warm_up: int,
    ) -> None:
        self.tagger, self.threads, self.warm_up = tagger, threads, warm_up * len(sentences)
        numbers = {tag: number for number, tag in enumerate(tagger.tags)}
        gold = [numbers[getattr(t, tagger.column)] for s in sentences for t in s.tokens]
        sequences, classes = tagger.read(sentences)
        choices = native.TagChoices(sequences, *tagger.dictionary.flat(gold, classes))
        flat = np.array(gold, np.int32)

        def step(ids: npt.NDArray[np.int32]) -> None:
            native.train_tagger(
                tagger.model, sequences, choices, flat, ids, AGGRESSIVENESS, DROPOUT, batch, threads
            )

        self.step = step

    def learner(self) -> WeightsLearner:
        """Start training again from zero."""
        return WeightsLearner(self.tagger.model.weights, self.step, warm_up=self.warm_up)

    def scorer(
        self, sentences: Sequence[Sentence], gold: Sequence[Sentence]
    ) -> Callable[[], dict[str, float]]:
        """Make a scorer of the column; `sentences` have predicted earlier columns."""
        return lambda: column_scores(
            gold, tagged([self.tagger], sentences, self.threads), [self.tagger.column]
        )


def _new_tagger(sentences: Sequence[Sentence], column: str, **options: Any) -> ColumnTagger:
    tags = sorted({getattr(token, column) for s in sentences for token in s.tokens})
    numbers = {tag: number for number, tag in enumerate(tags)}
    items = ((t.form, numbers[getattr(t, column)]) for s in sentences for t in s.tokens)
    dictionary = TagDictionary.of(items, len(tags))
    return ColumnTagger(column, tags, dictionary, **options)


def _check(sentences: Sequence[Sentence], columns: Sequence[str], going_on: bool) -> None:
    if not sentences:
        raise UsageError("there are no sentences to train on")
    if not columns or len(set(columns)) < len(columns) or not set(columns) <= set(TAG_COLUMNS):
        raise UsageError(
            f"columns must be among {', '.join(TAG_COLUMNS)}, not {', '.join(columns)}"
        )
    empty = [c for c in columns if not any(has_column(s, c) for s in sentences)]
    if going_on and len(empty) == len(columns):
        raise UsageError(f"the data have no tags ({', '.join(columns)}): these are learned from")
    if empty and not going_on:
        raise UsageError(
            f"the column {empty[0]} is empty in the training data: choose other columns"
        )
