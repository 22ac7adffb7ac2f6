"""Scorers: from the features of parts to scores, and from gradients of scores back to weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.learn._model_file import ModelFile
from treaty.learn._multi_task import SparseVector, Vector
from treaty.learn._ranges import Int, Range, check_ranges
from treaty.learn._structure import PartList

__all__ = ["MOST_BITS", "Dense", "HashedLinear", "Scorer", "scorer_of_file"]

Floats = npt.NDArray[np.float64]

MOST_BITS = 24
MOST_WIDTH = 2**12


class Scorer(ABC):
    """A function from the features of parts to their scores, with weights that are given apart.

    Since the weights are an argument, a learner is free to average them, to share them between
    tasks and to store them as it likes.
    """

    name: ClassVar[str]
    ranges: ClassVar[dict[str, Range[Any]]]

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of weights."""

    @abstractmethod
    def initial(self, seed: int) -> npt.NDArray[np.floating[Any]]:
        """Return the weights that training begins with."""

    @abstractmethod
    def scores(self, parts: PartList, weights: Any) -> Floats:
        """Score the parts.

        Parameters
        ----------
        parts
            The parts.
        weights
            An array, or what is indexed like one (`TaskWeights`).
        """

    @abstractmethod
    def backward(self, parts: PartList, weights: Any, gradient: Floats) -> Vector:
        """Take a gradient back: from that of the scores to that of the weights.

        Parameters
        ----------
        parts, weights
            As in `scores`.
        gradient
            A number for each part.

        Returns
        -------
        SparseVector or array
            The gradient of the sum of the scores, each times its number.
        """

    def to_header(self) -> dict[str, Any]:
        """Return what makes the scorer, for the header of a model file."""
        return {"scorer": self.name, **asdict(self)}  # type: ignore[call-overload]


@dataclass(frozen=True, slots=True)
class HashedLinear(Scorer):
    """Linear in hashed features: the score of a part is the sum of its features' weights.

    Parameters
    ----------
    bits
        Logarithm of the number of weights.
    """

    bits: int = 18

    name = "hashed"
    ranges: ClassVar[dict[str, Range[Any]]] = {"bits": Int(1, MOST_BITS)}

    @property
    def size(self) -> int:
        """The number of weights."""
        return int(2**self.bits)

    def initial(self, seed: int) -> npt.NDArray[np.float32]:
        """Return zeros."""
        return np.zeros(self.size, np.float32)

    def scores(self, parts: PartList, weights: Any) -> Floats:
        """Score the parts."""
        scores = np.zeros(len(parts))
        for part, features in parts.features:
            scores[part] = features.scores(weights)
        return scores if parts.scale == 1.0 else scores / parts.scale

    def backward(self, parts: PartList, weights: Any, gradient: Floats) -> SparseVector:
        """Return the features of the parts, times the gradient."""
        scaled = gradient if parts.scale == 1.0 else gradient / parts.scale
        totals = [features.total(scaled[part]) for part, features in parts.features]
        return SparseVector(
            np.concatenate([np.zeros(0, np.int32), *(places for places, _ in totals)]),
            np.concatenate([np.zeros(0), *(values for _, values in totals)]),
        )


@dataclass(frozen=True, slots=True)
class Dense(Scorer):
    """Linear, or with one hidden layer, in a few dense features of each part.

    Parameters
    ----------
    width
        Number of features; see `PartList.dense`.
    hidden
        Number of hidden units (tanh); 0 for a linear scorer.

    Examples
    --------
    >>> Dense(8).size, Dense(8, hidden=3).size
    (9, 31)
    """

    width: int = 64
    hidden: int = 0

    name = "dense"
    ranges: ClassVar[dict[str, Range[Any]]] = {
        "width": Int(1, MOST_WIDTH),
        "hidden": Int(0, MOST_WIDTH),
    }

    def __post_init__(self) -> None:
        check_ranges(asdict(self), self.ranges)

    @property
    def size(self) -> int:
        """The number of weights."""
        return (self.width + 2) * self.hidden + 1 if self.hidden else self.width + 1

    def initial(self, seed: int) -> Floats:
        """Return zeros, or small random numbers if there is a hidden layer."""
        weights = np.zeros(self.size)
        if self.hidden:
            layer = self.width * self.hidden
            rng = np.random.default_rng(seed)
            weights[:layer] = rng.normal(0.0, self.width**-0.5, layer)
            weights[layer + self.hidden : -1] = rng.normal(0.0, self.hidden**-0.5, self.hidden)
        return weights

    def scores(self, parts: PartList, weights: Any) -> Floats:
        """Score the parts."""
        flat = np.asarray(weights[:], np.float64)
        rows, has = parts.dense(self.width)
        if not self.hidden:
            return np.where(has, rows @ flat[:-1] + flat[-1], 0.0)
        first, shift, second = self._layers(flat)
        return np.where(has, np.tanh(rows @ first + shift) @ second + flat[-1], 0.0)

    def backward(self, parts: PartList, weights: Any, gradient: Floats) -> Floats:
        """Return the gradient of all weights."""
        flat = np.asarray(weights[:], np.float64)
        rows, has = parts.dense(self.width)
        given = np.where(has, gradient, 0.0)
        if not self.hidden:
            return np.append(given @ rows, given.sum())
        first, shift, second = self._layers(flat)
        units = np.tanh(rows @ first + shift)
        inner = given[:, None] * second * (1.0 - units**2)
        return np.concatenate(
            [(rows.T @ inner).ravel(), inner.sum(axis=0), given @ units, [given.sum()]]
        )

    def _layers(self, flat: Floats) -> tuple[Floats, Floats, Floats]:
        layer = self.width * self.hidden
        first = flat[:layer].reshape(self.width, self.hidden)
        return first, flat[layer : layer + self.hidden], flat[layer + self.hidden : -1]


def scorer_of_file(file: ModelFile, header: dict[str, Any]) -> Scorer:
    """Make a scorer from its entry of a header; raise `ModelError` if anything is invalid."""
    for kind in (HashedLinear, Dense):
        if header.get("scorer") == kind.name:
            settings = ModelFile(
                file.task, {"scorer": {k: v for k, v in header.items() if k != "scorer"}}, {},
                file.name,
            ).settings("scorer", kind.ranges)  # fmt: skip
            return kind(**settings)
    raise file.fault("scorer: expected hashed or dense")


def check_bits(bits: int) -> None:
    """Raise `UsageError` for a table that is too large or too small."""
    if not 1 <= bits <= MOST_BITS:
        raise UsageError(f"bits must be from 1 to {MOST_BITS}, not {bits}")
