"""Punctuation of compressed sentences."""

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
LONE = frozenset({"“", "”", "«", "»", "``", "''", '"'})
"""Marks that tell a quotation even without their partner."""
PARTING = SEPARATORS - OPENING - CLOSING
"""Commas, dashes and other marks that separate what is on both sides."""
INTRODUCING = frozenset({
    "advcl", "advmod", "ccomp", "discourse", "dislocated", "obl", "parataxis", "vocative",
})  # fmt: skip
"""Labels of phrases that are followed by a comma."""
SET_OFF = frozenset({"acl", "appos", "conj", "discourse", "parataxis", "vocative"})
"""Labels of phrases that are preceded by a comma."""


def with_marks(source: Source, keep: Bools) -> Bools:
    """Add punctuation to the words that are kept.

    Quotation marks and brackets stay in pairs, around the words kept in between. The mark that ends
    the sentence stays, and so do similar marks between words that stay. Commas, dashes, colons and
    semicolons stay if nothing next to them was cut; otherwise one of them stays if it sets off a
    phrase that is kept. Other tokens that are not words, such as ``$``, stay with the word that
    they are written with or attached to.

    Parameters
    ----------
    source
        The sentence.
    keep
        Which of its tokens are kept; only those of words matter.

    Returns
    -------
    array
        Which tokens are kept, including punctuation.

    Examples
    --------
    >>> from treaty.text import Sentence
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
    """A sentence with some of its words kept."""

    def __init__(self, source: Source, kept: Bools) -> None:
        self.forms, self.kept = source.sentence.words, kept
        self.is_word, self.written = source.is_word, source.written
        self.words = np.flatnonzero(kept).tolist()
        self.arcs = Arcs(source.sentence)
        self.is_parsed = source.is_parsed
        self.last = self._last_mark()

    def pairs(self) -> list[int]:
        """List pairs of quotation marks and brackets with a kept word in between.

        A quotation that begins or ends in another sentence has one of its marks here.
        """
        lone = list[int]()
        found, open_marks = list[int](), list[tuple[int, str]]()
        for place, form in enumerate(self.forms):
            if open_marks and form in {closing for _, closing in open_marks}:
                while open_marks:  # marks opened inside and not closed remain unclosed
                    begin, closing = open_marks.pop()
                    if closing == form:
                        found += [begin, place] if self.kept[begin:place].any() else []
                        break
            elif form in OPENING:
                open_marks.append((place, BRACKETS.get(form) or QUOTES[form]))
            elif form in LONE:
                lone.append(place)
        lone += [place for place, _ in open_marks if self.forms[place] in LONE]
        return found + [place for place in lone if len(lone) == 1 and self._has_quoted(place)]

    def _has_quoted(self, mark: int) -> bool:
        """Return whether words that an unpaired mark quotes are kept; inches are not quoted."""
        is_measure = mark > 0 and self.forms[mark - 1][-1:].isdigit()
        closes = mark > 0 and self.written[mark - 1] == self.written[mark]
        own = self.kept[:mark] if closes else self.kept[mark:]
        return bool(own.any()) and not (closes and is_measure)

    def ends(self) -> list[int]:
        """List the mark that ends the sentence, and similar ones between words that are kept."""
        gaps = pairwise([*self.words, len(self.forms)])
        found = [[p for p in range(a + 1, b) if self.forms[p] in ENDS] for a, b in gaps]
        inside = [marks[0] for marks in found[:-1] if marks]
        return inside if self.last < 0 else [*inside, self.last]

    def others(self, keep: Bools) -> list[int]:
        """List tokens that are neither punctuation nor words: symbols, hyphens, apostrophes."""
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
        """List the commas, dashes and similar marks between words that are kept."""
        found = []
        for before, after in pairwise(self.words):
            marks = [p for p in range(before + 1, after) if self.forms[p] in PARTING]
            if self.is_word[before + 1 : after].any():
                marks = [p for p in marks if self.is_needed(p, before, after)]
            found += marks[:1]
        return found

    def is_needed(self, mark: int, before: int, after: int) -> bool:
        """Return whether a mark next to cut words sets off a phrase that is kept."""
        if not self.is_parsed:
            return False
        left, right = self._above(before), self._above(after)
        return any(self._ends_at(top, mark) for top in left if top not in right) or any(
            self._begins_at(top, mark) for top in right if top not in left
        )

    def _ends_at(self, top: int, mark: int) -> bool:
        """Return whether a phrase ends directly before a mark that belongs to it.

        True if the phrase introduces its head, or was set off on the other side too; but then the
        mark may belong to its last part only.
        """
        first, last = self.arcs.phrases[top]
        if self._word_before(mark) != last:
            return False
        if self.arcs.heads[top] > last and not INTRODUCING.isdisjoint(self.arcs.labels[top]):
            return True
        return self._parted_before(first) and not self._ends_aside(last)

    def _begins_at(self, top: int, mark: int) -> bool:
        """Return whether a phrase starts directly after a mark that belongs to it.

        True if it was set off on the other side too, or follows its head; but then the mark may
        belong to an earlier phrase that was set off and has been cut.
        """
        first, last = self.arcs.phrases[top]
        if self._word_after(mark) != first:
            return False
        if self._parted_after(last) or not SET_OFF.isdisjoint(self.arcs.labels[top]):
            return True
        return 0 <= self.arcs.heads[top] < first and not self._ends_aside(self._word_before(mark))

    def _ends_aside(self, last: int) -> bool:
        """Return whether a word ended a phrase that was set off on both sides and has been cut."""
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
        """Return the mark that ends the sentence, after its last word; -1 if there is none."""
        last_word = self._word_before(len(self.forms))
        ends = [p for p in range(last_word + 1, len(self.forms)) if self.forms[p] in ENDS]
        return ends[0] if ends else -1
