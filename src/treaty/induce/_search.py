"""What a search is: its settings, and what each way to bound boxes offers the loop that runs it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from treaty.errors import UsageError
from treaty.induce._constraints import EdgeConstraint
from treaty.induce._features import Heads

__all__ = ["Descent", "Search", "Settings"]

SMALLEST = 1e-6
"""No smaller relative gap is asked for: boxes end on a grid, and log-likelihoods may be 0."""


@dataclass(frozen=True)
class Settings:
    """What the course of a search depends on besides its corpus; see `branch_and_bound`."""

    relaxation: str = "chords"
    relative_gap: float = 0.01
    smoothing: float = 0.0
    constraint: EdgeConstraint | None = None
    restarts: int = 100
    memory: int = 2**30
    seed: int = 0

    def __post_init__(self) -> None:
        """Check what came from a user."""
        for name in ("relative_gap", "smoothing", "restarts", "memory", "seed"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} must not be negative, got {getattr(self, name)}")

    def enough(self, objective: float) -> float:
        """Tell the bound at which a box need not be divided (Gormley & Eisner 2013, section 3)."""
        if objective == -math.inf:
            return -math.inf
        size = abs(objective)
        return objective + max(self.relative_gap * size, SMALLEST * max(size, 1.0))


class Descent(NamedTuple):
    """A random way from the root of a search tree down to a leaf."""

    nodes: float
    """How many nodes the tree has, as far as this way can tell."""
    seconds: float
    """How long it takes to bound them."""
    bounded: int
    """How many nodes had to be bounded for it, and the seconds that took."""
    spent: float


class Search(Protocol):
    """The open boxes of a search, and the best answer so far.

    How a box is bounded and divided, and how answers come out of it, is the search's own affair.
    Limits, checkpoints, progress and the verdict are those of `branch_and_bound`, for all searches.
    """

    @property
    def objective(self) -> float:
        """The objective of the best trees so far, ``-inf`` without any."""

    @property
    def heads(self) -> Heads:
        """The best trees of all sentences; empty without any."""

    @property
    def bound(self) -> float:
        """No trees are better."""

    @property
    def nodes(self) -> int:
        """How many boxes have been bounded."""

    @property
    def open_nodes(self) -> int:
        """How many wait to be divided."""

    @property
    def memory(self) -> int:
        """The bytes that these take."""

    @property
    def done(self) -> bool:
        """Whether no box is left to divide."""

    @property
    def feasible(self) -> bool:
        """Whether there may be trees that meet the constraint."""

    def advance(self, seconds: float, left: float, nodes: int, threads: int) -> None:
        """Go on for about so many seconds or nodes.

        What has been begun is brought to its end, but not if that takes longer than `left` seconds.
        """

    def descents(self, seed: int) -> Iterator[Descent]:
        """Go down the tree at random, again and again; the search must not have begun."""

    def save(self, path: str, identity: int) -> None:
        """Write all that the further course depends on, by the form of `native/induce/archive.hpp`.

        Raises
        ------
        RuntimeError, OSError
            With the cause.
        """

    def load(self, path: str, identity: int) -> None:
        """Read that back; an `identity` other than that of the file is refused."""
