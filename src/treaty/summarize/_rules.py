"""Hard constraints of compression, as data: arcs that are never cut, and cuts that are safe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from treaty._streams import Origin
from treaty.summarize._conditions import CONDITIONS, LISTS, PATTERNS, SWITCHES, Reading
from treaty.summarize._frames import Frames
from treaty.summarize._meaning import Scope
from treaty.summarize._source import Bools
from treaty.text import Sentence

__all__ = ["Rule", "Rules"]

EMBEDDED = Path(__file__).parent / "rules"
OTHER = "other"
"""The kind of a cut that no rule calls safe."""


@dataclass(frozen=True)
class Rule:
    """Arcs that satisfy all given conditions.

    Attributes
    ----------
    name, why, paper
        Name and explanation, for readers.
    conditions
        The value of each condition; they are explained in ``rules/1-structure.toml``.
    trusted
        Whether the words alone tell, so that no second look is needed.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    >>> Rule("subjects", conditions={"labels": frozenset(["nsubj"])}).holds(Reading(cats), 0)
    True
    """

    name: str
    why: str = ""
    paper: str = ""
    conditions: Mapping[str, Any] = field(default_factory=dict)
    trusted: bool = False

    @cached_property
    def _given(self) -> list[tuple[str, Any]]:
        """The conditions, cheap ones first."""
        return [(name, self.conditions[name]) for name in CONDITIONS if name in self.conditions]

    def holds(self, reading: Reading, token: int) -> bool:
        """Return whether the arc to a token satisfies all conditions."""
        for name, value in self._given:
            if name in LISTS:
                holds = LISTS[name](reading, token, value)
            elif name in SWITCHES:
                holds = SWITCHES[name](reading, token) == value
            else:
                holds = PATTERNS[name](reading, token, re.compile(value))
            if not holds:
                return False
        return True


@dataclass(frozen=True)
class Rules:
    """All hard constraints of compression.

    Attributes
    ----------
    never
        The arcs that are never cut.
    safe
        The kinds of cuts that are safe: only these are made, unless `bold`. If there are none, all
        that is not forbidden is safe.
    written_words
        Whether each written word is kept or cut as a whole.
    quotation_marks
        Pairs of marks; the text between them is kept or cut as a whole.
    names
        Whether adjacent proper nouns are kept or cut as a whole.
    dates
        Names of months: a number beside one of them is kept or cut with it.
    doubtful
        Whether a sentence whose root is not a predicate is kept or cut as a whole.
    scope
        The words whose scope matters for some conditions.
    frames
        What words need beside them, for some conditions.
    bold
        Whether all is cut that is not forbidden.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> words = Sentence.from_words(["However", ",", "cats", "sleep"])
    >>> cats = words.with_tree([4, 1, 4, 0], ["advmod", "punct", "nsubj", "root"])
    >>> Rules.load().cuttable(cats).tolist(), Rules.load().kinds(cats)[0]
    ([True, False, False, False], 'connectives')
    """

    never: tuple[Rule, ...] = ()
    safe: tuple[Rule, ...] = ()
    written_words: bool = False
    quotation_marks: tuple[tuple[str, str], ...] = ()
    names: bool = False
    dates: frozenset[str] = frozenset()
    doubtful: bool = False
    scope: Scope = field(default_factory=Scope)
    frames: Frames = field(default_factory=Frames, compare=False)
    bold: bool = False

    @classmethod
    def load(cls, path: Origin | None = None, *, bold: bool = False) -> Rules:
        """Read a file of rules (a path, ``"-"`` or a stream); by default those of Treaty.

        Parameters
        ----------
        path
            The file.
        bold
            Whether all is cut that is not forbidden.

        Raises
        ------
        InputError
            With file, line and cause.
        """
        from treaty.summarize._rules_file import read_rules

        rules = _embedded() if path is None else read_rules(path)
        return replace(rules, bold=bold) if bold else rules

    @classmethod
    def of_structure(cls) -> Rules:
        """Read those rules of Treaty that are not about English: without kinds of safe cuts."""
        return _embedded("1-*.toml")

    def reading(self, sentence: Sentence) -> Reading:
        """Read a parsed sentence as these rules do."""
        return Reading(sentence, self.scope, self.frames)

    def cuttable(self, sentence: Sentence) -> Bools:
        """Return which tokens may be cut from their heads under all rules."""
        return np.array([kind is not None for kind in self.kinds(sentence)], bool)

    def kinds(self, sentence: Sentence) -> list[str | None]:
        """Return for each token what kind of cut it would be; None if it may not be cut."""
        reading = self.reading(sentence)
        if self.doubtful and not reading.arcs.has_predicate():
            return [None] * len(sentence)
        return [self._kind(reading, token) for token in range(len(sentence))]

    def trusted(self, sentence: Sentence, token: int) -> bool:
        """Return whether the cut of a token needs no second look."""
        reading = self.reading(sentence)
        return any(rule.trusted and rule.holds(reading, token) for rule in self.safe)

    def _kind(self, reading: Reading, token: int) -> str | None:
        safe, never = self._about(max(reading.arcs.labels[token], key=len))
        kind = next((rule.name for rule in safe if rule.holds(reading, token)), None)
        if kind is None and self.safe and not self.bold:
            return None
        if any(rule.holds(reading, token) for rule in never):
            return None
        return kind or OTHER

    def _about(self, label: str) -> tuple[list[Rule], list[Rule]]:
        """Return those rules that may hold for an arc with this label: safe ones, and never."""
        if label not in self._by_label:
            labels = {label, label.partition(":")[0]}
            self._by_label[label] = tuple(  # type: ignore[assignment]
                [r for r in rules if labels & r.conditions.get("labels", labels)]
                for rules in (self.safe, self.never)
            )
        return self._by_label[label]

    @cached_property
    def _by_label(self) -> dict[str, tuple[list[Rule], list[Rule]]]:
        return {}


@cache
def _embedded(names: str = "*.toml") -> Rules:
    from treaty.summarize._rules_file import read_rules

    return read_rules(*sorted(EMBEDDED.glob(names)))
