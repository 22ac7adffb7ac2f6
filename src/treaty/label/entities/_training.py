"""Training of an entity labeler."""

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
from treaty.label.entities._features import PAIR, Features
from treaty.label.entities._gazetteers import Gazetteers
from treaty.label.entities._groups import common_words
from treaty.label.entities._kinds import SAME, chain_kinds, phrase_kinds
from treaty.label.entities._labeler import EntityLabeler
from treaty.label.entities._settings import EntitySettings
from treaty.label.entities._templates import entity_templates
from treaty.parse import Clusters, Tagger, model_path

__all__ = ["train_entities"]

Report = Callable[[int, int, int, Mapping[str, float] | None], object]
EPOCHS = {"likelihood": 30, "perceptron": 10, "mira": 10}
USUAL: dict[str, dict[str, Any]] = {
    "likelihood": {"dropout": 0.4, "warm_up": 10},
    "perceptron": {},
    "mira": {"aggressiveness": 0.02},
}


def train_entities(
    messages: Iterable[ColumnSentence],
    dev: Iterable[ColumnSentence] = (),
    *,
    clusters: Clusters | None = None,
    gazetteers: Gazetteers | None = None,
    learner: str = "likelihood",
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
    """Train a labeler on messages with labels.

    Parameters
    ----------
    messages, dev
        To learn from, and to score on after each epoch. Labels may be of any scheme.
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
        A file for the state after each epoch, and whether to go on from it.
    report
        Called with the epoch, groups seen, groups in all, and the scores at the end of an epoch.
    info
        Kept in the model: language, license and the like.
    training
        More options of `PatternCrf.train`.
    **settings
        The form of the labeler; see `EntitySettings`.

    Returns
    -------
    EntityLabeler
        Ready to label and to be saved.
    """
    examples, held_out = _checked(messages), _checked(dev)
    if not examples:
        raise UsageError("there are no messages to learn from")
    if learner not in EPOCHS:
        raise UsageError(f"the learner is {', '.join(EPOCHS)}; not {learner!r}")
    labeler = _untrained(examples, EntitySettings(**settings), clusters, gazetteers)
    # Likelihoods are those of chains; ties come on top of them. The others learn all at once.
    order = "chain" if learner == "likelihood" else labeler.settings.order
    words = [example.words for example in examples]
    groups = labeler.groups(words, order)
    options = {**USUAL[learner], **(training or {}), "epochs": epochs or EPOCHS[learner]}

    def tell(epoch: int, seen: int, scores: Mapping[str, float] | None) -> None:
        if report is not None:
            report(epoch, seen, len(groups), scores)

    labeler.crf.train(
        labeler.instances(words, groups, order),
        gold_labels(labeler, examples, groups),
        learner=learner,
        seed=seed,
        threads=threads,
        dev_score=dev_scorer(labeler, held_out, order, threads) if held_out else None,
        checkpoint=checkpoint,
        resume=resume,
        report=tell,
        **options,
    )
    if order != labeler.settings.order:
        labeler.crf = with_rewards(labeler)
    labeler.info = {
        **(info or {}),
        "training": {"messages": len(examples), "learner": learner, "seed": seed, **options},
    }
    if held_out:
        score = dev_scorer(labeler, held_out, labeler.settings.order, threads)
        labeler.info["dev"] = dict(score(labeler.crf))
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
    spans = [spans_of_labels(example.labels) for example in examples]
    types = sorted({span.type for row in spans for span in row})
    if not types:
        raise UsageError("no message has an entity: there is nothing to learn")
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
        stop_words=common_words(examples),
        info={"settings": asdict(settings)},
    )
