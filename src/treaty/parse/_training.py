"""Training of parsers: pruner, then labels, then trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Weights
from treaty.errors import UsageError, check_threads
from treaty.learn import WeightsLearner, checkpoint_of, fit, mean_of_trainings
from treaty.parse._clusters import Clusters
from treaty.parse._continuing import continued_parser
from treaty.parse._parser import Parser
from treaty.parse._parser_settings import ParserTemplates, Settings
from treaty.parse._words import gold_of
from treaty.progress import OnProgress
from treaty.text import Sentence, check_tree

PRUNER_EPOCHS, PRUNER_RATE = 4, 0.1
LABEL_EPOCHS, LABEL_AGGRESSIVENESS = 6, 0.1
AGGRESSIVENESS = 0.01
EPOCHS, MORE_EPOCHS = 10, 3
"""Of new trees, and of those that go on from others."""
TRAINING_ITERATIONS = 25
"""Iterations of AD3 per sentence and epoch: a rounded tree is good enough for training."""


class _Treebank:
    """Sentences in the form of the native trainers."""

    def __init__(self, sentences: list[Sentence], parser: Parser) -> None:
        numbers = {label: i for i, label in enumerate(parser.labels)}
        self.sentences = sentences
        self.sequences = parser.sequences(sentences)
        self.gold, self.heads, self.labels = gold_of(self.sequences, sentences, numbers)
        self.words = len(self.heads) - len(sentences)


def train_parser(
    examples: Iterable[Sentence],
    dev: Iterable[Sentence] = (),
    *,
    from_model: Parser | None = None,
    order: str | None = None,
    epochs: int | None = None,
    seed: int = 1,
    seeds: int = 1,
    versions: Sequence[Sequence[Sentence]] = (),
    single_root: bool | None = None,
    batch: int = 4,
    threads: int = 1,
    clusters: Clusters | None = None,
    templates: ParserTemplates | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    info: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Parser:
    """Train a parser on a treebank.

    Parameters
    ----------
    examples, dev
        Sentences with trees; scores on `dev` are reported after every epoch, but nothing is tuned
        on them.
    from_model
        A parser to go on from, with its settings, features and clusters; labels of `examples` that
        it does not know are added.
    order
        ``"first"``, ``"second"``, ``"second+"``, ``"third"`` (the default), ``"full"`` or
        ``"third+"``; see `Settings`.
    epochs, seed
        Number of passes over the trees (10, or 3 with `from_model`), and the seed of their order.
    seeds
        Number of trainings of labels and trees, with this seed and those that follow, whose
        weights are averaged: slower to train, as fast to use, slightly more accurate.
    versions
        The examples in several versions, such as with gold and with predicted tags: the trainings
        of labels and trees take them in turn, the pruner learns from `examples`. By default there
        is one version, `examples`.
    single_root
        Whether every tree has one root; by default, whether those of `examples` have.
    batch
        Number of sentences parsed with the same weights before an update. The result depends on it,
        but not on `threads`.
    clusters
        Word clusters for features; stored in the model.
    templates
        Feature templates instead of the default ones.
    checkpoint, resume
        A path whose files ``.pruner``, ``.labels`` and ``.trees`` hold the state after each epoch,
        and whether to continue from there, to the same bytes as an uninterrupted run.
    progress
        Called with `treaty.Progress` events; the stages are ``pruner``, ``labels`` and ``trees``.
    info
        Stored in the model file: language, data, license.
    **settings
        Other fields of `Settings`.
    """
    check_threads(threads)
    epochs = (EPOCHS if from_model is None else MORE_EPOCHS) if epochs is None else epochs
    if batch < 1 or seeds < 1 or epochs < 0:
        raise UsageError(
            "batch and seeds must be at least 1, and epochs at least 0, not "
            f"{batch}, {seeds} and {epochs}"
        )
    sentences = _checked(examples)
    if single_root is None:
        single_root = all(sum(t.head == 0 for t in s.tokens) == 1 for s in sentences)
    details = {**(info or {}), "training": {"epochs": epochs, "seed": seed, "batch": batch}}
    if seeds > 1:
        details["training"]["seeds"] = seeds
    if from_model is not None:
        given = {"order": order, **settings, "clusters": clusters, "templates": templates}
        parser = continued_parser(from_model, sentences, single_root, details, given)
    else:
        labels = sorted({token.deprel for sentence in sentences for token in sentence.tokens})
        chosen = Settings(order=order or "third", single_root=single_root, **settings)
        usual = ParserTemplates() if clusters is None else ParserTemplates().with_clusters()
        parser = Parser(chosen, templates or usual, labels, details, clusters)
    held_out = [sentence for sentence in dev if len(sentence) > 0]
    training = _Training(
        parser,
        [_Treebank(sentences, parser), *(_Treebank(_checked(v), parser) for v in versions)],
        held_out,
        native.BatchOptions(),
        seed,
        checkpoint,
        resume,
        progress,
    )
    training.options.batch, training.options.threads = batch, threads
    training.pruner()
    training.labels(seeds)
    training.trees(epochs, seeds)
    return parser


def _checked(train: Iterable[Sentence]) -> list[Sentence]:
    sentences = [sentence for sentence in train if len(sentence) > 0]
    if not sentences:
        raise UsageError("there are no sentences to train on")
    for sentence in sentences:
        check_tree(sentence)
    return sentences


class _Training:
    def __init__(
        self,
        parser: Parser,
        treebanks: Sequence[_Treebank],
        dev: list[Sentence],
        options: native.BatchOptions,
        seed: int,
        checkpoint: str | Path | None,
        resume: bool,
        progress: OnProgress | None,
    ) -> None:
        self.parser, self.train, self.dev, self.options = parser, treebanks[0], dev, options
        self.versions = treebanks[1:] or treebanks
        self.seed, self.checkpoint, self.resume, self.progress = seed, checkpoint, resume, progress
        self.pruning, self.decoding = parser.options(None)
        self.scores: dict[str, float] = {}

    def pruner(self) -> None:
        """Maximize the log-likelihood by stochastic gradients; then measure recall of gold arcs."""
        model, single = self.parser.pruner_model, self.parser.settings.single_root
        learner = WeightsLearner(
            model.weights,
            lambda ids: native.train_pruner(
                model, self.train.sequences, self.train.gold, ids, single, self._rated(PRUNER_RATE)
            ),
        )
        self._fit("pruner", learner, PRUNER_EPOCHS, None)
        learner.finish()
        if self.dev:
            dev = _Treebank(self.dev, self.parser)
            kept = native.list_candidates(
                model, dev.sequences, dev.gold, self.pruning, self.options.threads
            )
            # Missing gold arcs were added to the candidates: they do not count here.
            arcs = kept.arcs - dev.words + kept.found
            self.scores = {"pruner recall": kept.found / dev.words, "candidates": arcs / dev.words}

    def labels(self, seeds: int) -> None:
        """Train each word's label against its strongest competitor in gold trees, `seeds` times."""
        model = self.parser.label_model
        for version in self.versions:
            model.see(version.sequences, version.gold)
        if not len(model.exclusions[0]):  # a parser that goes on from another has them
            self.parser.learn_exclusions(self.train.sentences)
        for number, version in self._in_turn(model.weights, seeds):
            step = partial(self._learn_labels, version)
            learner = WeightsLearner(model.weights, step, warm_up=len(version.sentences))
            self._fit(_name("labels", number), learner, LABEL_EPOCHS, None, number, version)
            learner.finish()

    def _learn_labels(self, treebank: _Treebank, ids: npt.NDArray[np.int32]) -> None:
        options = self._rated(LABEL_AGGRESSIVENESS)
        model = self.parser.label_model
        native.train_labeler(model, treebank.sequences, treebank.gold, ids, options)

    def _learn_trees(
        self, treebank: _Treebank, candidates: native.Candidates, ids: npt.NDArray[np.int32]
    ) -> None:
        native.train_parser(
            self.parser.parser_model,
            treebank.sequences,
            treebank.gold,
            candidates,
            ids,
            self.decoding,
            self._rated(AGGRESSIVENESS),
        )

    def _in_turn(self, weights: Weights, seeds: int) -> Iterator[tuple[int, _Treebank]]:
        begin = weights.values.copy()  # zero, unless it goes on from another
        for number in mean_of_trainings(weights, seeds, begin):
            yield number, self.versions[number % len(self.versions)]

    def trees(self, epochs: int, seeds: int) -> None:
        """Train by cost-augmented MIRA, `seeds` times."""
        model = self.parser.parser_model
        candidates = [self._candidates(version) for version in self.versions]
        iterations, self.decoding.iterations = self.decoding.iterations, TRAINING_ITERATIONS
        for number, version in self._in_turn(model.weights, seeds):
            step = partial(self._learn_trees, version, candidates[number % len(candidates)])
            learner = WeightsLearner(model.weights, step, warm_up=len(version.sentences))
            scores = learner.scoring(self._dev_scores) if self.dev else None
            self._fit(_name("trees", number), learner, epochs, scores, number, version)
            learner.finish()
        self.decoding.iterations = iterations
        if self.dev:
            self.scores |= self._dev_scores()
            rounded = {name: round(value, 4) for name, value in self.scores.items()}
            self.parser.info["scores"] = rounded

    def _candidates(self, treebank: _Treebank) -> native.Candidates:
        return native.list_candidates(
            self.parser.pruner_model,
            treebank.sequences,
            treebank.gold,
            self.pruning,
            self.options.threads,
        )

    def _dev_scores(self) -> dict[str, float]:
        return self.parser.evaluate(self.dev, threads=self.options.threads)

    def _rated(self, rate: float) -> native.BatchOptions:
        self.options.rate = rate
        return self.options

    def _fit(
        self,
        stage: str,
        learner: WeightsLearner,
        epochs: int,
        evaluate: Callable[[], Mapping[str, float]] | None,
        number: int = 0,
        version: _Treebank | None = None,
    ) -> None:
        sentences = (version or self.train).sentences
        fit(
            learner,
            len(sentences),
            epochs=epochs,
            seed=self.seed + number,
            stage=stage,
            evaluate=evaluate,
            checkpoint=checkpoint_of(self.checkpoint, stage),
            resume=self.resume,
            progress=self.progress,
            made_from={
                **({"from": self.parser.info["from"]} if "from" in self.parser.info else {}),
                **asdict(self.parser.settings),
                "batch": self.options.batch,
                "templates": [self.parser.templates],
                "clusters": [self.parser.clusters],
                "data": sentences,
            },
        )


def _name(stage: str, number: int) -> str:
    """Name a training of a stage: ``trees``, ``trees-2`` and so on."""
    return stage if number == 0 else f"{stage}-{number + 1}"
