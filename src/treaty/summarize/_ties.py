"""Tokens that are kept or cut together: parts of a written word, of a quotation, of a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.summarize._rules import Rules
from treaty.summarize._source import Bools, Source
from treaty.text import check_tree

__all__ = ["deletion_tree", "quotations", "tied"]

Ints = npt.NDArray[np.int32]

APOSTROPHES = frozenset("'’")
"""Marks that on their own may not close anything: the workers’ pay."""


def deletion_tree(source: Source, rules: Rules) -> tuple[Ints, Bools]:
    """Return the head of each token of a sentence for compression, and which may be cut.

    Heads are those of the sentence's tree, except for tokens that are tied to others: of words that
    are kept or cut together, by a tie or by arcs that are never cut, the one nearest to the root
    keeps its head, and those whose heads are not among them are attached to it.

    Returns
    -------
    (heads, cuttable)
        The indices of heads, from 0, -1 for the root; and whether the arc to each token may be cut.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> rules = Rules.load(bold=True)
    >>> [array.tolist() for array in deletion_tree(Source(0, 0, cats), rules)]
    [[1, -1, 1], [False, False, True]]
    """
    if source.is_headline or not source.is_parsed:  # nothing can be cut without a tree
        heads = np.zeros(len(source), np.int32)
        heads[:1] = -1
        return heads, np.zeros(len(source), bool)
    check_tree(source.sentence)
    heads = np.array(source.sentence.heads, np.int32) - 1
    cuttable = rules.cuttable(source.sentence)
    group = _groups(source, rules, heads, cuttable)
    depths = _depths(heads)
    is_outside = (heads < 0) | (group != group[heads])
    cuttable &= is_outside
    outside = np.flatnonzero(is_outside)
    for number in set(group[outside].tolist()):
        tops = outside[group[outside] == number].tolist()
        first = min(tops, key=lambda token: (depths[token], token))
        for token in tops:
            if token != first:
                heads[token], cuttable[token] = first, False
        if len(tops) > 1:
            depths = _depths(heads)
    return heads, cuttable


def _groups(source: Source, rules: Rules, heads: Ints, cuttable: Bools) -> Ints:
    """Return the group of each token, kept or cut together: the index of one of its tokens."""
    group = list(range(len(source)))

    def number_of(token: int) -> int:
        while group[token] != token:
            group[token] = token = group[group[token]]
        return token

    for tie in tied(source, rules):
        for token in tie:
            group[number_of(token)] = number_of(tie[0])
    for token in np.flatnonzero(~cuttable & (heads >= 0)).tolist():
        group[number_of(token)] = number_of(int(heads[token]))
    return np.array([number_of(token) for token in range(len(source))], np.int32)


def tied(source: Source, rules: Rules) -> list[list[int]]:
    """List words that are kept or cut together: of a written word, a quotation, a name."""
    words = source.is_word
    quoted = quotations(source.sentence.words, rules.quotation_marks, source.written.tolist())
    ties = [np.arange(first, last + 1) for first, last in quoted]
    if rules.written_words:
        ties += np.split(np.arange(len(source)), _changes(source.written))
    if rules.names:
        is_name = np.array([token.upos == "PROPN" for token in source.sentence], bool)
        ties += [
            tie for tie in np.split(np.arange(len(source)), _changes(is_name)) if is_name[tie[0]]
        ]
    ties += [np.array([place, place + 1]) for place in _dates(source.sentence.words, rules.dates)]
    found = [tie[words[tie]].tolist() for tie in ties]
    return [tie for tie in found if len(tie) > 1]


def _dates(forms: Sequence[str], months: frozenset[str]) -> list[int]:
    """List the places of a month and a number that are side by side."""
    is_month = [form.lower() in months for form in forms]
    is_number = [form[:1].isdigit() and len(form) <= 4 for form in forms]
    return [
        place
        for place in range(len(forms) - 1)
        if (is_month[place] and is_number[place + 1]) or (is_number[place] and is_month[place + 1])
    ]


def _changes(values: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """List the positions where a value differs from the previous one."""
    return np.flatnonzero(values[1:] != values[:-1]) + 1


def quotations(
    forms: Sequence[str], marks: Sequence[tuple[str, str]], written: Sequence[int] | None = None
) -> list[tuple[int, int]]:
    """Find quotations, including their marks.

    A quotation that is not closed extends to the end, and one that was opened in another sentence
    starts at the beginning. Marks within a quotation belong to it, unless they close it.

    Parameters
    ----------
    forms
        The tokens.
    marks
        Opening and closing marks, which may be the same.
    written
        The written word of each token: a mark that is attached only to the word before it can only
        be a closing one.

    Examples
    --------
    >>> quotations(["He", '"', "slept", '"', "."], [('"', '"')])
    [(1, 3)]
    >>> quotations(["“", "Go", "on"], [("“", "”")]), quotations(["Go", "”", "he"], [("“", "”")])
    ([(0, 2)], [(0, 1)])
    """
    closing_of = dict(marks)
    closings = {closing for _, closing in marks} - APOSTROPHES
    found, begin, closing = [], -1, ""

    def only_closes(place: int) -> bool:
        if forms[place] not in closing_of:
            return True
        if written is None or not 0 < place < len(forms) - 1:
            return False
        return written[place - 1] == written[place] != written[place + 1]

    for place, form in enumerate(forms):
        if begin >= 0 and form == closing:
            found.append((begin, place))
            begin = -1
        elif begin < 0 and form in closings and only_closes(place):
            if not found:
                found.append((0, place))
        elif begin < 0 and form in closing_of:
            begin, closing = place, closing_of[form]
    if begin >= 0:
        found.append((begin, len(forms) - 1))
    return found


def _depths(heads: Ints) -> list[int]:
    """Count the arcs from the root to each token."""
    depths = np.zeros(len(heads), np.int32)
    above = heads.copy()
    while (on_the_way := above >= 0).any():
        depths += on_the_way
        above = np.where(on_the_way, heads[above], -1)
    return depths.tolist()
