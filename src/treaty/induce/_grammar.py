"""Grammars: the parameters of the dependency model with valence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from treaty.errors import InputError, UsageError
from treaty.induce._features import Counts, Features, Floats
from treaty.text import read_text

__all__ = ["Grammar"]

DIRECTIONS = ("left", "right")
VALENCES = ("first", "later")
DECISIONS = ("stop", "continue")


@dataclass(frozen=True, eq=False)
class Grammar(Features):
    """A dependency model with valence (Klein & Manning 2004), as log-probabilities.

    A sentence is generated from its head: `root` draws the tag of the head. Each head then
    generates its children to the left and to the right: `decision` draws whether there is another
    child, `child` draws its tag.

    Parameters
    ----------
    root, child, decision
        Log-probabilities, see `Features`; they sum to one over the last axis.
    tags
        The names of the tags.

    Examples
    --------
    >>> grammar = Grammar.uniform(["N", "V"])
    >>> np.exp(grammar.root)
    array([0.5, 0.5])
    """

    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Validate the distributions."""
        super().__post_init__()
        object.__setattr__(self, "tags", tuple(self.tags))
        if len(self.tags) != len(self.root) or len(set(self.tags)) != len(self.tags):
            raise UsageError(f"expected {len(self.root)} different tags, got {list(self.tags)}")
        for name in ("root", "child", "decision"):
            with np.errstate(all="ignore"):
                sums = np.exp(getattr(self, name)).sum(axis=-1)
            if not np.allclose(sums, 1.0, atol=1e-6):
                raise UsageError(f"{name}: probabilities must sum to 1")

    @classmethod
    def uniform(cls, tags: Sequence[str]) -> Self:
        """Make the grammar with uniform distributions."""
        n = len(tags)
        zeros = Counts(np.zeros(n), np.zeros((n, 2, n)), np.zeros((n, 2, 2, 2)))
        return cls.estimate(zeros, tags)

    @classmethod
    def random(cls, tags: Sequence[str], seed: int = 0) -> Self:
        """Draw all distributions uniformly at random.

        Examples
        --------
        >>> grammar = Grammar.random(["N", "V"], seed=1)
        >>> float(np.exp(grammar.root).sum().round(12))
        1.0
        """
        n, rng = len(tags), np.random.default_rng(seed)
        draws = [rng.exponential(size=s) for s in ((n,), (n, 2, n), (n, 2, 2, 2))]
        return cls.estimate(Counts(*draws), tags)

    @classmethod
    def estimate(cls, counts: Features, tags: Sequence[str], smoothing: float = 0.0) -> Self:
        """Compute relative frequencies, after adding `smoothing` to every count.

        A distribution without counts becomes uniform.

        Examples
        --------
        >>> from treaty.induce import Corpus
        >>> corpus = Corpus.from_tags([["N", "V"], ["V"], ["N"]])
        >>> counts = corpus.count([2, 0, 0, 0])
        >>> np.exp(Grammar.estimate(counts, corpus.tags).root).round(3)
        array([0.333, 0.667])
        """
        if smoothing < 0:
            raise UsageError(f"smoothing must not be negative, got {smoothing}")
        root, child, decision = (
            _estimate(table + smoothing) for table in (counts.root, counts.child, counts.decision)
        )
        return cls(root, child, decision, tuple(tags))

    @classmethod
    def example(cls) -> Self:
        """Make a small grammar with English word order over verbs, nouns and adjectives.

        Its sentences are short, like those of Gormley & Eisner (2013, section 7.1).

        Examples
        --------
        >>> Grammar.example().tags
        ('A', 'N', 'V')
        """
        with (files("treaty.induce") / "grammars" / "example.txt").open(encoding="utf-8") as file:
            return cls.from_text(file)

    def to_text(self) -> str:
        """Write the grammar as text: a line per rule, the most probable first.

        Examples
        --------
        >>> print(Grammar.uniform(["N"]).to_text().splitlines()[0])
        root N 1
        """
        return "".join(
            f"{' '.join(names)} {probability:.17g}\n"
            for names, probability in self.rules()
            if probability > 0.0
        )

    def rules(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield each choice and its probability, by distribution, the most probable first."""
        for where, names, logs in self._distributions():
            for i in np.argsort(-logs, kind="stable").tolist():
                yield (*where, names[i]), float(np.exp(logs[i]))

    def _distributions(self) -> Iterator[tuple[tuple[str, ...], Sequence[str], Floats]]:
        yield ("root",), self.tags, self.root
        for head, name in enumerate(self.tags):
            for d, direction in enumerate(DIRECTIONS):
                yield ("child", name, direction), self.tags, self.child[head, d]
        for head, name in enumerate(self.tags):
            for d, direction in enumerate(DIRECTIONS):
                for v, valence in enumerate(VALENCES):
                    where = ("decision", name, direction, valence)
                    yield where, DECISIONS, self.decision[head, d, v]

    @classmethod
    def from_text(cls, origin: str | Path | IO[Any]) -> Self:
        r"""Read the format of `to_text`; lines may be in any order, tags are sorted.

        Examples
        --------
        >>> import io
        >>> text = Grammar.uniform(["N", "V"]).to_text()
        >>> Grammar.from_text(io.StringIO(text)).tags
        ('N', 'V')
        """
        path = None if not isinstance(origin, str | Path) else str(origin)
        rows = []
        for number, line in enumerate(read_text(origin).splitlines(), 1):
            if words := line.split():
                rows.append(_parse_rule(words, number, path))
        tags = tuple(sorted({tag for kind, _, names, _ in rows for tag in names[:1]}))
        root, child, decision = _tables(rows, tags, path)
        try:
            return cls(root, child, decision, tags)
        except UsageError as error:
            raise InputError(error.message, path=path) from error


Rule = tuple[str, int, tuple[str, ...], float]


def _parse_rule(words: list[str], number: int, path: str | None) -> Rule:
    lengths = {"root": 3, "child": 5, "decision": 6}
    try:
        probability = float(words[-1])
        if len(words) != lengths[words[0]] or not 0.0 <= probability <= 1.0:
            raise ValueError
    except (KeyError, ValueError):
        raise InputError(
            "expected 'root TAG P', 'child HEAD left|right TAG P' or "
            "'decision HEAD left|right first|later stop|continue P'",
            path=path,
            line=number,
            text=" ".join(words),
        ) from None
    return words[0], number, tuple(words[1:-1]), probability


def _tables(rows: list[Rule], tags: tuple[str, ...], path: str | None) -> list[Floats]:
    n = len(tags)
    if n == 0:
        raise InputError("there are no rules", path=path)
    axes = {
        "root": (tags,),
        "child": (tags, DIRECTIONS, tags),
        "decision": (tags, DIRECTIONS, VALENCES, DECISIONS),
    }
    tables = {kind: np.zeros([len(axis) for axis in names]) for kind, names in axes.items()}
    for kind, number, names, probability in rows:
        try:
            place = tuple(axis.index(name) for axis, name in zip(axes[kind], names, strict=True))
        except ValueError:
            raise InputError(
                "unknown name in a rule", path=path, line=number, text=" ".join(names)
            ) from None
        tables[kind][place] = probability
    with np.errstate(divide="ignore"):
        return [np.log(table) for table in tables.values()]


def _estimate(counts: Floats) -> Floats:
    if (counts < 0).any():
        raise UsageError("counts must not be negative")
    sums = counts.sum(axis=-1, keepdims=True)
    shares = np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), 1.0 / counts.shape[-1])
    with np.errstate(divide="ignore"):
        return np.log(shares)
