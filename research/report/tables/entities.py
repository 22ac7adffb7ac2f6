"""Runs of `research/experiments/entities.py`: entities by system and seed.

A line is a system (``part`` is that of the data), or the difference between two with the same seed
(``beside`` names the second).
"""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import grid, number
from research.report.runs import Run

KEY = ("dataset", "part", "fold", "system", "beside", "method", "learner", "seed")
NAMES = {"tweebank": "Tweebank-NER", "wnut17": "WNUT-17", "btc": "BTC", "msm2013": "MSM2013"}
CHAIN, GLOBAL, PEER = "chain", "global", "crfsuite lbfgs c2=0.1"
SURE = 0.05


def by_seed(runs: Sequence[Run], part: str = "test") -> str:
    """Micro F1 of chains and groups, their differences, and CRFsuite."""
    rows = []
    runs = [run for run in runs if run["part"] == part and run.get("fold") is None]
    for dataset in dict.fromkeys(run["dataset"] for run in runs):
        own = [run for run in runs if run["dataset"] == dataset]
        systems = [
            ", ".join(f"{100 * run['micro F1']:.2f}" for run in own if _is(run, system))
            for system in (CHAIN, GLOBAL)
        ]
        differences = [
            _difference(run) for run in own if (run["system"], run.get("beside")) == (GLOBAL, CHAIN)
        ]
        peers = [number(run["micro F1"], ".2f", 100) for run in own if _is(run, PEER)]
        rows.append([NAMES[dataset], *systems, ", ".join(differences), ", ".join(peers)])
    return grid(["data", CHAIN, GLOBAL, "difference", "CRFsuite L-BFGS"], rows)


def _is(run: Run, system: str) -> bool:
    return run["system"] == system and run.get("beside") is None


def _difference(run: Run) -> str:
    p = run.get("p")
    sure = f" (p = {p:.2f})".replace("0.", ".") if p is not None and p < SURE else ""
    return f"{100 * run['difference']:+.2f}{sure}"
