"""How many sentences a parser solves exactly: by length, iterations and pruning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from experiments.report import Run
from treaty.corpus import Sentence
from treaty.parse import Parse, Parser
from treaty.solve import Status

WIDTH, LAST = 10, 41
"""Words that a bucket of lengths spans, and where the last of them begins."""
LONG = 10_000
"""As many iterations as it takes: AD3 stops when the relaxation is solved."""
PRUNING = {
    "usual": {},
    "3 heads": {"heads": 3},
    "20 heads": {"heads": 20, "threshold": 0.0},
}
"""The usual pruner keeps 10 heads, none below 0.0001 of the best; narrower and wider ones."""


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


def exactness(parser: Parser, sentences: Sequence[Sentence]) -> list[Run]:
    """Parse with few and with many iterations, and with other pruning."""
    usual = parser.settings
    found = []
    tries = [(name, LONG) for name in PRUNING]
    for name, iterations in [("usual", usual.iterations), *tries]:
        parser.settings = replace(usual, iterations=iterations, **PRUNING[name])
        parses = list(parser.predict(sentences))
        found.append(
            {
                "pruning": name,
                "iterations": iterations,
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
        )
    parser.settings = usual
    return found
