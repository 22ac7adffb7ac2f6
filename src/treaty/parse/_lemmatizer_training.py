"""Training of lemmatizers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.errors import UsageError, check_threads
from treaty.learn import WeightsLearner, fit
from treaty.parse._edit_scripts import script_of
from treaty.parse._lemma_dictionary import Candidates, LemmaDictionary, Word
from treaty.parse._lemmatizer import Item, Lemmatizer, word_of
from treaty.progress import OnProgress
from treaty.text import Sentence

__all__ = ["learned_from", "train_lemmatizer"]

Made = TypeVar("Made", bound=Lemmatizer)

AGGRESSIVENESS, DROPOUT = 0.1, 0.3
"""Tuned on English EWT dev."""


def train_lemmatizer(
    kind: type[Made],
    sentences: Iterable[Sentence],
    dev: Sequence[Sentence],
    *,
    epochs: int,
    seed: int,
    batch: int,
    bits: int,
    threads: int,
    checkpoint: str | Path | None,
    resume: bool,
    progress: OnProgress | None,
    base: Lemmatizer | None = None,
) -> tuple[Made, dict[str, float], int]:
    """Train a lemmatizer; see `Lemmatizer.train` for the parameters.

    Returns
    -------
    Lemmatizer, dict, int
        The lemmatizer, its scores on `dev`, and the number of training sentences.
    """
    examples = [s for s in sentences if len(s)]
    if not examples:
        raise UsageError("there are no sentences to train on")
    check_threads(threads)
    lemmas: dict[Word, Counter[str]] = defaultdict(Counter)
    for sentence in examples:
        for token in sentence.tokens:
            if token.form and token.lemma not in ("", "_"):
                lemmas[word_of(token)][token.lemma] += 1
    if not lemmas:
        raise UsageError("the training data have no lemmas: choose a treebank that has them")
    own = LemmaDictionary.of(lemmas)
    if base is None:
        made = kind(own, bits=bits)
    else:
        dictionary = base.dictionary.extended(own)
        made = kind(dictionary, templates=base.templates, bits=base.bits)
        made.model.weights.values[:] = base.model.weights.values
    items, gold = learned_from(made.dictionary, examples)
    sequences, choices = made.hashed(items)

    def step(ids: npt.NDArray[np.int32]) -> None:
        native.train_tagger(
            made.model, sequences, choices, gold, ids, AGGRESSIVENESS, DROPOUT, batch, threads
        )

    learner = WeightsLearner(made.model.weights, step)
    fit(
        learner,
        len(items),
        epochs=epochs,
        seed=seed,
        stage=kind.task,
        evaluate=learner.scoring(lambda: made.evaluate(dev, threads=threads)) if dev else None,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        made_from={
            "bits": made.bits,
            "batch": batch,
            "templates": made.templates,
            "data": examples,
            **({} if base is None else {"from": base.model.weights.values}),
        },
    )
    learner.finish()
    return made, made.evaluate(dev, threads=threads) if dev else {}, len(examples)


def learned_from(
    dictionary: LemmaDictionary, sentences: Sequence[Sentence]
) -> tuple[list[Item], npt.NDArray[np.int32]]:
    """List what the classifier learns from, and the right script of each.

    Every word with its tags counts once, as if it were not in the dictionary; words for which the
    dictionary has several scripts count each time.
    """
    numbers = {script: number for number, script in enumerate(dictionary.scripts)}
    number_of = cache(lambda form, lemma: numbers[script_of(form, lemma)])
    find = cache(dictionary.find)
    items: list[Item] = []
    gold: list[int] = []
    seen: set[Word] = set()
    for sentence in sentences:
        for place, token in enumerate(sentence.tokens):
            if not token.form or token.lemma in ("", "_"):
                continue
            word, right = word_of(token), number_of(token.form, token.lemma)
            known = find(word)
            if right not in known.scripts:
                continue
            found = [known]
            if word not in seen:
                seen.add(word)
                found.append(_with(dictionary.like(word), right, token.lemma))
            for candidates in found:
                if len(candidates.scripts) > 1:
                    items.append(Item.of(sentence.tokens, place, candidates))
                    gold.append(right)
    return items, np.array(gold, np.int32)


def _with(candidates: Candidates, script: int, lemma: str) -> Candidates:
    if script in candidates.scripts:
        return candidates
    lemmas, scripts, bases = candidates
    return Candidates((*lemmas, lemma), (*scripts, script), bases)
