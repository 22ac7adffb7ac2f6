"""How time and memory grow: n, 2n and 4n of inputs that readers, tokenizers and drawings hate.

``python -m research.fuzz.growth`` prints a table. A ratio near 4 from n to 4n is proportionate;
more than 6 is marked and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from research.fuzz import _samples
from treaty import load
from treaty import text as texts
from treaty.errors import TreatyError
from treaty.graph import read_graphs
from treaty.label import Gazetteers
from treaty.parse import Clusters
from treaty.show import thread_svg, thread_text, tree_svg, tree_text
from treaty.summarize import Rules
from treaty.summarize._reading import read_sources
from treaty.summarize._split import split_text
from treaty.text import Post, Sentence, Thread, Token
from treaty.text.formats._html import Page
from treaty.text.formats._subtitles import text_of_subtitles

__all__ = ["SUBJECTS", "Growth", "measure"]

TOO_MUCH = 6.0
"""Ratio of 4n to n that is out of proportion; 4 is proportionate, 16 is quadratic."""
LEAST = 0.02
"""Seconds below which a ratio says nothing."""
UNITS = {
    "<a": "<a", "<a ": "<a ", "dots": ".", "brackets": "[(", "http://": "http://", "quotes": "\"'",
    "emoji": "😀", "newlines": "\n", "one word": "x", "words": "so it goes and ", "spaces": " ",
    "tabs": "\t", "<!--": "<!--", "attributes": "<a x='", "&#": "&#1", "dashes": "a-", "@": "a@",
    "comments": "#\n", "combining": "a\u0301", "ends": ".) ", "initials": "A. ",
    "headers": "a: b\n", "rows": "| a ", "turns": "Ann: so\n",
}  # fmt: skip
PUNY = "Content-Type: text/plain; charset=punycode\n\n"
ROW = "1\tx\t_\t_\t_\t_\t0\troot\t_\t_\n"


class Growth(NamedTuple):
    """Seconds and peak bytes of n, 2n and 4n."""

    seconds: tuple[float, ...]
    peaks: tuple[int, ...]

    def ratios(self) -> tuple[float, float]:
        """Return the ratios of 4n to n in time and memory."""
        return (
            self.seconds[-1] / max(self.seconds[0], LEAST),
            self.peaks[-1] / max(self.peaks[0], 2**20),
        )


def measure(run: Callable[[Any], object], make: Callable[[int], Any], size: int) -> Growth:
    """Run something on inputs of one, two and four times a size."""
    seconds, peaks = [], []
    _ended(run, make(8))  # what is loaded once
    for times in (1, 2, 4):
        given = make(size * times)
        start = time.process_time()
        _ended(run, given)
        seconds.append(time.process_time() - start)
        tracemalloc.start()
        _ended(run, given)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    return Growth(tuple(seconds), tuple(peaks))


def _ended(run: Callable[[Any], object], given: Any) -> None:
    with suppress(TreatyError):
        run(given)


def _all(read: Callable[..., Any]) -> Callable[[str], object]:
    def run(text: str) -> None:
        for _ in read(io.BytesIO(text.encode()), on_error=lambda error: None):
            pass

    return run


def _file(read: Callable[[Any], Any]) -> Callable[[str], object]:
    return lambda text: read(io.BytesIO(text.encode()))


def _email(text: str) -> None:
    for head in (
        "",
        "Subject: ",
        "Content-Type: text/plain; ",
        "Content-Type: text/html\n\n",
        PUNY,
    ):
        _ended(_file(lambda file: texts.read_article(file, format="email")), head + text)


@cache
def _shipped(name: str) -> Any:
    return load(name)


def _graph(text: str) -> None:
    for _ in read_graphs(io.BytesIO(text.encode()), "fg"):
        pass


def _tree(shape: str) -> Callable[[int], Sentence]:
    heads = {"chain": lambda i: i, "star": lambda i: min(i, 1), "back": lambda i: i - i % 7}[shape]
    return lambda n: Sentence([Token("w", head=heads(i), deprel="x") for i in range(n)])


def _thread(n: int) -> Thread:
    return Thread(
        [Post("so it goes") for _ in range(n)], [texts.Link(i, i - 1) for i in range(1, n)]
    )


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda n: unit * (n // len(unit))


READERS: dict[str, Callable[[str], object]] = {
    "tokenizer": lambda text: _samples.tokenizer().sentences(text),
    "parse_text": lambda text: list(_shipped("english").parse_text(text)),
    "summarize": lambda text: _shipped("summarizer").summarize([text]),
    "split_text": split_text,
    "read_article": _file(lambda file: texts.read_article(file, format="html")),
    "read_email": _email,
    "read_subtitles": text_of_subtitles,
    "read_sources": lambda text: read_sources([texts.Article(text)]),
    "Page": lambda text: Page(text).text,
    "read_paragraphs": _all(texts.read_paragraphs),
    "recognize": _file(texts.recognize),
    "read_conllu": _all(texts.read_conllu),
    "read_columns": _all(texts.read_columns),
    "read_threads": _all(texts.read_threads),
    "Clusters.read": _file(Clusters.read),
    "Gazetteers.read": _file(Gazetteers.read),
    "Rules.load": _file(Rules.load),
    "read_graphs": _graph,
}
VALID: dict[str, tuple[Callable[[str], object], str]] = {
    "read_conllu": (_all(texts.read_conllu), f"{ROW}\n"),
    "read_columns": (_all(texts.read_columns), "x\tO\n"),
    "read_collections": (_all(texts.read_collections), '{"documents": ["a b c d"]}\n'),
    "Clusters.read": (_file(Clusters.read), "01\tword\t5\n"),
    "read_sources": (lambda text: read_sources([texts.Article(text)]), "It rained. It poured.\n"),
}
SIZES = {"tokenizer": 40_000, "parse_text": 800, "summarize": 800}
"""Characters of n, 400,000 by default."""
SUBJECTS: list[tuple[str, str, Callable[[Any], object], Callable[[int], Any], int]] = [
    *((name, what, run, _repeated(unit), SIZES.get(name, 400_000))
      for name, run in READERS.items() for what, unit in UNITS.items()),
    *((name, "valid", run, _repeated(unit), 400_000) for name, (run, unit) in VALID.items()),
    *((draw.__name__, shape, draw, _tree(shape), 1_000)
      for draw in (tree_text, tree_svg) for shape in ("chain", "star", "back")),
    *((draw.__name__, "thread", draw, _thread, 250) for draw in (thread_text, thread_svg)),
]  # fmt: skip


def main() -> int:
    """Print the table; returns 1 if something is out of proportion."""
    parser = argparse.ArgumentParser(prog="python -m research.fuzz.growth", description=__doc__)
    parser.add_argument("only", nargs="*", help="beginnings of the names of what is measured")
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual sizes")
    given = parser.parse_args()
    heads = "    s: n      2n      4n     ×  MB: 4n     ×"
    print(f"{'':22} {'input':11} {'n':>8} {heads}")
    wrong = 0
    for name, what, run, make, usual in SUBJECTS:
        if given.only and not any(name.startswith(only) for only in given.only):
            continue
        size = max(8, int(usual * given.scale))
        growth = measure(run, make, size)
        ratios = growth.ratios()
        bad = max(ratios) > TOO_MUCH
        wrong += bad
        shown = " ".join(f"{value:7.3f}" for value in growth.seconds)
        most = f"{ratios[0]:5.1f} {growth.peaks[-1] / 1e6:7.1f} {ratios[1]:5.1f}"
        print(f"{name:22} {what:11} {size:>8,} {shown} {most}{' !' if bad else ''}", flush=True)
    print(f"{wrong} out of proportion")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
