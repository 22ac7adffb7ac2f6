"""What compression must keep and what it may cut, by kind.

    python -m research.experiments.faithful
    python -m research.experiments.faithful --show

The sentences are in ``tests/summarize/data``: those of ``*_development.txt`` were looked at while
rules were made, those of ``*_held_out.txt`` were written before and only counted, and those of
``*_fresh.txt``, ``*_second.txt`` and ``*_third.txt`` were written after all rules were made; causes
of what was wrong in the first two were mended afterwards. In
``must_stay_*`` all words in braces must stay, even if as many words as possible are cut; in
``may_go_*`` all words in braces should be cut when nothing is asked for.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from research.experiments.sentences import headed_lines
from research.report import ROOT
from treaty.summarize import CompressedSentence, Summarizer

DATA = ROOT / "tests" / "summarize" / "data"
SETS = ("development", "held_out", "fresh", "second", "third")
BRACE = re.compile(r"[{}]")


class Case(NamedTuple):
    """A sentence, and which of its characters are in braces."""

    kind: str
    text: str
    marked: frozenset[int]

    def cut_of(self, found: CompressedSentence) -> list[bool]:
        """Return for every marked token with a letter or digit whether it was cut."""
        place, cut = 0, []
        for token, kept in zip(found.tokens, found.kept, strict=True):
            place = self.text.index(token, place)
            if place in self.marked and any(map(str.isalnum, token)):
                cut.append(not kept)
            place += len(token)
        return cut


class Count(NamedTuple):
    """How many are right, by kind, of how many; and the wrong ones."""

    right: Counter[str]
    total: Counter[str]
    wrong: list[tuple[Case, CompressedSentence]]

    @property
    def share(self) -> float:
        return self.right.total() / max(1, self.total.total())


def read_cases(path: Path) -> Iterator[Case]:
    """Read a file; its headings are the kinds."""
    for kind, line in headed_lines(path):
        text, marked, inside = "", set[int](), False
        for piece in re.split(r"([{}])", line):
            if BRACE.fullmatch(piece):
                inside = piece == "{"
            else:
                marked |= set(range(len(text), len(text) + len(piece))) if inside else set()
                text += piece
        yield Case(kind, text, frozenset(marked))


def compressed(
    summarizer: Summarizer, cases: Sequence[Case], **options: Any
) -> list[CompressedSentence]:
    """Compress the sentences of all cases."""
    sentences = [sentence for case in cases for sentence in summarizer.split(case.text)]
    if len(sentences) != len(cases):
        raise ValueError("a case is not one sentence")
    return summarizer.compress(sentences, **options)


def count(summarizer: Summarizer, cases: Sequence[Case], stay: bool, **options: Any) -> Count:
    """Count the cases in which all that must stay does, or all that may go does."""
    right, total, wrong = Counter[str](), Counter[str](), []
    for case, found in zip(cases, compressed(summarizer, cases, **options), strict=True):
        total[case.kind] += 1
        cut = case.cut_of(found)
        if not any(cut) if stay else all(cut):
            right[case.kind] += 1
        else:
            wrong.append((case, found))
    return Count(right, total, wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="summarizer")
    parser.add_argument("--show", action="store_true", help="show what is wrong in development")
    parser.add_argument("--bold", action="store_true", help="count bold cuts (--short)")
    chosen = parser.parse_args()
    summarizer = Summarizer.load(chosen.model)
    bold = {"cuts": "short"} if chosen.bold else {}
    for name, stay, options in (("must_stay", True, {"words": 0}), ("may_go", False, {})):
        counts = [
            count(
                summarizer, list(read_cases(DATA / f"{name}_{part}.txt")), stay, **options, **bold
            )
            for part in SETS
        ]
        print(f"{name:28} " + "  ".join(f"{part:>12}" for part in SETS))
        for kind in counts[0].total:
            row = (f"{c.right[kind]:>6} of {c.total[kind]:>2}" for c in counts)
            print(f"  {kind:26} " + "  ".join(f"{cell:>12}" for cell in row))
        print(f"  {'all':26} " + "  ".join(f"{c.share:>12.1%}" for c in counts))
        if chosen.show:
            from treaty.show import cuts_text

            for case, found in counts[0].wrong:
                print(f"    {case.kind}: {cuts_text(found)}")


if __name__ == "__main__":
    main()
