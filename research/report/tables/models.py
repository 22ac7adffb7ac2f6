"""Scores of the models that come with Treaty, from the scripts that train them, in percent."""

from __future__ import annotations

from collections.abc import Sequence

from research.report.markdown import grid
from research.report.runs import Run

KEY = ("model", "part")
ROWS = {
    "UAS / LAS, gold words and tags": ("UAS, gold tags", "LAS, gold tags"),
    "UAS / LAS, gold words, own tags": ("UAS, own tags", "LAS, own tags"),
    "UPOS / XPOS / FEATS, gold words": ("UPOS", "XPOS", "FEATS"),
    "sentences F1 / words F1, raw text": ("sentences, raw text", "words, raw text"),
    "LAS F1, raw text": ("LAS, raw text",),
}


def english(runs: Sequence[Run]) -> str:
    """The English pipeline on dev and test."""
    parts = [run for run in runs if run["model"] == "english"]
    rows = [
        [name, *(" / ".join(f"{run['scores'][key]:.2f}" for key in keys) for run in parts)]
        for name, keys in ROWS.items()
    ]
    return grid(["", *(run["part"] for run in parts)], rows)


def others(runs: Sequence[Run]) -> str:
    """The other models."""
    rows = [
        [run["model"], run["part"], name, f"{score:.2f}".rstrip("0").rstrip(".")]
        for run in runs
        if run["model"] != "english"
        for name, score in run["scores"].items()
    ]
    return grid(["model", "part", "score", "%"], rows, text=3)
