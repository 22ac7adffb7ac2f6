"""How graphs enter the zoo."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treaty.graph import FactorGraph

NO = -math.inf  # a forbidden cell; as an optimum: there is no solution


@dataclass(frozen=True)
class Case:
    build: Callable[[], FactorGraph]
    optimum: float
    tight: bool

    @property
    def name(self) -> str:
        return self.build.__name__


ZOO: list[Case] = []


def keeper(optimum: float, tight: bool = True) -> Callable[[Callable[[], FactorGraph]], Callable]:
    """Puts a graph into the zoo; `tight` says that the relaxation's value is the optimum."""

    def keep(build: Callable[[], FactorGraph]) -> Callable[[], FactorGraph]:
        ZOO.append(Case(build, optimum, tight))
        return build

    return keep


def scale_of(graph: FactorGraph) -> float:
    """The size of the scores: tolerances are relative to it."""
    native = graph.native
    numbers = np.concatenate([native.scores, native.data])
    return float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)) or 1.0
