"""Jackknifing: tags for a training set by taggers that were not trained on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.parse._tagger import Tagger
from treaty.progress import OnProgress
from treaty.text import Sentence

__all__ = ["jackknife"]


def jackknife(
    sentences: Iterable[Sentence],
    *,
    folds: int = 10,
    seed: int = 1,
    threads: int = 1,
    **options: Any,
) -> list[Sentence]:
    """Tag a training set by taggers that were not trained on the sentences they tag.

    A parser trained on such tags has seen the kind of tagging errors it will meet in use.

    Parameters
    ----------
    sentences
        The training set, tagged.
    folds
        Number of parts into which the documents are split, or the sentences if there are no
        documents; each part is tagged by a tagger trained on the others.
    seed, threads, **options
        As in `Tagger.train`.

    Returns
    -------
    list of Sentence
        Copies of the sentences, in order, with predicted tags.
    """
    examples = list(sentences)
    if not 2 <= folds <= len(examples):
        raise UsageError(
            f"folds must be from 2 to the number of sentences, {len(examples)}, not {folds}"
        )
    part = _deal_out(examples, folds, seed)
    result = list(examples)
    progress = options.pop("progress", None)
    for fold in range(folds):
        own = np.flatnonzero(part == fold).tolist()
        others = [examples[i] for i in np.flatnonzero(part != fold).tolist()]
        told = progress and _of_fold(progress, fold + 1)
        tagger = Tagger.train(others, seed=seed, threads=threads, progress=told, **options)
        for i, tagged in zip(
            own, tagger.predict([examples[i] for i in own], threads=threads), strict=True
        ):
            result[i] = tagged
    return result


def _of_fold(progress: OnProgress, fold: int) -> OnProgress:
    return lambda event: progress(replace(event, stage=f"fold {fold}, {event.stage}"))


def _deal_out(sentences: Sequence[Sentence], folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the part of each sentence.

    The sentences of a document stay together: a tagger that has seen some of them would know its
    names, and tag the others better than new texts.
    """
    begins = [any(c.startswith("# newdoc") for c in s.comments) for s in sentences]
    document = np.cumsum(begins)
    if sum(begins) < folds:
        document = np.arange(len(sentences))
    dealt = np.random.default_rng(seed).permutation(int(document[-1]) + 1)
    return np.asarray(dealt[document] % folds)
