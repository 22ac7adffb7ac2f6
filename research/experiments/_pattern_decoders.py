"""Decoders of pattern problems side by side: what each finds, proves and takes, decoding alone.

Graphs are made before the clock starts, so that seconds are those of the decoder and not of
features. An answer is the decoder's own, after its local search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from research.report import Run
from treaty.graph import FactorGraph
from treaty.label import Instances, PatternCrf
from treaty.solve import Solution, Status, solve_many

Labels = npt.NDArray[np.int32]

DECODERS: dict[str, tuple[str, dict[str, Any]]] = {
    "paper": ("two-slave", {"style": "paper", "step_rule": "rush"}),
    "released": ("two-slave", {"style": "released", "step_rule": "rush"}),
    "naive rush": ("naive", {"step_rule": "rush"}),
    "two-slave": ("two-slave", {}),
    "naive": ("naive", {}),
    "ad3": ("ad3", {}),
    "lp": ("lp", {}),
    "ilp": ("ilp", {}),
    "exact": ("exact", {}),
}
"""The paper's two subproblems and its baseline, both with the steps of Rush et al. (2010); the
same two with Treaty's relaxation and steps; and others."""
DUAL = ("paper", "naive rush", "two-slave", "naive", "ad3")
"""Those that are stopped after some iterations; the others prove their answers."""


@dataclass(frozen=True)
class Problems:
    """Graphs to decode, and the labels that a decoder finds for them.

    Attributes
    ----------
    graphs, sizes
        The graph of each instance, and the number of its vertices.
    score
        Scores a labeling of each instance.
    """

    crf: PatternCrf
    graphs: Sequence[FactorGraph]
    sizes: Sequence[int]
    score: Callable[[list[Labels]], Run]

    @classmethod
    def of(
        cls, crf: PatternCrf, instances: Instances, score: Callable[[list[Labels]], Run]
    ) -> Problems:
        """Make the graphs of all instances."""
        return cls(crf, crf.graphs(instances), instances.sizes.tolist(), score)

    def decode(self, decoder: str, iterations: int | None = None) -> Run:
        """Decode all graphs, one after the other; seconds are CPU time."""
        method, options = DECODERS[decoder]
        limits = {} if iterations is None else {"iterations": iterations}
        started = time.process_time()
        found = solve_many(self.graphs, method, threads=1, **options, **limits)
        seconds = time.process_time() - started
        return {
            **self.score([self._labels(*each) for each in zip(found, self.sizes, strict=True)]),
            "seconds": seconds,
            "instances": len(found),
            "certificates": sum(one.status is Status.OPTIMAL for one in found) / len(found),
            "bound": float(sum(one.bound for one in found)),
            "objective": float(sum(one.objective for one in found)),
            "done": sum(one.iterations for one in found),
        }

    def _labels(self, solution: Solution, vertices: int) -> Labels:
        if not np.isfinite(solution.objective):
            return np.zeros(vertices, np.int32)
        return self.crf.labels_of(solution, vertices)
