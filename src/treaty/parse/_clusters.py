"""Word clusters: the path of a word in a binary tree, as Brown's algorithm makes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.corpus._lines import Lines, sound_lines
from treaty.errors import InputError, UsageError
from treaty.learn import ModelFile, string_tensor

__all__ = ["Clusters"]

NO_PATH = ""
LONGEST_PATH = 64
PREFIX, VECTOR_PREFIX = "clusters.", "vector_clusters."
"""What the names of their tensors begin with: all parts of a model share the former, and the latter
are a second set, which the tagger alone looks at."""


def check_clusters(
    attributes: Iterable[str], clusters: Clusters | None, column: str = "cluster"
) -> None:
    """Refuse templates that look at clusters where there are none."""
    wanting = next((n for n in attributes if n == column or n.endswith(f"({column})")), None)
    if wanting is not None and clusters is None:
        raise UsageError(f"templates look at {wanting}, but there are no clusters")


def _count(text: str) -> float:
    """Read how often a word was seen; what is no number, or a huge one, counts as often."""
    return int(text) if text.isdecimal() and len(text) < 19 else math.inf


class Clusters:
    """Paths of words, such as ``"0110"``; words with a long common beginning are alike.

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
        r"""Read a file with lines ``path TAB word TAB count``; the count may be missing.

        Parameters
        ----------
        origin
            A path, ``"-"`` or an open stream; gzip and xz are decompressed.
        least
            Words with a smaller count are left out.

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
                    "expected a path of zeros and ones, a tab, a word, and perhaps a count",
                    path=lines.name,
                    line=number,
                    text=line,
                )
            if len(cells) == 2 or _count(cells[2]) >= least:
                paths[cells[1]] = shared.setdefault(cells[0], cells[0])
        return cls(paths)

    def path(self, word: str) -> str:
        """Find the path of a word, in lower case if need be; empty if there is none."""
        found = self.paths.get(word)
        return self.paths.get(word.lower(), NO_PATH) if found is None else found

    def paths_of(self, words: Sequence[str]) -> list[str]:
        """Find the paths of all words of a sentence."""
        get = self.paths.get
        return [get(word) or get(word.lower(), NO_PATH) for word in words]

    def tensors(self, prefix: str = PREFIX) -> dict[str, npt.NDArray[np.generic]]:
        """Write the clusters as tensors of a model file."""
        numbers = {path: i for i, path in enumerate(sorted(set(self.paths.values())))}
        words = sorted(self.paths)
        return {
            f"{prefix}paths": string_tensor(numbers),
            f"{prefix}words": string_tensor(words),
            f"{prefix}path": np.array([numbers[self.paths[word]] for word in words], np.int32),
        }

    @classmethod
    def of_model(cls, file: ModelFile, prefix: str = PREFIX) -> Clusters | None:
        """Read the clusters of a model, if it has any."""
        return cls.from_file(file, prefix) if f"{prefix}words" in file.tensors else None

    @classmethod
    def from_file(cls, file: ModelFile, prefix: str) -> Clusters:
        """Read clusters from a model file, checking everything."""
        paths, words = file.string_list(f"{prefix}paths"), file.string_list(f"{prefix}words")
        of = file.tensor(f"{prefix}path", np.int32, len(words))
        if len(of) and not 0 <= of.min() <= of.max() < len(paths):
            raise file.fault(f"{prefix}path: a path that is not there")
        if any(path.strip("01") or len(path) > LONGEST_PATH for path in paths):
            raise file.fault(f"{prefix}paths: not made of zeros and ones")
        return cls({word: paths[i] for word, i in zip(words, of.tolist(), strict=True)})
