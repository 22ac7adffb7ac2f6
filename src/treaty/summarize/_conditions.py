"""Conditions of rules on arcs: each is a name in a file of rules, and a function here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from treaty.summarize._arcs import Arcs
from treaty.summarize._frames import Frames
from treaty.summarize._meaning import Meaning, Scope
from treaty.text import Sentence

__all__ = ["CONDITIONS", "LISTS", "PATTERNS", "SWITCHES", "Reading"]


class Reading:
    """A parsed sentence as rules read it.

    Parameters
    ----------
    sentence
        A sentence with a tree.
    scope
        The words whose scope matters.
    frames
        What words need beside them.
    """

    def __init__(
        self, sentence: Sentence, scope: Scope | None = None, frames: Frames | None = None
    ) -> None:
        self.arcs, self.frames = Arcs(sentence), frames or Frames()
        self.meaning = Meaning(self.arcs, scope or Scope())

    @cached_property
    def texts(self) -> list[str]:
        """The words of each token's phrase, with a space at the end."""
        return [self.arcs.text(token) + " " for token in range(len(self.arcs.heads))]

    def is_term(self, token: int) -> bool:
        """Return whether a token and its head are one term, such as "prime minister"."""
        lemmas, head = self.arcs.lemmas, self.arcs.heads[token]
        return head >= 0 and f"{lemmas[token]} {lemmas[head]}" in self.frames.terms


Words = frozenset[str]


def _of_head(test: Callable[[Arcs, int, Any], bool]) -> Callable[[Reading, int, Any], bool]:
    """Make a condition on the head of an arc, which fails for the root."""

    def holds(reading: Reading, token: int, value: Any) -> bool:
        head = reading.arcs.heads[token]
        return head >= 0 and test(reading.arcs, head, value)

    return holds


def _head_no_child(reading: Reading, token: int, labels: Words) -> bool:
    return not reading.arcs.has_child(reading.arcs.heads[token], labels)


def _opens(reading: Reading, token: int, words: Words) -> bool:
    text = reading.texts[token]
    return any(text.startswith(f"{one} ") for one in words)


def _contains(reading: Reading, token: int, words: Words) -> bool:
    return not words.isdisjoint(reading.texts[token].split())


LISTS: Mapping[str, Callable[[Reading, int, Words], bool]] = {
    "labels": lambda r, t, words: not words.isdisjoint(r.arcs.labels[t]),
    "head_labels": _of_head(lambda arcs, head, words: arcs.has_label(head, words)),
    "forms": lambda r, t, words: r.arcs.forms[t] in words,
    "lemmas": lambda r, t, words: r.arcs.lemmas[t] in words,
    "modifier": lambda r, t, words: r.arcs.tags[t] in words,
    "fine": lambda r, t, words: r.arcs.fine_tags[t] in words,
    "not_fine": lambda r, t, words: r.arcs.fine_tags[t] not in words,
    "head": _of_head(lambda arcs, head, words: arcs.tags[head] in words),
    "head_forms": _of_head(lambda arcs, head, words: arcs.forms[head] in words),
    "head_lemmas": _of_head(lambda arcs, head, words: arcs.lemmas[head] in words),
    "not_forms": lambda r, t, words: r.arcs.forms[t] not in words,
    "not_lemmas": lambda r, t, words: r.arcs.lemmas[t] not in words,
    "child": lambda r, t, words: r.arcs.has_child(t, words),
    "no_child": lambda r, t, words: not r.arcs.has_child(t, words),
    "child_forms": lambda r, t, words: r.arcs.has_child_form(t, words),
    "no_child_forms": lambda r, t, words: not r.arcs.has_child_form(t, words),
    "head_child": _of_head(lambda arcs, head, words: arcs.has_child(head, words)),
    "head_no_child": _head_no_child,
    "head_child_forms": _of_head(lambda arcs, head, words: arcs.has_child_form(head, words)),
    "head_no_child_forms": _of_head(lambda arcs, head, words: not arcs.has_child_form(head, words)),
    "after": lambda r, t, words: r.arcs.is_after(t, words),
    "followed": lambda r, t, words: r.arcs.is_followed(t, words),
    "opens": _opens,
    "phrases": lambda r, t, words: r.texts[t].strip() in words,
    "not_phrases": lambda r, t, words: r.texts[t].strip() not in words,
    "not_opens": lambda r, t, words: not _opens(r, t, words),
    "contains": _contains,
}
"""Conditions with a list of words, labels or tags."""

SWITCHES: Mapping[str, Callable[[Reading, int], bool]] = {
    "before": lambda r, t: t < r.arcs.heads[t],
    "capital": lambda r, t: r.arcs.is_capital[t],
    "leaf": lambda r, t: r.arcs.is_leaf(t),
    "article": lambda r, t: r.arcs.has_fit_article(t),
    "only": lambda r, t: r.arcs.is_only(t),
    "lone": lambda r, t: r.arcs.is_lone(t),
    "set_off": lambda r, t: r.arcs.is_set_off(t),
    "apart": lambda r, t: r.arcs.is_apart(t),
    "enclosed": lambda r, t: r.arcs.is_enclosed(t),
    "graded": lambda r, t: r.arcs.lemmas[t] in r.frames.graded,
    "term": lambda r, t: r.is_term(t),
    "known": lambda r, t: r.arcs.heads[t] >= 0 and r.frames.knows(r.arcs, r.arcs.heads[t]),
    "required": lambda r, t: r.frames.requires(r.arcs, t),
    "event": lambda r, t: r.meaning.is_event(t),
    "scope": lambda r, t: r.meaning.in_scope(t),
}
"""Conditions that are true or false."""

PATTERNS: Mapping[str, Callable[[Reading, int, re.Pattern[str]], bool]] = {
    "pattern": lambda r, t, pattern: pattern.fullmatch(r.arcs.forms[t]) is not None,
    "not_pattern": lambda r, t, pattern: pattern.fullmatch(r.arcs.forms[t]) is None,
}
"""Conditions with a regular expression."""

CONDITIONS = (*LISTS, *PATTERNS, *SWITCHES)
"""The names of all conditions, cheap ones first."""
