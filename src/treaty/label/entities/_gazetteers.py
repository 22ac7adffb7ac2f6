"""Gazetteers: lists of names, and their matches in texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty._native import label as native
from treaty.errors import InputError, UsageError
from treaty.learn import ModelFile
from treaty.text._lines import Lines, sound_lines

__all__ = ["Gazetteers"]

MOST_LISTS = 64
MARKS = "BIES"
Ints = npt.NDArray[np.int32]


class Gazetteers:
    """Named lists of phrases. Case and the ``#`` of hash tags are ignored.

    Parameters
    ----------
    lists
        Phrases by the name of their list: at most 64 lists, with any number of phrases.

    Examples
    --------
    >>> lists = Gazetteers({"city": ["New York", "York"], "person": ["York"]})
    >>> lists.marks([["in", "New", "York"]])
    [(1, 'city', 'B'), (2, 'city', 'E'), (2, 'person', 'S')]
    """

    def __init__(self, lists: Mapping[str, Iterable[str]] | None = None) -> None:
        lists = lists or {}
        if len(lists) > MOST_LISTS:
            raise UsageError(
                f"expected at most {MOST_LISTS} lists of names, got {len(lists)}: merge some"
            )
        self.names = list(lists)
        self.table = native.PhraseTable()
        for number, phrases in enumerate(lists.values()):
            self.table.add(number, [" ".join(phrase.lower().split()) for phrase in phrases])

    @classmethod
    def read(
        cls,
        origin: str | Path | IO[Any],
        *,
        only: Collection[str] | None = None,
        more: Mapping[str, Iterable[str]] | None = None,
    ) -> Gazetteers:
        r"""Read a file with lines ``list TAB phrase``.

        Parameters
        ----------
        origin
            A path, ``"-"`` or an open stream; gzip and xz are decompressed.
        only
            The lists to keep, by name or by the part before the last slash; by default all.
        more
            Further lists, as in the class.

        Examples
        --------
        >>> import io
        >>> file = io.StringIO("geo/city\tNew York\ngeo/country\tChad\nbook\tThe Bell Jar\n")
        >>> Gazetteers.read(file, only=["geo"]).names
        ['geo/city', 'geo/country']
        """
        lists: dict[str, list[str]] = defaultdict(list)
        lines = Lines(origin)
        for number, line in enumerate(sound_lines(lines, None), 1):
            name, tab, phrase = line.partition("\t")
            if line and not (tab and name and phrase.strip()):
                raise InputError(
                    "expected the name of a list, a tab and a phrase",
                    path=lines.name,
                    line=number,
                    text=line,
                )
            if line and (only is None or not {name, name.rpartition("/")[0]}.isdisjoint(only)):
                lists[name].append(phrase)
        return cls({**lists, **(more or {})})

    def __len__(self) -> int:
        return len(self.names)

    def found(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
        """Find the phrases in sentences.

        Matches of the same list do not overlap: they are found from left to right, and the longest
        one at each position is taken.

        Returns
        -------
        words, marks
            For every word of a match its index among the words of all sentences, and four times
            the number of the list, plus 0, 1, 2 or 3 for a first, inner, last or only word.
        """
        begin = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        keys = [word.lower().removeprefix("#") for words in sentences for word in words]
        words, marks = self.table.marks(keys, begin)
        return words, marks

    def marks(self, sentences: Sequence[Sequence[str]]) -> list[tuple[int, str, str]]:
        """Find the phrases in sentences, as tuples (word, name of the list, B, I, E or S)."""
        words, marks = (array.tolist() for array in self.found(sentences))
        return [
            (word, self.names[mark // 4], MARKS[mark % 4])
            for word, mark in zip(words, marks, strict=True)
        ]

    def tensors(self, prefix: str) -> dict[str, npt.NDArray[np.generic]]:
        """Store the lists as tensors of a model file: 16 bytes per phrase, without the text."""
        keys, lists = self.table.entries()
        return {f"{prefix}keys": keys, f"{prefix}lists": lists}

    @classmethod
    def from_file(cls, file: ModelFile, prefix: str, names: Sequence[str]) -> Gazetteers:
        """Read lists from a model file and validate them."""
        if len(names) > MOST_LISTS:
            raise file.fault(
                f"{prefix}: expected at most {MOST_LISTS} lists of names, found {len(names)}"
            )
        keys = file.tensor(f"{prefix}keys", np.uint64, least=1)
        every = 2 ** len(names) - 1
        lists = file.tensor(f"{prefix}lists", np.uint64, len(keys), most=every)
        made = cls()
        made.names = list(names)
        made.table.insert(keys, lists)
        return made
