"""Tokens that are kept or cut together: parts of a written word, and what is quoted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from treaty.corpus import check_tree
from treaty.summarize._rules import Rules
from treaty.summarize._source import Bools, Source

__all__ = ["deletion_tree", "quotations", "tied"]

Ints = npt.NDArray[np.int32]


def deletion_tree(source: Source, rules: Rules) -> tuple[Ints, Bools]:
    """Tell on what each token of a sentence hangs, and which may be cut off.

    Heads are those of the sentence's tree, but for tokens that are tied to others: of every tie the
    token nearest to the root stays where it is, and the others whose heads are not in the tie hang
    on it. So a tie is kept or cut as a whole.

    Returns
    -------
    (heads, cuttable)
        The places of heads, from 0, -1 for the root; and whether the arc to each token may be cut.

    Examples
    --------
    >>> from treaty.corpus import Sentence
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> [array.tolist() for array in deletion_tree(Source(0, 0, cats), Rules.load())]
    [[1, -1, 1], [False, False, True]]
    """
    if not source.is_parsed:  # without a tree there is nothing that can be cut
        heads = np.zeros(len(source), np.int32)
        heads[:1] = -1
        return heads, np.zeros(len(source), bool)
    check_tree(source.sentence)
    heads = np.array(source.sentence.heads, np.int32) - 1
    cuttable = rules.cuttable(source.sentence)
    for tie in tied(source, rules):
        depths = _depths(heads)
        top = min(tie, key=lambda token: (depths[token], token))
        inside = set(tie)
        for token in tie:
            if token != top:
                cuttable[token] = False
                if heads[token] not in inside:
                    heads[token] = top
    return heads, cuttable


def tied(source: Source, rules: Rules) -> list[list[int]]:
    """List the words that are kept or cut together; what overlaps is one tie."""
    number = np.arange(len(source))
    if rules.written_words:
        number = np.unique(source.written, return_index=True)[1][source.written]
    forms = source.sentence.words
    for first, last in quotations(forms, rules.quotation_marks):
        overlapping = np.isin(number, number[first : last + 1])
        number[overlapping] = number[overlapping].min()
    ties = [np.flatnonzero((number == n) & source.is_word).tolist() for n in np.unique(number)]
    return [tie for tie in ties if len(tie) > 1]


def quotations(forms: Sequence[str], marks: Sequence[tuple[str, str]]) -> list[tuple[int, int]]:
    """Find what is quoted, marks included; a quotation that is not closed goes on to the end.

    Marks within a quotation are part of it, unless they are its closing one.

    Examples
    --------
    >>> quotations(["He", '"', "slept", '"', "."], [('"', '"')])
    [(1, 3)]
    >>> quotations(["“", "Go", "on"], [("“", "”")])
    [(0, 2)]
    """
    closing_of = dict(marks)
    found, begin, closing = [], -1, ""
    for place, form in enumerate(forms):
        if begin < 0 and form in closing_of:
            begin, closing = place, closing_of[form]
        elif begin >= 0 and form == closing:
            found.append((begin, place))
            begin = -1
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
