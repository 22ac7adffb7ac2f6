"""Linear-chain CRFs as scikit-learn's users expect them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import TreatyError, UsageError
from treaty.label._crf import PatternCrf
from treaty.label._instances import Instances
from treaty.label._kinds import PatternKind
from treaty.label._tokens import Reader, dict_features, template_reader
from treaty.learn import load_model, save_model

__all__ = ["SequenceLabeler"]

TASK = "sequence labeler"
TOKEN, TRANSITION = "token", "transition"
BIAS = np.ones((1, 1), np.uint64)
"""The one feature of every transition."""


class SequenceLabeler:
    """A linear-chain CRF over sequences of tokens; follows scikit-learn's protocol.

    It can be cloned, searched over and cross-validated by scikit-learn, which it does not need.

    Parameters
    ----------
    learner
        ``"likelihood"``, ``"mira"`` or ``"perceptron"``.
    epochs
        How often all sequences are seen in training.
    templates
        Without them a token is a dict of features, or a list of their names; with them it has
        attributes, and templates such as ``"w-1.form w.form"`` make features of them.
    columns
        The names of the attributes: tokens are tuples of texts in this order, or dicts.
    forbidden
        Pairs of labels that never follow each other.
    warm_up
        The average leaves out so many epochs at the beginning; a third by default.
    aggressiveness, dropout, rate, regularization, least_count
        Settings of the learner, see `TrainingOptions`.
    seed
        What the order of the sequences in training depends on.
    threads, batch
        See `PatternCrf.train`.

    Attributes
    ----------
    classes_
        The labels, after `fit`.
    crf_
        The model.

    Examples
    --------
    >>> X = [[{"word": "in"}, {"word": "Rome"}], [{"word": "Rome"}, {"word": "burns"}]] * 3
    >>> y = [["O", "PLACE"], ["PLACE", "O"]] * 3
    >>> labeler = SequenceLabeler(epochs=5).fit(X, y)
    >>> labeler.predict([[{"word": "Rome"}]])
    [['PLACE']]
    >>> labeler.score(X, y)
    1.0
    """

    def __init__(
        self,
        learner: str = "likelihood",
        *,
        epochs: int = 30,
        templates: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        forbidden: Sequence[tuple[str, str]] = (),
        aggressiveness: float = 0.05,
        dropout: float = 0.0,
        warm_up: int | None = None,
        rate: float = 0.2,
        regularization: float = 0.1,
        least_count: int = 1,
        seed: int = 1,
        threads: int = 1,
        batch: int = 1,
    ) -> None:
        self.learner = learner
        self.epochs = epochs
        self.templates = templates
        self.columns = columns
        self.forbidden = forbidden
        self.aggressiveness = aggressiveness
        self.dropout = dropout
        self.warm_up = warm_up
        self.rate = rate
        self.regularization = regularization
        self.least_count = least_count
        self.seed = seed
        self.threads = threads
        self.batch = batch

    # scikit-learn's protocol

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Tell the parameters; there are no nested ones, so that `deep` changes nothing."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> SequenceLabeler:
        """Change parameters; they hold from the next `fit` on."""
        for name, value in params.items():
            if name not in self._names():
                raise UsageError(
                    f"SequenceLabeler has no parameter {name!r}: {', '.join(self._names())}"
                )
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(two_d_array=False, dict=True, string=True),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "crf_")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value != defaults[name].default
        ]
        return f"SequenceLabeler({', '.join(changed)})"

    # Learning and labeling

    def fit(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> SequenceLabeler:  # noqa: N803
        """Learn from labeled sequences.

        Parameters
        ----------
        X
            Sequences of tokens; an iterator is read once and not kept.
        y
            The labels of each sequence's tokens.
        """
        gold = [list(labels) for labels in y]
        classes = sorted({label for labels in gold for label in labels})
        if not classes:
            raise UsageError("there are no labels to learn from")
        number = {label: i for i, label in enumerate(classes)}
        unknown = {label for pair in self.forbidden for label in pair} - set(classes)
        if unknown:
            raise UsageError(f"forbidden: no label {min(unknown)!r} in the training data")
        banned = tuple((number[a], number[b]) for a, b in self.forbidden)
        crf = PatternCrf(classes, _chain_kinds(len(classes), banned))
        read = self._reader()
        instances = _chains(crf, X, read)
        lengths = instances.sizes.tolist()
        if lengths != list(map(len, gold)):
            raise UsageError("X and y differ: every sequence needs as many labels as it has tokens")
        crf.train(
            instances,
            np.array([number[label] for labels in gold for label in labels], np.int32),
            learner=self.learner,
            epochs=self.epochs,
            seed=self.seed,
            threads=self.threads,
            batch=self.batch,
            aggressiveness=self.aggressiveness,
            dropout=self.dropout,
            warm_up=self.epochs // 3 if self.warm_up is None else self.warm_up,
            rate=self.rate,
            regularization=self.regularization,
            least_count=self.least_count,
        )
        self.crf_, self._read = crf, read
        return self

    @property
    def classes_(self) -> list[str]:
        """The labels, in alphabetical order."""
        return list(self._fitted().labels)

    def predict(self, X: Iterable[Sequence[Any]]) -> list[list[str]]:  # noqa: N803
        """Find the best labels of sequences (Viterbi)."""
        crf = self._fitted()
        found = crf.decode(_chains(crf, X, self._read), threads=self.threads)
        return [[crf.labels[label] for label in one.labels.tolist()] for one in found]

    def predict_marginals(self, X: Iterable[Sequence[Any]]) -> list[list[dict[str, float]]]:  # noqa: N803
        """Tell the probability of every label of every token."""
        crf = self._fitted()
        tables = crf.marginals(_chains(crf, X, self._read), threads=self.threads)
        return [
            [dict(zip(crf.labels, row, strict=True)) for row in table.tolist()] for table in tables
        ]

    def score(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> float:  # noqa: N803
        """Tell the share of tokens that get the right label."""
        right = [label for labels in y for label in labels]
        found = [label for labels in self.predict(X) for label in labels]
        if len(right) != len(found):
            raise UsageError("X and y differ: every sequence needs as many labels as tokens")
        same = sum(a == b for a, b in zip(right, found, strict=True))
        return same / len(right) if right else 1.0

    # Files

    def save(self, path: str | Path) -> None:
        """Write the labeler to a model file."""
        crf = self._fitted()
        save_model(
            path,
            task=TASK,
            header={"parameters": self.get_params(), "crf": crf.header()},
            tensors=crf.tensors(),
        )

    @classmethod
    def load(cls, path: str | Path | IO[bytes]) -> SequenceLabeler:
        """Read a labeler from a model file."""
        file = load_model(path, task=TASK)
        parameters = file.value("parameters", dict)
        crf = PatternCrf.from_tensors(file, file.value("crf", dict))
        sizes = [(kind.name, kind.size) for kind in crf.kinds]
        if sizes != [(TOKEN, 1), (TRANSITION, 2)] or not set(parameters) <= set(cls._names()):
            raise file.fault("no sequence labeler")
        for name in ("templates", "columns"):
            if parameters.get(name) is not None:
                file.texts(parameters[name], name)
        pairs = file.checked(parameters.get("forbidden", []), list, "forbidden")
        banned = tuple(tuple(file.texts(pair, "forbidden")) for pair in pairs)
        labeler = cls(**{**parameters, "forbidden": banned})
        try:
            labeler.crf_, labeler._read = crf, labeler._reader()
        except TreatyError as error:
            raise file.fault(f"no sequence labeler ({error.message})") from error
        return labeler

    def _reader(self) -> Reader:
        if self.templates is None:
            return dict_features
        if self.columns is None:
            raise UsageError("templates need columns: the names of the tokens' attributes")
        return template_reader(self.templates, self.columns)

    def _fitted(self) -> PatternCrf:
        if not hasattr(self, "crf_"):
            raise UsageError("this SequenceLabeler has learned nothing yet: call fit first")
        return self.crf_


def _chain_kinds(
    labels: int, forbidden: tuple[tuple[int, int], ...]
) -> tuple[PatternKind, PatternKind]:
    return (
        PatternKind.every(TOKEN, labels, 1),
        PatternKind.every(TRANSITION, labels, 2, forbidden),
    )


def _chains(crf: PatternCrf, sequences: Iterable[Sequence[Any]], read: Reader) -> Instances:
    """Read sequences of tokens one after the other."""
    instances = Instances(crf.kinds)
    for tokens in sequences:
        length = len(tokens)
        instances.start(length)
        order = np.arange(length, dtype=np.int32)
        features, begin, values = read(tokens)
        instances.add(TOKEN, order, features, begin, values if len(values) else None)
        if length > 1:
            pairs: npt.NDArray[np.int32] = np.stack([order[:-1], order[1:]], axis=1)
            instances.add(TRANSITION, pairs, BIAS.repeat(length - 1, axis=0))
    return instances
