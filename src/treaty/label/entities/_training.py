"""Training of an entity labeller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.corpus import ColumnSentence, convert_labels, scheme_named, spans_of_labels
from treaty.corpus._schemes import check_labels
from treaty.errors import UsageError
from treaty.label._crf import PatternCrf
from treaty.label.entities._clusters import Clusters
from treaty.label.entities._features import Features
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import frequent_words
from treaty.label.entities._kinds import chain_kinds, phrase_kinds
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._settings import EntitySettings
from treaty.label.entities._templates import entity_templates
from treaty.parse import Tagger, model_path

__all__ = ["train_entities"]

Report = Callable[[int, int, int, Mapping[str, float] | None], object]
EPOCHS = {"likelihood": 30, "perceptron": 10, "mira": 10}


def train_entities(
    messages: Iterable[ColumnSentence],
    dev: Iterable[ColumnSentence] = (),
    *,
    clusters: Clusters | None = None,
    gazetteers: Gazetteers | None = None,
    learner: str = "mira",
    epochs: int | None = None,
    seed: int = 1,
    threads: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Report | None = None,
    info: Mapping[str, Any] | None = None,
    training: Mapping[str, Any] | None = None,
    **settings: Any,
) -> EntityLabeler:
    """Train a labeller on messages with labels.

    Parameters
    ----------
    messages, dev
        To learn from, and to score on after each epoch. Labels may be of any scheme.
    clusters, gazetteers
        Word clusters and lists of names; the model keeps them.
    learner
        ``"mira"``, ``"perceptron"``, or ``"likelihood"`` for chains.
    epochs, seed
        How often the messages are seen, and what their order depends on.
    threads
        For decoding; the model does not depend on it.
    checkpoint, resume
        A file for the state after each epoch, and whether to go on from it.
    report
        Called with the epoch, groups seen, groups in all, and the scores at the end of an epoch.
    info
        Kept in the model: language, licence and the like.
    training
        More options of `PatternCrf.train`.
    **settings
        The form of the labeller; see `EntitySettings`.

    Returns
    -------
    EntityLabeler
        Ready to label and to be saved.
    """
    examples, held_out = _checked(messages), _checked(dev)
    if not examples:
        raise UsageError("there are no messages to learn from")
    labeler = _untrained(examples, EntitySettings(**settings), clusters, gazetteers)
    words = [example.words for example in examples]
    groups = labeler.groups(words)
    instances = labeler.instances(words, groups)
    gold = gold_labels(labeler, examples, groups)

    def tell(epoch: int, seen: int, scores: Mapping[str, float] | None) -> None:
        if report is not None:
            report(epoch, seen, len(groups), scores)

    scores = labeler.crf.train(
        instances,
        gold,
        learner=learner,
        epochs=epochs or EPOCHS[learner],
        seed=seed,
        threads=threads,
        dev_score=dev_scorer(labeler, held_out, threads) if held_out else None,
        checkpoint=checkpoint,
        resume=resume,
        report=tell,
        **(training or {}),
    )
    labeler.info = {
        **(info or {}),
        "training": {
            "messages": len(examples),
            "groups": len(groups),
            "learner": learner,
            "epochs": epochs or EPOCHS[learner],
            "seed": seed,
            **(training or {}),
        },
        **({"dev": dict(scores[-1])} if scores and scores[-1] else {}),
    }
    return labeler


def gold_labels(
    labeler: EntityLabeler, examples: Sequence[ColumnSentence], groups: Sequence[Sequence[int]]
) -> npt.NDArray[np.int32]:
    """Give the labels of all words by number, group by group."""
    number = {label: i for i, label in enumerate(labeler.labels)}
    scheme = labeler.settings.scheme
    rows = [convert_labels(examples[i].labels, scheme) for group in groups for i in group]
    return np.array([number[label] for row in rows for label in row], np.int32)


def dev_scorer(
    labeler: EntityLabeler, held_out: Sequence[ColumnSentence], threads: int
) -> Callable[[PatternCrf], Mapping[str, float]]:
    """Make what scores a model on dev data; features are looked up once."""
    words = [example.words for example in held_out]
    groups = labeler.groups(words)
    instances = labeler.instances(words, groups)
    gold = [spans_of_labels(held_out[i].labels) for group in groups for i in group]
    ends = np.cumsum([len(words[i]) for group in groups for i in group])

    def score(crf: PatternCrf) -> Mapping[str, float]:
        labels = np.concatenate([x.labels for x in crf.decode(instances, threads=threads)])
        right = found = 0
        for spans, row in zip(gold, np.split(labels, ends[:-1]), strict=True):
            answer = set(spans_of_labels([labeler.labels[label] for label in row.tolist()]))
            right, found = right + len(answer.intersection(spans)), found + len(answer)
        total = found + sum(map(len, gold))
        return {"f1": 2 * right / total if total else 0.0}

    return score


def _checked(messages: Iterable[ColumnSentence]) -> list[ColumnSentence]:
    examples = [message for message in messages if len(message)]
    for example in examples:
        check_labels(example.labels)
    return examples


def _untrained(
    examples: Sequence[ColumnSentence],
    settings: EntitySettings,
    clusters: Clusters | None,
    gazetteers: Gazetteers | None,
) -> EntityLabeler:
    words = [example.words for example in examples]
    spans = [spans_of_labels(example.labels) for example in examples]
    types = sorted({span.type for row in spans for span in row})
    if not types:
        raise UsageError("no message has an entity: there is nothing to learn")
    names = (
        word
        for message, row in zip(words, spans, strict=True)
        for span in row
        for word in message[span.start : span.end]
    )
    scheme = scheme_named(settings.scheme)
    kinds = chain_kinds(scheme, types)
    if settings.order == "global":
        kinds += phrase_kinds(scheme, types, settings.longest_phrase)
    tagger = Tagger.load(model_path(settings.language_model or "")) if settings.tags else None
    features = Features(
        entity_templates(clusters=clusters is not None, tags=settings.tags),
        clusters=clusters,
        gazetteers=gazetteers,
        tagger=tagger,
    )
    return EntityLabeler(
        types,
        settings,
        features,
        PatternCrf(scheme.labels(types), kinds),
        stop_words=frequent_words(words, names),
        info={"settings": asdict(settings)},
    )
