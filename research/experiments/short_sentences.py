"""Short sentences, by kind: whether the root and all coarse tags are right.

    python -m research.experiments.short_sentences
    python -m research.experiments.short_sentences --model mine.treaty --show

The sentences are in ``tests/parse/data``: ``short_development.txt`` was looked at while the model
was made, ``short_held_out.txt`` was only counted. A line is a sentence with the tag of each word;
the root has a ``*``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from research.experiments.sentences import DATA, headed_lines
from treaty.parse import Pipeline
from treaty.text import Sentence

SETS = ("short_development", "short_held_out")


class Case(NamedTuple):
    """A sentence with its tags and the position of its root."""

    kind: str
    words: list[str]
    tags: list[str]
    root: int


def read_cases(path: Path) -> Iterator[Case]:
    """Read a file; its headings are the kinds."""
    for kind, line in headed_lines(path):
        cells = line.split()
        (root,) = (i for i, cell in enumerate(cells) if cell.startswith("*"))
        pairs = [cell.removeprefix("*").rsplit("/", 1) for cell in cells]
        yield Case(kind, [word for word, _ in pairs], [tag for _, tag in pairs], root)


def counts_of(pipeline: Pipeline, cases: list[Case], show: bool) -> Counter[tuple[str, str]]:
    """Count, for each kind, all sentences, those with the right root, and those all right."""
    counts: Counter[tuple[str, str]] = Counter()
    parses = pipeline.predict([Sentence.from_words(case.words) for case in cases], tags="predict")
    for case, parse in zip(cases, parses, strict=True):
        tags = [token.upos for token in parse.sentence.tokens]
        root = parse.sentence.heads.index(0)
        is_root = root == case.root and tags[root] == case.tags[root]
        counts[case.kind, "all"] += 1
        counts[case.kind, "root"] += is_root
        counts[case.kind, "right"] += is_root and tags == case.tags
        if show and not (is_root and tags == case.tags):
            cells = zip(case.words, tags, strict=True)
            print(" ", *(f"{'*' * (i == root)}{w}/{t}" for i, (w, t) in enumerate(cells)))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="english", help="a model with a tagger")
    parser.add_argument("--show", action="store_true", help="show what is wrong (development)")
    chosen = parser.parse_args()
    pipeline = Pipeline.load(chosen.model)
    for name in SETS:
        cases = list(read_cases(DATA / f"{name}.txt"))
        counts = counts_of(pipeline, cases, chosen.show and name == SETS[0])
        print(f"{name}: kind, sentences, right root, root and all tags right")
        for kind in dict.fromkeys(case.kind for case in cases):
            print(f"  {kind:30}", *(counts[kind, what] for what in ("all", "root", "right")))
        total = Counter[str]()
        for (_, what), count in counts.items():
            total[what] += count
        print(f"  {'in all':30}", total["all"], total["root"], total["right"])


if __name__ == "__main__":
    main()
