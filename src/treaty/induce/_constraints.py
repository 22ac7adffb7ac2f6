"""Posterior constraints: a share of all arcs must be of given kinds."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from treaty.errors import InputError, UsageError
from treaty.induce._corpus import Corpus
from treaty.induce._features import Counts, Features, Floats

__all__ = ["EdgeConstraint"]

ROOT = "ROOT"
UNIVERSAL = "universal"
ROUNDING = 1e-9


@dataclass(frozen=True)
class EdgeConstraint:
    """At least a share of all arcs has a head and a child of given tags.

    Gormley & Eisner (2013, section 4.4) ask for 75% of the kinds of Naseem et al. (2010). The arc
    to a sentence's head counts among the arcs.

    Parameters
    ----------
    edges
        Pairs of tags of head and child, in either direction; the head may be ``"ROOT"``.
    share
        Of all arcs of the corpus.

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
        """Check what came from a user."""
        object.__setattr__(self, "edges", tuple((str(h), str(c)) for h, c in self.edges))
        if not 0.0 <= self.share <= 1.0:
            raise UsageError(f"the share of arcs must be from 0 to 1, got {self.share}")

    @classmethod
    def read(cls, name: str | Path) -> EdgeConstraint:
        """Read a TOML file with `share` and `edges`, or the rules ``universal`` that Treaty brings.

        Examples
        --------
        >>> len(EdgeConstraint.read("universal").edges)
        13
        """
        path = Path(name)
        own = files("treaty.induce") / "rules" / f"{name}.toml"
        try:
            text = own.read_text("utf-8") if name == UNIVERSAL else path.read_text("utf-8")
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or error
            raise InputError(
                f"cannot be read: {cause}; expected a TOML file or 'universal'", path=path
            ) from error
        try:
            return cls._from_table(tomllib.loads(text))
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise InputError(
                f"expected share = 0.75 and edges = [['VERB', 'NOUN'], ...]: {error}", path=path
            ) from error

    @classmethod
    def _from_table(cls, table: dict[str, Any]) -> EdgeConstraint:
        return cls(edges=[(head, child) for head, child in table.pop("edges")], **table)

    def kinds(self, tags: Sequence[str]) -> Features:
        """Mark the features that count with 1; tags that are not there are passed over."""
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
        """Tell how many arcs of a corpus must be of these kinds."""
        return self.share * len(corpus.tokens)

    def met(self, counts: Counts, tags: Sequence[str]) -> float:
        """Tell which share of the arcs is of these kinds."""
        arcs = counts.root.sum() + counts.child.sum()
        return float(counts.flat @ self.kinds(tags).flat / arcs)

    def allows(self, counts: Counts, corpus: Corpus) -> bool:
        """Whether trees of a corpus with these counts meet the constraint."""
        return bool(counts.flat @ self.kinds(corpus.tags).flat >= self.least(corpus) - ROUNDING)


def native_form(constraint: EdgeConstraint | None, corpus: Corpus) -> tuple[Floats, float]:
    """Put a constraint as the compiled core takes it: marks of all other arcs, and the most."""
    if constraint is None:
        return np.zeros(0), 0.0
    kinds = constraint.kinds(corpus.tags)
    others = Features(1.0 - kinds.root, 1.0 - kinds.child, np.zeros_like(kinds.decision))
    return others.flat, len(corpus.tokens) - constraint.least(corpus)
