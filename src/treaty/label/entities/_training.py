"""Training of entity labelers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from treaty.errors import UsageError
from treaty.label._crf import PatternCrf
from treaty.label.entities._features import Features, clusters_of
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import common_words
from treaty.label.entities._judged import judged_entities
from treaty.label.entities._kinds import SAME, WORD, kinds_of
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._language_model import own_tagger
from treaty.label.entities._partial import check_partial, label_numbers, types_of
from treaty.label.entities._phrases import PAIR
from treaty.label.entities._scores import entity_scores
from treaty.label.entities._settings import EntitySettings
from treaty.label.entities._templates import entity_templates
from treaty.parse import Clusters, Tagger
from treaty.progress import OnProgress
from treaty.text import ColumnSentence, scheme_named

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
    least_weight: float = 0.0,
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
        Messages to train on, and to score on after each epoch. Labels may be of any scheme. In
        messages to train on, ``?`` is an unknown label, ``?MISC|ORG`` one that is outside of
        entities or in one of these types, and ``B-MISC|ORG`` begins an entity of one of them.
    language_model
        The model that tags words and tokenizes text: the name of an installed model, or your own, a
        `Tagger` or the path of a file, which is then stored in the labeler's file. None for none:
        then inputs must be tokenized.
    clusters, gazetteers
        Word clusters and lists of names; stored in the model. By default the clusters of the
        language model.
    learner
        ``"likelihood"``: the chain by maximum likelihood, with the rewards of the settings for
        identical phrases added. ``"perceptron"`` and ``"mira"``: all weights jointly, with the
        decoder, as in Qian and Liu (2014).
    epochs
        Number of passes over the messages.
    least_weight
        Leave out features of words whose weights are all smaller, for a smaller file; only for
        likelihood.
    seed, threads, checkpoint, resume, progress, info
        See `treaty.Model.train`.
    training
        Further options of `PatternCrf.train`.
    **settings
        Settings of the labeler; see `EntitySettings`.

    Returns
    -------
    EntityLabeler
        The trained labeler.
    """
    messages, held_out = _checked(examples), _checked(dev)
    if not messages:
        raise UsageError("there are no messages to train on")
    if learner not in EPOCHS:
        raise UsageError(f"learner must be one of {', '.join(EPOCHS)}, not {learner!r}")
    if least_weight > 0 and learner != "likelihood":
        raise UsageError(f"least_weight needs the learner 'likelihood', not {learner!r}")
    labeler = _untrained(messages, settings, language_model, clusters, gazetteers)
    # Likelihood trains the chain; rewards are added later. The others train all weights jointly.
    order = "chain" if learner == "likelihood" else labeler.settings.order
    words = [message.words for message in messages]
    groups = labeler.groups(words, order)
    gold, sets = label_numbers(
        (messages[i].labels for group in groups for i in group),
        labeler.labels,
        labeler.settings.scheme,
    )
    options = {**USUAL[learner], **(training or {}), "epochs": epochs or EPOCHS[learner]}
    labeler.crf.train(
        labeler.instances(words, groups, order),
        gold,
        sets=sets if len(sets) else None,
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
    if order != labeler.settings.order or least_weight > 0:
        labeler.crf = with_rewards(labeler, least_weight)
    about = {"messages": len(messages), "learner": learner, "seed": seed, **options}
    labeler.info = {**(info or {}), "training": about}
    if held_out:
        found = labeler.predict(held_out, threads=threads)
        labeler.calibrate(judged_entities(held_out, found, labeler.types))
        scores = labeler.evaluate(held_out, threads=threads)
        labeler.info["scores"] = {name: round(value, 4) for name, value in scores.items()}
    return labeler


def with_rewards(labeler: EntityLabeler, least_weight: float = 0.0) -> PatternCrf:
    """Add the patterns of identical phrases to a chain, with the weights of the settings.

    Features of words whose weights are all smaller than `least_weight` are left out.
    """
    chain, settings = labeler.crf, labeler.settings
    made = PatternCrf(chain.labels, chain.kinds)
    learned = chain.weights()
    kept = [np.ones(len(rows), bool) for rows in learned]
    for number, kind in enumerate(chain.kinds):
        if kind.name == WORD:
            kept[number] = np.abs(learned[number]).max(axis=1, initial=0.0) >= least_weight
    features = [chain.native.features(number)[rows] for number, rows in enumerate(kept)]
    for number, kind in enumerate(chain.kinds):
        if kind.name.startswith(SAME):
            features[number] = np.array([PAIR], np.uint64)
    made.native.index_features(features)
    for number, (kind, rows) in enumerate(zip(made.kinds, made.weights(), strict=True)):
        if not kind.name.startswith(SAME):
            rows[:] = learned[number][kept[number]]
            continue
        outside = np.array([not any(pattern) for pattern in kind.patterns])
        rows[:] = np.where(outside, settings.reward_outside, settings.reward_entity)
        rows *= kind.size // 2
    return made


def dev_scorer(
    labeler: EntityLabeler, held_out: Sequence[ColumnSentence], order: str, threads: int
) -> Callable[[PatternCrf], Mapping[str, float]]:
    """Make a function that scores a model on dev data; features are looked up once."""
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
        check_partial(example.labels)
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
        raise UsageError("tags require a language model: give one, or set tags=False")
    types = sorted({t for example in examples for label in example.labels for t in types_of(label)})
    if not types:
        raise UsageError("no message has an entity to train on")
    tagger = (own or Tagger.load(name)) if settings.tags else None
    first, second = clusters_of(clusters, tagger)
    given = {"clusters": len(first), "kin": len(second), "lists": len(gazetteers or ())}
    templates = entity_templates(tags=settings.tags, **{k: n > 0 for k, n in given.items()})
    features = Features(templates, clusters=clusters, gazetteers=gazetteers, tagger=tagger)
    labels = scheme_named(settings.scheme).labels(types)
    return EntityLabeler(
        types,
        settings,
        features,
        PatternCrf(labels, kinds_of(settings, types)),
        own_tagger=own,
        stop_words=common_words(examples),
    )
