"""Tags for a training set by taggers that have not seen what they tag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.corpus import Sentence
from treaty.errors import UsageError
from treaty.parse._tagger import Tagger
from treaty.progress import OnProgress

__all__ = ["jackknife"]


def jackknife(
    sentences: Iterable[Sentence],
    *,
    folds: int = 10,
    seed: int = 1,
    threads: int = 1,
    **options: Any,
) -> list[Sentence]:
    """Tag a training set by taggers that have not seen what they tag.

    A parser that is trained on such tags has met the mistakes it will meet in use.

    Parameters
    ----------
    sentences
        The training set, tagged.
    folds
        Into so many parts the documents are dealt out, or the sentences where there are no
        documents; each is tagged by a tagger trained on the others.
    seed, threads, **options
        As `Tagger.train` has them.

    Returns
    -------
    list of Sentence
        Copies of the sentences, in their order, with predicted tags.
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
    """Give the part of each sentence.

    A document's sentences stay together: its names would be known to a tagger that has seen some of
    them, and its tags better than those of new texts.
    """
    begins = [any(c.startswith("# newdoc") for c in s.comments) for s in sentences]
    document = np.cumsum(begins)
    if sum(begins) < folds:
        document = np.arange(len(sentences))
    dealt = np.random.default_rng(seed).permutation(int(document[-1]) + 1)
    return np.asarray(dealt[document] % folds)
