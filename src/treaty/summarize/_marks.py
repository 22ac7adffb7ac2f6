"""Which punctuation is left of a compressed sentence, so that none of it dangles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from treaty.summarize._arcs import SEPARATORS, Arcs
from treaty.summarize._source import Bools, Source

__all__ = ["CLOSING", "ENDS", "OPENING", "with_marks"]

ENDS = frozenset(".!?…。！？।؟") | {"...", "?!", "!!", "!?", ". . ."}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
QUOTES = {"“": "”", "„": "“", "«": "»", "``": "''", "‘": "’", '"': '"'}
OPENING = frozenset(BRACKETS) | frozenset(QUOTES)
CLOSING = frozenset(BRACKETS.values()) | frozenset(QUOTES.values())
PARTING = SEPARATORS - OPENING - CLOSING
"""Commas, dashes and the like, which part what stands on both sides of them."""
INTRODUCING = frozenset({
    "advcl", "advmod", "ccomp", "discourse", "dislocated", "obl", "parataxis", "vocative",
})  # fmt: skip
"""Labels of phrases that a comma parts from what comes behind them."""
SET_OFF = frozenset({"acl", "appos", "conj", "discourse", "parataxis", "vocative"})
"""Labels of phrases that a comma parts from what comes before them."""


def with_marks(source: Source, keep: Bools) -> Bools:
    """Add the punctuation to the words that are kept.

    Quotation marks and brackets stay in pairs, around what is left in between. The mark that ends
    the sentence stays, and others like it do between words that stay. Commas, dashes, colons and
    semicolons stay where nothing was cut beside them; or else one of them does, if a phrase that is
    still there was set off by it. What else is no word, such as ``$``, stays with the word that it
    is written with, or that it hangs on.

    Parameters
    ----------
    source
        The sentence.
    keep
        Which of its tokens are kept; only its words are looked at.

    Returns
    -------
    array
        Which tokens are kept, punctuation included.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> words = Sentence.from_words(["Cats", ",", "mostly", ",", "sleep", "."])
    >>> labels = ["nsubj", "punct", "advmod", "punct", "root", "punct"]
    >>> cats = words.with_tree([5, 3, 5, 3, 0, 5], labels)
    >>> with_marks(Source(0, 0, cats), np.array([1, 1, 0, 1, 1, 1], bool)).tolist()
    [True, False, False, False, True, True]
    """
    kept = keep & source.is_word
    if not kept.any():
        return kept
    sentence = _Marked(source, kept)
    marks = np.zeros(len(kept), bool)
    for chosen in (sentence.pairs(), sentence.parting(), sentence.ends(), sentence.others(keep)):
        marks[chosen] = True
    return kept | marks


class _Marked:
    """A sentence of which some words are kept."""

    def __init__(self, source: Source, kept: Bools) -> None:
        self.forms, self.kept = source.sentence.words, kept
        self.is_word, self.written = source.is_word, source.written
        self.words = np.flatnonzero(kept).tolist()
        self.arcs = Arcs(source.sentence)
        self.is_parsed = source.is_parsed
        self.last = self._last_mark()

    def pairs(self) -> list[int]:
        """List quotation marks and brackets, in pairs, with a word that is kept in between."""
        found, open_marks = list[int](), list[tuple[int, str]]()
        for place, form in enumerate(self.forms):
            if open_marks and form in {closing for _, closing in open_marks}:
                while open_marks:  # what was opened inside, and not closed, never will be
                    begin, closing = open_marks.pop()
                    if closing == form:
                        found += [begin, place] if self.kept[begin:place].any() else []
                        break
            elif form in OPENING:
                open_marks.append((place, BRACKETS.get(form) or QUOTES[form]))
        return found

    def ends(self) -> list[int]:
        """List the mark that ends the sentence, and those between words that are kept."""
        gaps = pairwise([*self.words, len(self.forms)])
        found = [[p for p in range(a + 1, b) if self.forms[p] in ENDS] for a, b in gaps]
        inside = [marks[0] for marks in found[:-1] if marks]
        return inside if self.last < 0 else [*inside, self.last]

    def others(self, keep: Bools) -> list[int]:
        """List what is no mark and no word: signs, hyphens inside of words, apostrophes."""
        found = []
        kept_words = set(self.written[self.kept].tolist())
        for place in np.flatnonzero(~self.is_word).tolist():
            beside = [p for p in (place - 1, place + 1) if 0 <= p < len(self.forms)]
            glued = [self.written[p] == self.written[place] for p in beside]
            is_inside = len(glued) == 2 and all(glued) and bool(self.is_word[beside].all())
            is_mark = self.forms[place] in ENDS | OPENING | CLOSING
            if is_mark or (self.forms[place] in PARTING and not is_inside):
                continue
            if self.written[place] in kept_words if any(glued) else keep[place]:
                found.append(place)
        return found

    def parting(self) -> list[int]:
        """List commas, dashes and the like between words that are kept."""
        found = []
        for before, after in pairwise(self.words):
            marks = [p for p in range(before + 1, after) if self.forms[p] in PARTING]
            if self.is_word[before + 1 : after].any():
                marks = [p for p in marks if self.is_needed(p, before, after)]
            found += marks[:1]
        return found

    def is_needed(self, mark: int, before: int, after: int) -> bool:
        """Tell whether a mark beside what was cut sets off a phrase that is still there."""
        if not self.is_parsed:
            return False
        left, right = self._above(before), self._above(after)
        return any(self._ends_at(top, mark) for top in left if top not in right) or any(
            self._begins_at(top, mark) for top in right if top not in left
        )

    def _ends_at(self, top: int, mark: int) -> bool:
        """Whether a phrase ends right before a mark that is its own.

        That is so if the phrase introduces what its head says, or was set off on the other side
        too; but then the mark may be that of its last part alone.
        """
        first, last = self.arcs.phrases[top]
        if self._word_before(mark) != last:
            return False
        if self.arcs.heads[top] > last and not INTRODUCING.isdisjoint(self.arcs.labels[top]):
            return True
        return self._parted_before(first) and not self._ends_aside(last)

    def _begins_at(self, top: int, mark: int) -> bool:
        """Whether a phrase begins right behind a mark that is its own.

        That is so if it was set off on the other side too, or stands behind its head; but then the
        mark may be that of something before it, which was set off and has been cut.
        """
        first, last = self.arcs.phrases[top]
        if self._word_after(mark) != first:
            return False
        if self._parted_after(last) or not SET_OFF.isdisjoint(self.arcs.labels[top]):
            return True
        return 0 <= self.arcs.heads[top] < first and not self._ends_aside(self._word_before(mark))

    def _ends_aside(self, last: int) -> bool:
        """Whether a word ended something that was set off before it as well, and has been cut."""
        token = last
        while token >= 0 and not self.kept[token]:
            if self._parted_before(self.arcs.phrases[token][0]):
                return True
            token = self.arcs.heads[token]
        return False

    def _above(self, token: int) -> list[int]:
        found = []
        while token >= 0:
            found.append(token)
            token = self.arcs.heads[token]
        return found

    def _word_before(self, place: int) -> int:
        return max(np.flatnonzero(self.is_word[:place]).tolist(), default=-1)

    def _word_after(self, place: int) -> int:
        return min(np.flatnonzero(self.is_word[place:]).tolist(), default=-1) + place

    def _parted_before(self, first: int) -> bool:
        return first > 0 and self.forms[first - 1] in SEPARATORS

    def _parted_after(self, last: int) -> bool:
        return last + 1 < len(self.forms) and self.forms[last + 1] in SEPARATORS

    def _last_mark(self) -> int:
        """Find the mark that ends the sentence, behind its last word; -1 if there is none."""
        last_word = self._word_before(len(self.forms))
        ends = [p for p in range(last_word + 1, len(self.forms)) if self.forms[p] in ENDS]
        return ends[0] if ends else -1
