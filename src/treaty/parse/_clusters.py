"""Word clusters: the path of each word in a binary tree, as made by Brown clustering."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import InputError, UsageError
from treaty.learn import ModelFile, string_tensor
from treaty.text._lines import Lines, sound_lines

__all__ = ["Clusters"]

NO_PATH = ""
LONGEST_PATH = 64
PREFIX, VECTOR_PREFIX, LEXICON_PREFIX = "clusters.", "vector_clusters.", "lexicon."
"""Name prefixes of their tensors: the first set is shared by all parts of a model, the others are
used by the tagger only."""


def check_clusters(
    attributes: Iterable[str], clusters: Clusters | None, column: str = "cluster"
) -> None:
    """Raise `UsageError` for templates that use clusters if there are none."""
    wanting = next((n for n in attributes if n == column or n.endswith(f"({column})")), None)
    if wanting is not None and clusters is None:
        raise UsageError(f"the templates use {wanting}, but there are no clusters")


def _count(text: str) -> float:
    """Parse the count of a word; treat an invalid or huge number as infinite."""
    return int(text) if text.isdecimal() and len(text) < 19 else math.inf


class Clusters:
    """Paths of words, such as ``"0110"``; words with a long common prefix are similar.

    Examples
    --------
    >>> clusters = Clusters({"rome": "0110", "paris": "0111"})
    >>> clusters.path("Rome"), clusters.path("xyzzy")
    ('0110', '')
    """

    def __init__(self, paths: Mapping[str, str]) -> None:
        self.paths = dict(paths)

    def __len__(self) -> int:
        return len(self.paths)

    @classmethod
    def read(cls, origin: str | Path | IO[Any], *, least: int = 0) -> Clusters:
        r"""Read a file with lines ``path TAB word TAB count``; the count is optional.

        Parameters
        ----------
        origin
            A path, ``"-"`` or an open stream; gzip and xz are decompressed.
        least
            Minimum count of a word.

        Examples
        --------
        >>> import io
        >>> Clusters.read(io.StringIO("0110\trome\t500\n0111\tparis\t7\n"), least=10).paths
        {'rome': '0110'}
        """
        paths: dict[str, str] = {}
        shared: dict[str, str] = {}
        lines = Lines(origin)
        for number, line in enumerate(sound_lines(lines, None), 1):
            cells = line.split("\t")
            if not line:
                continue
            if len(cells) not in (2, 3) or cells[0].strip("01") or len(cells[0]) > LONGEST_PATH:
                raise InputError(
                    "expected a path of zeros and ones, a tab, a word, and optionally a count",
                    path=lines.name,
                    line=number,
                    text=line,
                )
            if len(cells) == 2 or _count(cells[2]) >= least:
                paths[cells[1]] = shared.setdefault(cells[0], cells[0])
        return cls(paths)

    def path(self, word: str) -> str:
        """Return the path of a word, or else of its lower-case form; empty if there is none."""
        found = self.paths.get(word)
        return self.paths.get(word.lower(), NO_PATH) if found is None else found

    def paths_of(self, words: Sequence[str]) -> list[str]:
        """Return the paths of all words of a sentence."""
        get = self.paths.get
        return [get(word) or get(word.lower(), NO_PATH) for word in words]

    def tensors(self, prefix: str = PREFIX) -> dict[str, npt.NDArray[np.generic]]:
        """Store the clusters as tensors of a model file."""
        numbers = {path: i for i, path in enumerate(sorted(set(self.paths.values())))}
        words = sorted(self.paths)
        return {
            f"{prefix}paths": string_tensor(numbers),
            f"{prefix}words": string_tensor(words),
            f"{prefix}path": np.array([numbers[self.paths[word]] for word in words], np.int32),
        }

    @classmethod
    def of_model(cls, file: ModelFile, prefix: str = PREFIX) -> Clusters | None:
        """Read the clusters of a model, or None if it has none."""
        return cls.from_file(file, prefix) if f"{prefix}words" in file.tensors else None

    @classmethod
    def from_file(cls, file: ModelFile, prefix: str) -> Clusters:
        """Read clusters from a model file and validate them."""
        paths, words = file.string_list(f"{prefix}paths"), file.string_list(f"{prefix}words")
        of = file.tensor(f"{prefix}path", np.int32, len(words), least=0, most=len(paths) - 1)
        if any(path.strip("01") or len(path) > LONGEST_PATH for path in paths):
            raise file.fault(f"{prefix}paths: expected strings of zeros and ones")
        return cls({word: paths[i] for word, i in zip(words, of.tolist(), strict=True)})
