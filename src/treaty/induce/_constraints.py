"""Posterior constraints: a minimum share of arcs of given kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treaty._streams import Origin, name_of
from treaty.errors import InputError, UsageError
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts, Features, Floats
from treaty.text._data import read_toml

__all__ = ["EdgeConstraint"]

ROOT = "ROOT"
RULES = Path(__file__).parent / "rules"
UNIVERSAL = "universal"
ROUNDING = 1e-9


@dataclass(frozen=True)
class EdgeConstraint:
    """At least a share of all arcs has a head and a child with given tags.

    Gormley & Eisner (2013, section 4.4) require 75% of the kinds of Naseem et al. (2010). The arc
    from the root to the head of a sentence is counted as an arc.

    Parameters
    ----------
    edges
        Pairs of tags of head and child, in either direction; the head may be ``"ROOT"``.
    share
        Minimum share, of all arcs of the corpus.

    Examples
    --------
    >>> rule = EdgeConstraint([("ROOT", "V"), ("V", "N")], share=0.5)
    >>> corpus = Corpus.from_tags([["N", "V"], ["N"]])
    >>> round(rule.met(corpus.count([2, 0, 0]), corpus.tags), 3), rule.least(corpus)
    (0.667, 1.5)
    """

    edges: Sequence[tuple[str, str]]
    share: float = 0.75

    def __post_init__(self) -> None:
        """Validate the share."""
        object.__setattr__(self, "edges", tuple((str(h), str(c)) for h, c in self.edges))
        if not 0.0 <= self.share <= 1.0:
            raise UsageError(f"the share of arcs must be from 0 to 1, got {self.share}")

    @classmethod
    def read(cls, name: Origin) -> EdgeConstraint:
        """Read a TOML file with `share` and `edges`, or the rules ``universal`` of Treaty.

        Examples
        --------
        >>> len(EdgeConstraint.read("universal").edges)
        13
        """
        origin = RULES / f"{name}.toml" if name == UNIVERSAL else name
        table, _ = read_toml(origin, "a constraint or the name 'universal'")
        try:
            return cls._from_table(table)
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise InputError(
                f"expected share = 0.75 and edges = [['VERB', 'NOUN'], ...]: {error}",
                path=name_of(origin),
            ) from error

    @classmethod
    def _from_table(cls, table: dict[str, Any]) -> EdgeConstraint:
        edges = [(head, child) for head, child in table.pop("edges")]
        if not all(isinstance(tag, str) for edge in edges for tag in edge):
            raise TypeError("a tag is not a string")
        return cls(edges=edges, **table)

    def kinds(self, tags: Sequence[str]) -> Features:
        """Mark the features of these kinds with 1; unknown tags are ignored."""
        n = len(tags)
        root, child = np.zeros(n), np.zeros((n, 2, n))
        number = {tag: i for i, tag in enumerate(tags)}
        for head, tag in self.edges:
            if tag in number and head == ROOT:
                root[number[tag]] = 1.0
            elif tag in number and head in number:
                child[number[head], :, number[tag]] = 1.0
        return Features(root, child, np.zeros((n, 2, 2, 2)))

    def least(self, corpus: Corpus) -> float:
        """Return the minimum number of arcs of these kinds in a corpus."""
        return self.share * len(corpus.tokens)

    def met(self, counts: Counts, tags: Sequence[str]) -> float:
        """Return the share of arcs of these kinds."""
        arcs = counts.root.sum() + counts.child.sum()
        return float(counts.flat @ self.kinds(tags).flat / arcs)

    def allows(self, counts: Counts, corpus: Corpus) -> bool:
        """Return whether trees of a corpus with these counts satisfy the constraint."""
        return bool(counts.flat @ self.kinds(corpus.tags).flat >= self.least(corpus) - ROUNDING)


def native_form(constraint: EdgeConstraint | None, corpus: Corpus) -> tuple[Floats, float]:
    """Convert a constraint to native form: marks of all other arcs, and their maximum number."""
    if constraint is None:
        return np.zeros(0), 0.0
    kinds = constraint.kinds(corpus.tags)
    others = Features(1.0 - kinds.root, 1.0 - kinds.child, np.zeros_like(kinds.decision))
    return others.flat, len(corpus.tokens) - constraint.least(corpus)
