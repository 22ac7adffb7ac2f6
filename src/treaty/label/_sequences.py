"""Linear-chain CRFs over sequences of tokens, with any labels and features."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from treaty.errors import InputError, UsageError, check_several
from treaty.label._crf import PatternCrf
from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label._tokens import (
    Reader,
    dict_features,
    template_reader,
    usual_columns,
    usual_templates,
)
from treaty.learn import Model, ModelFile, Optional, Sample, Texts
from treaty.metrics import span_scores
from treaty.progress import OnProgress
from treaty.solve import Certificate, Certified
from treaty.text import OUTSIDE, ColumnSentence, read_columns
from treaty.text._schemes import check_labels

__all__ = ["LabeledSequence", "SequenceModel"]

Example = ColumnSentence | tuple[Sequence[Any], Sequence[str]]
Input = ColumnSentence | Sequence[Any]

LEARNER, EPOCHS = "likelihood", 30
AGGRESSIVENESS, RATE, REGULARIZATION = 0.05, 0.2, 0.1
MOST_COLUMNS = 1000
"""Maximum number of columns and of templates in a file."""
BATCH = 1024
"""Number of sequences labeled together; bounds the memory."""
TOKEN, TRANSITION = "token", "transition"
BIAS = np.ones((1, 1), np.uint64)
"""The only feature of transitions."""
CHAIN = (PatternKind.every(TOKEN, 1, 1), PatternKind.every(TRANSITION, 1, 2))
"""Kinds with a single placeholder label, to build instances before the labels are known."""


@dataclass(frozen=True, slots=True)
class LabeledSequence(Certified):
    """The labels of a sequence, with their certificate.

    Attributes
    ----------
    labels
        One label per token.
    certificate
        The certificate. Chains are decoded exactly.
    """

    labels: tuple[str, ...]
    certificate: Certificate

    def to_dict(self) -> dict[str, Any]:
        """Return labels and certificate, for JSON."""
        return {"labels": list(self.labels), "certificate": self.certificate.to_dict()}


class SequenceModel(Model):
    """A linear-chain CRF over sequences of tokens.

    Made by `SequenceModel.train` or `SequenceModel.load`; `SequenceLabeler` wraps it as a
    scikit-learn estimator.

    Attributes
    ----------
    crf
        The weights of features, by label and by pair of labels.
    templates, columns
        Feature templates for tokens with attributes, and the names of these attributes; None for
        tokens that are dicts or lists of features.
    info
        Metadata: language, data, license, training settings, scores.

    Examples
    --------
    >>> examples = [([{"word": "in"}, {"word": "Rome"}], ["O", "PLACE"])] * 3
    >>> model = SequenceModel.train(examples, epochs=5)
    >>> (found,) = model.predict([[{"word": "Rome"}]])
    >>> found.labels, found.status.value
    (('PLACE',), 'OPTIMAL')
    """

    task = "sequences"

    def __init__(
        self,
        crf: PatternCrf,
        *,
        templates: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        self.crf, self.info = crf, dict(info or {})
        self.templates = None if templates is None else list(templates)
        self.columns = None if columns is None else list(columns)
        self._read = _reader(templates, columns)

    @property
    def labels(self) -> list[str]:
        """All labels, in alphabetical order."""
        return list(self.crf.labels)

    @property
    def forbidden(self) -> tuple[tuple[str, str], ...]:
        """Pairs of labels that may not follow each other."""
        labels = self.crf.labels
        return tuple((labels[a], labels[b]) for a, b in self.crf.kinds[1].forbidden)

    # Training

    @classmethod
    def train(
        cls,
        examples: Iterable[Example],
        dev: Iterable[Example] = (),
        *,
        templates: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        forbidden: Sequence[tuple[str, str]] = (),
        learner: str = LEARNER,
        epochs: int = EPOCHS,
        warm_up: int | None = None,
        seed: int = 1,
        threads: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Self:
        """Train a model on labeled sequences.

        Parameters
        ----------
        examples, dev
            Pairs of tokens and their labels, or sentences of a column file, whose last column has
            the labels. They are read once, and their features are kept in memory. Scores on `dev`
            are reported after every epoch, but nothing is tuned on them.
        templates, columns
            Without templates, a token is a dict of features or a list of feature names. With them,
            it has attributes named by `columns`: it is a tuple of strings in this order, or a dict.
            For sentences of a column file there are default templates, and their columns are named
            ``form``, ``b``, ``c`` and so on.
        forbidden
            Pairs of labels that may not follow each other.
        learner, epochs
            ``"likelihood"``, ``"mira"`` or ``"perceptron"``, and the number of passes over the
            sequences.
        warm_up
            Number of initial epochs left out of the average of the weights; a third by default.
        seed, threads, checkpoint, resume, progress, info
            See `treaty.Model.train`.
        **options
            ``batch``, ``aggressiveness``, ``dropout``, ``rate``, ``regularization`` and others of
            `TrainingOptions`.
        """
        stream = (e for e in examples if not isinstance(e, ColumnSentence) or len(e))
        first = list(islice(stream, 1))
        if templates is None and first and isinstance(first[0], ColumnSentence):
            columns = columns or usual_columns(first[0])
            templates = usual_templates(columns)
        instances, gold = _read_examples(chain(first, stream), _reader(templates, columns))
        labels = sorted({label for row in gold for label in row})
        if not labels:
            raise UsageError("there are no labels to train on")
        usual = {"aggressiveness": AGGRESSIVENESS, "rate": RATE, "regularization": REGULARIZATION}
        options = {"learner": learner, "epochs": epochs, "seed": seed, **usual, **options}
        kept = {**options, "warm_up": warm_up, "sequences": len(instances)}
        settings = {name: np.asarray(value).tolist() for name, value in kept.items()}  # for JSON
        made = cls(
            _untrained(labels, forbidden),
            templates=templates,
            columns=columns,
            info={**(info or {}), "training": settings},
        )
        held_out = [_parts(example) for example in dev]
        number = {label: i for i, label in enumerate(labels)}
        made.crf.train(
            instances,
            np.array([number[label] for row in gold for label in row], np.int32),
            warm_up=epochs // 3 if warm_up is None else warm_up,
            threads=threads,
            dev_score=(lambda _: made.evaluate(held_out, threads=threads)) if held_out else None,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            stage=cls.task,
            **options,
        )
        if held_out:
            scores = made.evaluate(held_out, threads=threads)
            made.info["scores"] = {name: round(value, 4) for name, value in scores.items()}
        return made

    # Labeling

    def predict(self, inputs: Iterable[Input], *, threads: int = 1) -> Iterator[LabeledSequence]:
        """Find the best labels of sequences (Viterbi), as they arrive.

        Parameters
        ----------
        inputs
            Sequences of tokens in the form that the model was trained on; of sentences of a column
            file, the columns of the training are read.
        threads
            Number of threads; the results do not depend on it.

        Yields
        ------
        LabeledSequence
            The labels of each sequence, in order.
        """
        check_several(inputs, "sequences of tokens", "cut it into tokens")
        for instances in self._batches(inputs):
            for found in self.crf.decode(instances, threads=threads):
                labels = tuple(self.crf.labels[label] for label in found.labels.tolist())
                yield LabeledSequence(labels, found.certificate)

    def marginals(
        self, inputs: Iterable[Input], *, threads: int = 1
    ) -> Iterator[npt.NDArray[np.float64]]:
        """Compute the probabilities of labels: a row per token, a column per label."""
        for instances in self._batches(inputs):
            yield from self.crf.marginals(instances, threads=threads)

    def evaluate(self, gold: Iterable[Example], *, threads: int = 1) -> dict[str, float]:
        """Label gold sequences again and return accuracy, and F1 of entities if there are any.

        Labels such as ``B-PER`` and ``O`` are entity labels.
        """
        pairs = [_parts(example) for example in gold]
        found = self.predict((tokens for tokens, _ in pairs), threads=threads)
        scores = span_scores([labels for _, labels in pairs], [one.labels for one in found])
        named = {"accuracy": scores.tokens.value} if scores.tokens.total else {}
        if _are_entities({label for _, labels in pairs for label in labels}):
            named["micro F1"] = scores.micro_f1
        return named

    def _batches(self, inputs: Iterable[Input]) -> Iterator[Instances]:
        rest = iter(inputs)
        while batch := list(islice(rest, BATCH)):
            instances = Instances(CHAIN)
            for tokens in batch:
                if self.columns is None and isinstance(tokens, ColumnSentence):
                    raise UsageError(
                        "this model was trained on features, it cannot read columns: give features"
                    )
                if not hasattr(tokens, "__len__"):
                    raise UsageError(f"expected a sequence of tokens, got {repr(tokens)[:60]}")
                _add(instances, tokens, self._read)
            yield instances

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        header = {"templates": self.templates, "columns": self.columns, "info": self.info}
        return ModelFile(self.task, header, {}).with_part("crf", self.crf.to_file())

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a model from the contents of a file and validate it."""
        crf = PatternCrf.from_file(file.part("crf"))
        if [(kind.name, kind.size) for kind in crf.kinds] != [(TOKEN, 1), (TRANSITION, 2)]:
            raise file.fault("the factors do not form a chain")
        templates, columns = (
            file.value(name, Optional(Texts(0, MOST_COLUMNS))) for name in ("templates", "columns")
        )
        try:
            return cls(crf, templates=templates, columns=columns, info=file.info())
        except UsageError as error:
            raise file.fault(error.message) from error

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[ColumnSentence]:
        """Read a column file, whose last column has the labels."""
        return read_columns(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        rows: list[tuple[str, ...]] = [
            ("the", "DT", "O"),
            ("old", "JJ", "O"),
            ("bridge", "NN", "THING"),
        ]
        examples = [ColumnSentence(rows[start:]) for start in (0, 1, 2, 0)]
        inputs = [ColumnSentence([("old", "JJ"), ("town", "NN")]), ColumnSentence([])]
        return Sample(examples, inputs, {"epochs": 3})


def _reader(templates: Sequence[str] | None, columns: Sequence[str] | None) -> Reader:
    """Choose the function that makes features from tokens."""
    if templates is None:
        return dict_features
    if columns is None:
        raise UsageError("templates require columns: the names of the tokens' attributes")
    return template_reader(templates, columns)


def _read_examples(examples: Iterable[Example], read: Reader) -> tuple[Instances, list[list[str]]]:
    """Read tokens and labels, one sequence at a time."""
    instances, gold = Instances(CHAIN), []
    for example in examples:
        tokens, labels = _parts(example)
        if len(tokens) != len(labels):
            raise UsageError(
                "expected one label per token: a sequence has "
                f"{len(tokens)} tokens and {len(labels)} labels"
            )
        _add(instances, tokens, read)
        gold.append(labels)
    return instances, gold


def _parts(example: Example) -> tuple[Sequence[Any], list[str]]:
    """Return the tokens of an example and their labels."""
    if isinstance(example, ColumnSentence):
        return [row[:-1] for row in example.rows], example.labels
    tokens, labels = example
    if not all(isinstance(label, str) for label in labels):
        raise UsageError("labels must be strings")
    return tokens, [str(label) for label in labels]  # may be numpy strings


def _add(instances: Instances, sequence: Input, read: Reader) -> None:
    """Add a chain."""
    tokens = sequence.rows if isinstance(sequence, ColumnSentence) else sequence
    length = len(tokens)
    instances.start(length)
    order = np.arange(length, dtype=np.int32)
    features, begin, values = read(tokens)
    instances.add(TOKEN, order, features, begin, values if len(values) else None)
    if length > 1:
        pairs: npt.NDArray[np.int32] = np.stack([order[:-1], order[1:]], axis=1)
        instances.add(TRANSITION, pairs, BIAS.repeat(length - 1, axis=0))


def _are_entities(labels: set[str]) -> bool:
    """Return whether labels follow a scheme such as BIO and include an entity."""
    try:
        check_labels(labels)
    except InputError:
        return False
    return bool(labels - {OUTSIDE})


def _untrained(labels: Sequence[str], forbidden: Sequence[tuple[str, str]]) -> PatternCrf:
    """Make an untrained chain with these labels."""
    number = {label: i for i, label in enumerate(labels)}
    unknown = {label for pair in forbidden for label in pair} - set(labels)
    if unknown:
        raise UsageError(f"forbidden: the training data has no label {min(unknown)!r}")
    banned = tuple((number[a], number[b]) for a, b in forbidden)
    kinds = [
        PatternKind.every(TOKEN, len(labels), 1),
        PatternKind.every(TRANSITION, len(labels), 2, banned),
    ]
    return PatternCrf(labels, kinds)
