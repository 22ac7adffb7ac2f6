"""Runs of `documents.py`: summaries of documents as plain files, beside sumy's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import fmean

from research.report.markdown import grid
from research.report.runs import Run

KEY = ("what", "topic", "system", "seen")
OWN = "Treaty"
RESAMPLED = 10_000


def scores(runs: Sequence[Run], what: str, seen: str = "") -> str:
    """One row per system: ROUGE, by genre, and the share of the names that are mentioned."""
    own = [run for run in runs if run["what"] == what and run["seen"] == bool(seen)]
    genres = sorted({run["genre"] for run in own})
    base = {run["topic"]: run["R2"] for run in own if run["system"] == OWN}
    rows = []
    for system in dict.fromkeys(run["system"] for run in own):
        found = [run for run in own if run["system"] == system]
        chance = better([base[run["topic"]] for run in found], [run["R2"] for run in found])
        cells = [f"{100 * fmean(r['R2'] for r in found if r['genre'] == g):.2f}" for g in genres]
        rows.append([
            system,
            f"{100 * fmean(run['R1'] for run in found):.2f}",
            f"{100 * fmean(run['R2'] for run in found):.2f}",
            "" if system == OWN else f"{chance:.3f}",
            f"{100 * fmean(run['names'] for run in found):.1f}",
            *(cells if len(genres) > 1 else []),
        ])  # fmt: skip
    head = ["system", "ROUGE-1", "ROUGE-2", "p", "names, %"]
    return grid([*head, *(genres if len(genres) > 1 else [])], rows)


def better(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the share of bootstrap samples in which the first is not better than the second.

    >>> better([2.0, 3.0], [1.0, 1.0]), better([1.0, 1.0], [1.0, 1.0])
    (0.0, 1.0)
    """
    rng = random.Random(1)
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return fmean(sum(rng.choices(gaps, k=len(gaps))) <= 0 for _ in range(RESAMPLED))
