"""The interface of searches for each relaxation, and their settings."""

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
"""Smallest relative gap that can be requested: boxes end on a grid, and objectives may be 0."""


@dataclass(frozen=True)
class Settings:
    """All settings that affect the course of a search, see `branch_and_bound`."""

    relaxation: str = "chords"
    relative_gap: float = 0.01
    smoothing: float = 0.0
    constraint: EdgeConstraint | None = None
    restarts: int = 100
    memory: int = 2**30
    seed: int = 0

    def __post_init__(self) -> None:
        """Validate the settings."""
        for name in ("relative_gap", "smoothing", "restarts", "memory", "seed"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} must not be negative, got {getattr(self, name)}")

    def enough(self, objective: float) -> float:
        """Return the bound at which a box is pruned (Gormley & Eisner 2013, section 3)."""
        if objective == -math.inf:
            return -math.inf
        size = abs(objective)
        return objective + max(self.relative_gap * size, SMALLEST * max(size, 1.0))


class Descent(NamedTuple):
    """A random path from the root of a search tree to a leaf."""

    nodes: float
    """Estimated number of nodes of the tree."""
    seconds: float
    """Estimated time to bound them; CPU time if that is done by linear programs."""
    bounded: int
    """Number of nodes that were bounded for it, and the time that took."""
    spent: float


class Search(Protocol):
    """The open boxes of a search, and its incumbent.

    Each search defines how boxes are bounded and divided, and how answers are found. Limits,
    checkpoints, progress and status are handled by `branch_and_bound` for all searches.
    """

    @property
    def objective(self) -> float:
        """The objective of the best trees so far, ``-inf`` if there are none."""

    @property
    def heads(self) -> Heads:
        """The best trees of all sentences; empty if there are none."""

    @property
    def bound(self) -> float:
        """An upper bound on the objective of all trees."""

    @property
    def nodes(self) -> int:
        """Number of boxes that have been bounded."""

    @property
    def open_nodes(self) -> int:
        """Number of boxes that are still to be divided."""

    @property
    def memory(self) -> int:
        """Memory of the open boxes, in bytes."""

    @property
    def done(self) -> bool:
        """Whether there are no open boxes."""

    @property
    def feasible(self) -> bool:
        """Whether there may be trees that satisfy the constraint."""

    def advance(self, seconds: float, left: float, nodes: int, threads: int) -> None:
        """Continue for about this many seconds or nodes.

        Nodes in progress are completed, unless that takes longer than `left` seconds.
        """

    def descents(self, seed: int) -> Iterator[Descent]:
        """Descend the tree at random, repeatedly; the search must not have started."""

    def save(self, file: int, identity: int) -> None:
        """Write the whole state to a file descriptor, see `native/induce/archive.hpp`.

        Raises
        ------
        RuntimeError
            With the cause, such as a full disk.
        """

    def load(self, file: int, identity: int) -> None:
        """Read a state; raise an error if its `identity` differs."""
