"""Hard constraints of compression, as data: arcs of a tree that are never cut."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from treaty._streams import Origin, name_of
from treaty.corpus import Sentence
from treaty.corpus._data import read_toml
from treaty.errors import InputError
from treaty.summarize._arcs import Arcs
from treaty.summarize._source import Bools

__all__ = ["Rule", "Rules"]

HEADER = re.compile(r"\s*\[\[\s*never\s*\]\]")
EMBEDDED = Path(__file__).parent / "rules" / "universal-dependencies.toml"


@dataclass(frozen=True)
class Rule:
    """Arcs that are never cut: those that satisfy all given conditions.

    Attributes
    ----------
    name, why, paper
        Name and explanation, for readers.
    labels, head_labels, head, modifier, forms, head_forms, child_forms, after, capital, leaf
        Conditions, explained in ``rules/universal-dependencies.toml``; None if not given.
    child, no_child, head_no_child, before, set_off, only, article
        More conditions.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    >>> Rule("subjects", labels=frozenset(["nsubj"])).forbids(Arcs(cats), 0)
    True
    """

    name: str
    why: str = ""
    paper: str = ""
    labels: frozenset[str] | None = None
    head_labels: frozenset[str] | None = None
    head: frozenset[str] | None = None
    modifier: frozenset[str] | None = None
    forms: frozenset[str] | None = None
    head_forms: frozenset[str] | None = None
    child_forms: frozenset[str] | None = None
    after: frozenset[str] | None = None
    capital: bool | None = None
    leaf: bool | None = None
    child: frozenset[str] | None = None
    no_child: frozenset[str] | None = None
    head_no_child: frozenset[str] | None = None
    before: bool | None = None
    set_off: bool | None = None
    only: bool | None = None
    article: bool | None = None

    def forbids(self, arcs: Arcs, modifier: int) -> bool:
        """Return whether the arc to a token must not be cut; cheap conditions are tested first."""
        head = arcs.heads[modifier]
        return (
            (self.labels is None or not self.labels.isdisjoint(arcs.labels[modifier]))
            and (self.head_labels is None or arcs.has_label(head, self.head_labels))
            and (self.forms is None or arcs.forms[modifier] in self.forms)
            and (self.modifier is None or arcs.tags[modifier] in self.modifier)
            and (self.head is None or (head >= 0 and arcs.tags[head] in self.head))
            and (self.head_forms is None or (head >= 0 and arcs.forms[head] in self.head_forms))
            and (self.before is None or self.before == (modifier < head))
            and (self.capital is None or self.capital == arcs.is_capital[modifier])
            and (self.child_forms is None or arcs.has_child_form(modifier, self.child_forms))
            and (self.after is None or arcs.is_after(modifier, self.after))
            and (self.leaf is None or self.leaf == arcs.is_leaf(modifier))
            and (self.child is None or arcs.has_child(modifier, self.child))
            and (self.no_child is None or not arcs.has_child(modifier, self.no_child))
            and (self.head_no_child is None or not arcs.has_child(head, self.head_no_child))
            and (self.article is None or self.article == arcs.has_fit_article(modifier))
            and (self.only is None or self.only == arcs.is_only(modifier))
            and (self.set_off is None or self.set_off == arcs.is_set_off(modifier))
        )


TEXTS = frozenset({"name", "why", "paper"})
SWITCHES = frozenset({"article", "before", "capital", "leaf", "set_off", "only"})
TOGETHER = ("written_words", "names", "doubtful")
KNOWN = frozenset(field.name for field in fields(Rule))


@dataclass(frozen=True)
class Rules:
    """All hard constraints of compression.

    Attributes
    ----------
    never
        The arcs that are never cut.
    written_words
        Whether each written word is kept or cut as a whole.
    quotation_marks
        Pairs of marks; the text between them is kept or cut as a whole.
    names
        Whether adjacent proper nouns are kept or cut as a whole.
    doubtful
        Whether a sentence whose root is not a predicate is kept or cut as a whole.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> Rules.load().cuttable(cats).tolist()
    [False, False, True]
    """

    never: tuple[Rule, ...] = ()
    written_words: bool = False
    quotation_marks: tuple[tuple[str, str], ...] = ()
    names: bool = False
    doubtful: bool = False

    @classmethod
    def load(cls, path: Origin | None = None) -> Rules:
        """Read a file of rules (a path, ``"-"`` or a stream); by default that of Treaty.

        Raises
        ------
        InputError
            With file, line and cause.
        """
        return _embedded() if path is None else _read(path)

    def cuttable(self, sentence: Sentence) -> Bools:
        """Return which tokens may be cut from their heads under all rules."""
        arcs = Arcs(sentence)
        if self.doubtful and not arcs.has_predicate():
            return np.zeros(len(sentence), bool)
        return np.array(
            [not any(r.forbids(arcs, t) for r in self.never) for t in range(len(sentence))], bool
        )


@cache
def _embedded() -> Rules:
    return _read(EMBEDDED)


def _read(origin: Origin) -> Rules:
    data, text = read_toml(origin, "rules")
    return _File(name_of(origin), text).rules(data)


class _File:
    """A file of rules, with the line at which each one starts."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.lines = path, text.splitlines()

    def rules(self, data: Mapping[str, Any]) -> Rules:
        if unknown := sorted(data.keys() - {"together", "never"}):
            raise self._fault(
                f"[{unknown[0]}]",
                f"unknown section {unknown[0]!r}: expected [together] and [[never]]",
            )
        together, never = data.get("together", {}), data.get("never", [])
        if not isinstance(together, dict) or not isinstance(never, list):
            raise self._fault("", "expected one section [together], and sections [[never]]")
        if unknown := sorted(together.keys() - {"quotation_marks", *TOGETHER}):
            raise self._fault(unknown[0], f"[together] has no key {unknown[0]!r}")
        switches = {key: together.get(key, False) for key in TOGETHER}
        for key, value in switches.items():
            if not isinstance(value, bool):
                raise self._fault(key, f"{key} must be true or false")
        marks = self._texts("quotation_marks", together.get("quotation_marks", []), 0)
        pairs = [tuple(pair.split()) for pair in marks]
        if any(len(pair) != 2 for pair in pairs):
            raise self._fault("quotation_marks", "expected pairs of marks such as '« »'")
        starts = [n for n, line in enumerate(self.lines) if HEADER.match(line)]
        if len(starts) != len(never):
            raise self._fault("never", "expected rules as sections [[never]]")
        return Rules(
            tuple(self._rule(rule, start) for rule, start in zip(never, starts, strict=True)),
            quotation_marks=tuple((opening, closing) for opening, closing in pairs),
            **switches,
        )

    def _rule(self, given: Mapping[str, Any], start: int) -> Rule:
        if unknown := sorted(given.keys() - KNOWN):
            raise self._fault(
                unknown[0],
                f"there is no condition {unknown[0]!r}, only {', '.join(sorted(KNOWN - TEXTS))}",
                start,
            )
        if not isinstance(given.get("name"), str):
            raise self._fault("[[never]]", "a rule must have a name", start)
        if given.keys() <= TEXTS:
            raise self._fault("name", f"the rule {given['name']!r} must have a condition", start)
        values: dict[str, Any] = {}
        for key, value in given.items():
            if key in TEXTS or key in SWITCHES:
                if not isinstance(value, str if key in TEXTS else bool):
                    kind = "a string" if key in TEXTS else "true or false"
                    raise self._fault(key, f"{key} must be {kind}", start)
                values[key] = value
            else:
                values[key] = frozenset(self._texts(key, value, start))
        return Rule(**values)

    def _texts(self, key: str, value: object, start: int) -> list[str]:
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return value
        raise self._fault(key, f"{key} must be a list of strings", start)

    def _fault(self, beginning: str, message: str, start: int = 0) -> InputError:
        """Make the error for the first line from `start` on that begins with this text."""
        for number, line in enumerate(self.lines[start:], start + 1):
            if line.strip().startswith(beginning):
                return InputError(message, path=self.path, line=number, text=line.strip())
        return InputError(message, path=self.path, line=start + 1)
