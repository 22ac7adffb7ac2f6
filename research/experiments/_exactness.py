"""How many sentences a parser solves exactly: by length, iterations and pruning."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from research.report import Run
from treaty.parse import Parse, Parser
from treaty.solve import Status
from treaty.text import Sentence

WIDTH, LAST = 10, 41
"""Words that a bucket of lengths spans, and where the last of them begins."""
LONG = 10_000
"""As many iterations as it takes: AD3 stops when the relaxation is solved."""
PRUNING: dict[str, dict[str, Any]] = {
    "usual": {},
    "3 heads": {"heads": 3},
    "20 heads": {"heads": 20, "threshold": 0.0},
}
"""The usual pruner keeps 10 heads, none below 0.0001 of the best; narrower and wider ones."""
TRIES = [(pruning, iterations) for pruning in PRUNING for iterations in (200, LONG)]
"""What is asked of a parser."""


def bucket(words: int) -> str:
    """Name the bucket of a length.

    Examples
    --------
    >>> [bucket(n) for n in (1, 10, 11, 40, 41, 99)]
    ['1–10', '1–10', '11–20', '31–40', '41+', '41+']
    """
    first = (words - 1) // WIDTH * WIDTH + 1
    return f"{LAST}+" if first >= LAST else f"{first}–{first + WIDTH - 1}"


def by_length(parses: Sequence[Parse]) -> dict[str, list[int]]:
    """Sentences of each length, those proved optimal, those whose relaxation has no tree on top."""
    found: dict[str, list[int]] = {}
    for parse in parses:
        counts = found.setdefault(bucket(max(1, len(parse.sentence))), [0, 0, 0])
        counts[0] += 1
        counts[1] += parse.status is Status.OPTIMAL
        counts[2] += parse.status is Status.FRACTIONAL
    return dict(sorted(found.items(), key=lambda entry: int(entry[0].split("–")[0].rstrip("+"))))


def solved(
    parser: Parser, sentences: Sequence[Sentence], pruning: str, iterations: int, **how: Any
) -> Run:
    """Solve the graphs of sentences and count those solved exactly.

    The graphs are solved, not the sentences parsed: the parser gives long sentences fewer
    iterations.
    """
    usual = parser.settings
    parser.settings = replace(usual, **PRUNING[pruning])
    graphs = [parser.graph(sentence, **how) for sentence in sentences]
    parser.settings = usual
    started = time.process_time()
    parses = [graph.solve(iterations=iterations) for graph in graphs]
    seconds = time.process_time() - started
    about = {"pruning": pruning, "iterations": iterations, "seconds": seconds}
    return {**about, **_counted(sentences, parses)}


def _counted(sentences: Sequence[Sentence], parses: Sequence[Parse]) -> Run:
    return {
        "sentences": len(parses),
        "optimal": sum(parse.status is Status.OPTIMAL for parse in parses),
        "fractional": sum(parse.status is Status.FRACTIONAL for parse in parses),
        "right": sum(
            a == b
            for sentence, parse in zip(sentences, parses, strict=True)
            for a, b in zip(sentence.heads, parse.sentence.heads, strict=True)
        ),
        "words": sum(map(len, sentences)),
        "by length": by_length(parses),
    }
