"""Hard cases of sentence splitting and tokenization, by kind.

    python -m research.experiments.sentences
    python -m research.experiments.sentences --model mine.treaty --show

The cases are in ``tests/parse/data``: ``development.txt`` was looked at while rules and features
were made, ``held_out.txt`` was written before and only counted. A line is a text: ``⏎`` is a line
break, ``‖`` the end of a sentence. If there is a ``·``, the end of a word without white space, then
words must be right, too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from research.report import ROOT
from treaty.parse import Pipeline, Tokenizer

DATA = ROOT / "tests" / "parse" / "data"
SETS = ("development", "held_out")


class Case(NamedTuple):
    """A text and its right sentences."""

    kind: str
    text: str
    sentences: list[list[str]]
    words: bool  # whether words count, or sentences alone

    def is_right(self, found: list[list[str]]) -> bool:
        if self.words:
            return found == self.sentences
        return list(map("".join, found)) == list(map("".join, self.sentences))


def headed_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Read the lines of a file, each with the kind that the heading above it names."""
    kind = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            kind = line[2:]
        else:
            yield kind, line


def read_cases(path: Path) -> Iterator[Case]:
    """Read a file; its headings are the kinds."""
    for kind, line in headed_lines(path):
        text = line.replace("⏎", "\n")
        parts = [part.replace("·", " ").split() for part in text.split("‖")]
        bare = text.replace("‖", "").replace("·", "")
        yield Case(kind, bare, [part for part in parts if part], "·" in line)


def words_of(tokenizer: Tokenizer, text: str) -> list[list[str]]:
    """Split a text into the words of its sentences."""
    return [
        [text[start:end] for token in sentence for start, end in token]
        for sentence in tokenizer.split(text)
    ]


def wrong_cases(tokenizer: Tokenizer, cases: Iterable[Case]) -> list[tuple[Case, list[list[str]]]]:
    """Return the cases that a tokenizer gets wrong, with its answers."""
    found = ((case, words_of(tokenizer, case.text)) for case in cases)
    return [(case, words) for case, words in found if not case.is_right(words)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="english")
    parser.add_argument("--show", action="store_true", help="show what is wrong in development")
    chosen = parser.parse_args()
    tokenizer = Pipeline.load(chosen.model).tokenizer
    assert tokenizer is not None
    counts, wrong = [], []
    for name in SETS:
        cases = list(read_cases(DATA / f"{name}.txt"))
        faults = wrong_cases(tokenizer, cases)
        counts.append(Counter(case.kind for case in cases))
        wrong.append(Counter(case.kind for case, _ in faults))
        for case, words in faults if chosen.show and name == SETS[0] else ():
            print(f"{case.kind}: {case.text!r}\n    {' ‖ '.join(map(' '.join, words))}")
    print(f"{'kind':16}{SETS[0]:>16}{SETS[1]:>16}")
    for kind in [*counts[0], None]:
        row = ""
        for count, fault in zip(counts, wrong, strict=True):
            every = count.total() if kind is None else count[kind]
            right = every - (fault.total() if kind is None else fault[kind])
            row += f"{f'{right}/{every}':>16}"
        print(f"{kind or 'all':16}{row}")


if __name__ == "__main__":
    main()
