"""Training of an entity labeler."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.corpus import ColumnSentence, convert_labels, scheme_named, spans_of_labels
from treaty.corpus._schemes import check_labels
from treaty.errors import UsageError
from treaty.label._crf import PatternCrf
from treaty.label.entities._features import PAIR, Features
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import common_words
from treaty.label.entities._kinds import SAME, kinds_of
from treaty.label.entities._labeler import EntityLabeler, entity_scores
from treaty.label.entities._language_model import own_tagger
from treaty.label.entities._settings import EntitySettings
from treaty.label.entities._templates import entity_templates
from treaty.parse import Clusters, Tagger
from treaty.progress import OnProgress

__all__ = ["train_entities"]

EPOCHS = {"likelihood": 30, "perceptron": 10, "mira": 10}
USUAL: dict[str, dict[str, Any]] = {
    "likelihood": {"dropout": 0.4, "warm_up": 10},
    "perceptron": {},
    "mira": {"aggressiveness": 0.02},
}


def train_entities(
    examples: Iterable[ColumnSentence],
    dev: Iterable[ColumnSentence] = (),
    *,
    language_model: str | Path | Tagger | None = "english",
    clusters: Clusters | None = None,
    gazetteers: Gazetteers | None = None,
    learner: str = "likelihood",
    epochs: int | None = None,
    seed: int = 1,
    threads: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    info: Mapping[str, Any] | None = None,
    training: Mapping[str, Any] | None = None,
    **settings: Any,
) -> EntityLabeler:
    """Train a labeler on messages with labels.

    Parameters
    ----------
    examples, dev
        Messages to learn from, and to score on after each epoch. Labels may be of any scheme.
    language_model
        What tags words and finds the words of a text: the name of an installed model, or a model of
        your own, a `Tagger` or the path of a file, which is then kept in the labeler's file. None
        for none: then texts must come as words.
    clusters, gazetteers
        Word clusters and lists of names; the model keeps them.
    learner
        ``"likelihood"``: the chain by maximum likelihood, and the rewards of the settings for
        identical phrases on top of it. ``"perceptron"`` and ``"mira"``: all weights at once, over
        the decoder, as Qian and Liu (2014) do.
    epochs, seed
        How often the messages are seen, and what their order depends on.
    threads
        For decoding; the model does not depend on it.
    checkpoint, resume
        A path for the state after each epoch, and whether to continue from it, to the same bytes as
        an uninterrupted run.
    progress
        Called with `treaty.Progress` events.
    info
        Kept in the model: language, data, license.
    training
        More options of `PatternCrf.train`.
    **settings
        The form of the labeler; see `EntitySettings`.

    Returns
    -------
    EntityLabeler
        Ready to label and to be saved.
    """
    messages, held_out = _checked(examples), _checked(dev)
    if not messages:
        raise UsageError("there are no messages to learn from")
    if learner not in EPOCHS:
        raise UsageError(f"the learner is {', '.join(EPOCHS)}; not {learner!r}")
    labeler = _untrained(messages, settings, language_model, clusters, gazetteers)
    # Likelihoods are those of chains; ties come on top of them. The others learn all at once.
    order = "chain" if learner == "likelihood" else labeler.settings.order
    words = [message.words for message in messages]
    groups = labeler.groups(words, order)
    options = {**USUAL[learner], **(training or {}), "epochs": epochs or EPOCHS[learner]}
    labeler.crf.train(
        labeler.instances(words, groups, order),
        gold_labels(labeler, messages, groups),
        learner=learner,
        seed=seed,
        threads=threads,
        dev_score=dev_scorer(labeler, held_out, order, threads) if held_out else None,
        checkpoint=checkpoint,
        resume=resume,
        progress=progress,
        stage=EntityLabeler.task,
        **options,
    )
    if order != labeler.settings.order:
        labeler.crf = with_rewards(labeler)
    about = {"messages": len(messages), "learner": learner, "seed": seed, **options}
    labeler.info = {**(info or {}), "training": about}
    if held_out:
        scores = labeler.evaluate(held_out, threads=threads)
        labeler.info["scores"] = {name: round(value, 4) for name, value in scores.items()}
    return labeler


def with_rewards(labeler: EntityLabeler) -> PatternCrf:
    """Give a chain the patterns of identical phrases, with the weights that the settings say."""
    chain, settings = labeler.crf, labeler.settings
    made = PatternCrf(chain.labels, chain.kinds)
    features = [chain.native.features(number) for number in range(len(chain.kinds))]
    for number, kind in enumerate(chain.kinds):
        if kind.name.startswith(SAME):
            features[number] = np.array([PAIR], np.uint64)
    made.native.index_features(features)
    for kind, rows, learned in zip(made.kinds, made.weights(), chain.weights(), strict=True):
        if not kind.name.startswith(SAME):
            rows[:] = learned
            continue
        outside = np.array([not any(pattern) for pattern in kind.patterns])
        rows[:] = np.where(outside, settings.reward_outside, settings.reward_entity)
        rows *= kind.size // 2
    return made


def gold_labels(
    labeler: EntityLabeler, examples: Sequence[ColumnSentence], groups: Sequence[Sequence[int]]
) -> npt.NDArray[np.int32]:
    """Give the labels of all words by number, group by group."""
    number = {label: i for i, label in enumerate(labeler.labels)}
    scheme = labeler.settings.scheme
    rows = [convert_labels(examples[i].labels, scheme) for group in groups for i in group]
    return np.array([number[label] for row in rows for label in row], np.int32)


def dev_scorer(
    labeler: EntityLabeler, held_out: Sequence[ColumnSentence], order: str, threads: int
) -> Callable[[PatternCrf], Mapping[str, float]]:
    """Make what scores a model on dev data; features are looked up once."""
    words = [example.words for example in held_out]
    groups = labeler.groups(words, order)
    instances = labeler.instances(words, groups, order)
    gold = [held_out[i].labels for group in groups for i in group]
    ends = np.cumsum([len(words[i]) for group in groups for i in group])

    def score(crf: PatternCrf) -> Mapping[str, float]:
        labels = np.concatenate([x.labels for x in crf.decode(instances, threads=threads)])
        rows = np.split(labels, ends[:-1])
        return entity_scores(gold, [[labeler.labels[n] for n in row.tolist()] for row in rows])

    return score


def _checked(messages: Iterable[ColumnSentence]) -> list[ColumnSentence]:
    examples = [message for message in messages if len(message)]
    for example in examples:
        check_labels(example.labels)
    return examples


def _untrained(
    examples: Sequence[ColumnSentence],
    options: Mapping[str, Any],
    language_model: str | Path | Tagger | None,
    clusters: Clusters | None,
    gazetteers: Gazetteers | None,
) -> EntityLabeler:
    own = own_tagger(language_model)
    name = None if own is not None or language_model is None else str(language_model)
    settings = EntitySettings(**options, language_model=name)
    if settings.tags and language_model is None:
        raise UsageError("tags need a language model: name one, or leave tags out")
    spans = [spans_of_labels(example.labels) for example in examples]
    types = sorted({span.type for row in spans for span in row})
    if not types:
        raise UsageError("no message has an entity: there is nothing to learn")
    features = Features(
        entity_templates(clusters=clusters is not None, tags=settings.tags),
        clusters=clusters,
        gazetteers=gazetteers,
        tagger=(own or Tagger.load(name)) if settings.tags else None,
    )
    labels = scheme_named(settings.scheme).labels(types)
    return EntityLabeler(
        types,
        settings,
        features,
        PatternCrf(labels, kinds_of(settings, types)),
        own_tagger=own,
        stop_words=common_words(examples),
    )
