"""Linear-chain CRFs as scikit-learn estimators."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from treaty.errors import UsageError
from treaty.label._sequences import (
    AGGRESSIVENESS,
    EPOCHS,
    LEARNER,
    RATE,
    REGULARIZATION,
    SequenceModel,
)
from treaty.metrics import Accuracy

__all__ = ["SequenceLabeler"]

MISSING: Any = object()


class SequenceLabeler:
    """A linear-chain CRF over sequences of tokens that follows the scikit-learn estimator API.

    It works with scikit-learn's clone, grid search and cross-validation, but does not require
    scikit-learn. It wraps a `SequenceModel`, and is saved and pickled as the file of that model.

    Parameters
    ----------
    learner
        ``"likelihood"``, ``"mira"`` or ``"perceptron"``.
    epochs
        Number of passes over the training sequences.
    templates
        Without templates, a token is a dict of features or a list of feature names; with them, it
        has attributes, from which templates such as ``"w-1.form w.form"`` make features.
    columns
        The names of the attributes: tokens are tuples of strings in this order, or dicts.
    forbidden
        Pairs of labels that may not follow each other.
    warm_up
        Number of initial epochs left out of the average; a third by default.
    aggressiveness, dropout, rate, regularization, least_count
        Settings of the learner, see `TrainingOptions`.
    seed
        The seed of the order of the training sequences.
    threads, batch
        See `PatternCrf.train`.

    Attributes
    ----------
    classes_
        The labels, after `fit`.
    model_
        The trained model, after `fit`.

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
        learner: str = LEARNER,
        *,
        epochs: int = EPOCHS,
        templates: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        forbidden: Sequence[tuple[str, str]] = (),
        aggressiveness: float = AGGRESSIVENESS,
        dropout: float = 0.0,
        warm_up: int | None = None,
        rate: float = RATE,
        regularization: float = REGULARIZATION,
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

    # The estimator API

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; none are nested, so `deep` has no effect."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> SequenceLabeler:
        """Set parameters; they take effect at the next `fit`."""
        for name, value in params.items():
            if name not in self._names():
                raise UsageError(
                    f"SequenceLabeler has no parameter {name!r}: "
                    f"expected one of {', '.join(self._names())}"
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
        return hasattr(self, "model_")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value != defaults[name].default
        ]
        return f"SequenceLabeler({', '.join(changed)})"

    # Training and labeling

    def fit(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> SequenceLabeler:  # noqa: N803
        """Train on labeled sequences.

        Parameters
        ----------
        X
            Sequences of tokens; an iterator is read only once.
        y
            The labels of each sequence's tokens.
        """
        self.model_ = SequenceModel.train(_paired(X, y), **self.get_params())
        return self

    @property
    def classes_(self) -> list[str]:
        """The labels, in alphabetical order."""
        return self._fitted().labels

    def predict(self, X: Iterable[Sequence[Any]]) -> list[list[str]]:  # noqa: N803
        """Find the best labels of sequences (Viterbi)."""
        found = self._fitted().predict(X, threads=self.threads)
        return [list(labeled.labels) for labeled in found]

    def predict_marginals(self, X: Iterable[Sequence[Any]]) -> list[list[dict[str, float]]]:  # noqa: N803
        """Compute the probability of every label of every token."""
        tables = self._fitted().marginals(X, threads=self.threads)
        labels = self.classes_
        return [[dict(zip(labels, row, strict=True)) for row in t.tolist()] for t in tables]

    def score(self, X: Iterable[Sequence[Any]], y: Iterable[Sequence[str]]) -> float:  # noqa: N803
        """Compute the share of tokens with the right label."""
        right = [label for labels in y for label in labels]
        found = [label for labels in self.predict(X) for label in labels]
        if len(right) != len(found):
            raise UsageError("X and y differ: expected one label per token in every sequence")
        same = sum(a == b for a, b in zip(right, found, strict=True))
        return Accuracy(same, len(right)).value if right else 1.0

    # Files

    def save(self, path: str | Path) -> None:
        """Write the trained model to a file of a `SequenceModel`."""
        self._fitted().save(path)

    @classmethod
    def load(cls, path: str | Path | IO[bytes]) -> SequenceLabeler:
        """Load a labeler from a file; its parameters are those of the training."""
        model = SequenceModel.load(path)
        settings = model.info.get("training")
        known = settings if isinstance(settings, dict) else {}
        parameters = {
            name: known[name]
            for name, parameter in inspect.signature(cls).parameters.items()
            if name in known and _is_like(known[name], parameter.default)
        }
        form = {"templates": model.templates, "columns": model.columns}
        labeler = cls(**{**parameters, **form, "forbidden": model.forbidden})
        labeler.model_ = model
        return labeler

    def _fitted(self) -> SequenceModel:
        if not hasattr(self, "model_"):
            raise UsageError("this SequenceLabeler is not fitted: call fit first")
        return self.model_


def _paired(
    X: Iterable[Sequence[Any]],  # noqa: N803
    y: Iterable[Sequence[str]],
) -> Iterator[tuple[Sequence[Any], Sequence[str]]]:
    for tokens, labels in zip_longest(X, y, fillvalue=MISSING):
        if tokens is MISSING or labels is MISSING:
            raise UsageError("X and y differ: expected one label per token in every sequence")
        yield tokens, labels


def _is_like(value: object, usual: object) -> bool:
    """Return whether a value from a file has the type of a parameter's default."""
    numbers = (usual is None or isinstance(usual, int | float)) and type(value) in (int, float)
    return type(value) is type(usual) or numbers
