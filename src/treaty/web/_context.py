"""A run of a task for a request over HTTP: models of the server, a time limit, and caps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from treaty.errors import InputError
from treaty.graph import FactorGraph
from treaty.induce import Corpus
from treaty.tasks import GraphRecord, Run
from treaty.text import Collection, Sentence, Thread
from treaty.web._caps import Caps
from treaty.web._shelf import Shelf
from treaty.web._stop import Stop

__all__ = ["Context"]

Item = TypeVar("Item")
MOST_SHOWN = 10
"""Number of faults that are described one by one."""
SUMS = {"words", "sentences", "posts", "documents"}
"""Caps of all items of a request together; others are of each item."""


class Context(Run):
    """A run of a task for a request over HTTP.

    Parameters
    ----------
    shelf, stop
        The models; when to end.
    caps
        How large the parts of the request may be.
    """

    def __init__(self, shelf: Shelf, stop: Stop, caps: Caps | None = None) -> None:
        super().__init__(shelf, stop)
        self.stop, self.caps = stop, caps or Caps()

    def fault(self, error: InputError) -> None:
        """Skip a faulty part of the input."""
        super().fault(error)
        if len(self.faults) <= MOST_SHOWN:
            self.note(f"skipped: {error.message}")

    def admitted(self, items: Iterable[Item]) -> Iterator[Item]:
        """Pass on what was read; raises `TooLargeError` at the first item beyond a cap."""
        sums = Counter[str]()
        for item in items:
            for name, number in self._sizes(item):
                sums[name] = number + sums[name] * (name in SUMS)
                self.caps.check(name, sums[name])
            yield item

    def _sizes(self, item: Any) -> Iterator[tuple[str, int]]:
        """List the caps that an item counts for, and by how much."""
        if isinstance(item, Sentence):
            yield "sentences", bool(len(item))
            yield "sentence_words", len(item)
        elif isinstance(item, Thread):
            yield "posts", len(item.posts)
            yield "words", sum(len(post.text.split()) for post in item.posts)
        elif isinstance(item, Collection):
            yield "documents", len(item.articles)
            for article in item.articles:
                yield "words", len(self.caps.text(article.text).split())
        elif isinstance(item, GraphRecord):
            yield "variables", len(item.variables)
            yield "factors", len(item.factors)
            yield "links", sum(len(factor.of) for factor in item.factors)
        elif isinstance(item, FactorGraph):
            arrays = item.arrays
            yield "variables", len(item.scores)
            yield "factors", len(arrays.kinds)
            yield "links", len(arrays.literals) + len(arrays.data)
        elif isinstance(item, Corpus):
            yield "tags", len(item.tags)
            yield "sentences", len(item)
        elif isinstance(item, list) and any(hasattr(text, "getvalue") for text in item):
            for text in item:  # files to score
                yield "words", len(self.caps.text(text.getvalue()).split())
        else:
            words = item.split() if isinstance(item, str) else item
            yield "sentences", bool(len(words))
            yield "message_words", len(words)

    def report(self) -> dict[str, Any]:
        """Return what is added to the results: only what there is to report."""
        if self.left_out:
            few = "" if self.is_counted else "at least "
            self.note(
                f"stopped at the time limit of {self.stop.seconds:g} seconds: "
                f"{few}{self.left_out:,} inputs are left out"
            )
        entries = {"notes": self.notes, "faults": len(self.faults), "left_out": self.left_out}
        return {name: value for name, value in entries.items() if value}
