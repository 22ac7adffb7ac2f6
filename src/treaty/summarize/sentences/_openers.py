"""Words that open a sentence and lean on the one before it: however, but, for example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from treaty.languages import Language
from treaty.summarize.sentences._source import ENGLISH, Source, is_word
from treaty.text import Sentence

__all__ = ["opener_of", "openers", "speaker_of"]

LONGEST_SPEAKER = 8
JOINING = frozenset({"-", "/"})
"""Marks that make one word of an opener and the next: "then-president"."""


def speaker_of(source: Source) -> int:
    """Return how many tokens name the speaker of a turn of a chat.

    >>> turn = Sentence.from_words(["Ann", ":", "yes", ",", "I", "will"])
    >>> speaker_of(Source(0, 1, turn, is_turn=True)), speaker_of(Source(0, 1, turn))
    (2, 0)
    """
    if not source.is_turn or source.place:
        return 0
    forms = source.sentence.words[:LONGEST_SPEAKER]
    return next((n + 1 for n, form in enumerate(forms) if form in (":", ">")), 0)


def opener_of(sentence: Sentence, start: int = 0, language: Language = ENGLISH) -> list[int]:
    """Return the places of the words that open a sentence and lean on another; empty if none do.

    The first tokens may be left out, such as the speaker of a turn.

    Examples
    --------
    >>> opener_of(Sentence.from_words(["In", "addition", ",", "it", "rained"]))
    [0, 1]
    >>> opener_of(Sentence.from_words(["Still", "waters", "run", "deep"]))
    []
    """
    known = language.discourse
    places = [n for n, token in enumerate(sentence) if n >= start and is_word(token.form)]
    forms = [sentence.tokens[n].form.lower() for n in places[: _longest(known.openers)]]
    if not forms or forms[0] not in _first_words(known.openers):
        return []
    for size in range(len(forms), 0, -1):
        if (text := " ".join(forms[:size])) in known.openers:
            after = places[size - 1] + 1
            mark = sentence.tokens[after].form if after < len(sentence) else ""
            leans = mark == "," if text in known.before_comma else mark not in JOINING
            return places[:size] if leans else []
    return []


@cache
def _first_words(entries: frozenset[str]) -> frozenset[str]:
    return frozenset(entry.split(" ")[0] for entry in entries)


@cache
def _longest(entries: frozenset[str]) -> int:
    return max((entry.count(" ") + 1 for entry in entries), default=0)


def openers(sources: Sequence[Source], begin: Sequence[int]) -> list[tuple[int, int]]:
    """Find the words that lean on the sentence before theirs.

    Parameters
    ----------
    sources
        Sentences with trees.
    begin
        The number of the first token of each.

    Returns
    -------
    list
        The number of the highest token of each opener, and of the sentence; -1 if that is not
        among them.

    Examples
    --------
    >>> words = [["Ann", "slept"], ["But", "Bo", "sang"]]
    >>> trees = [Sentence.from_words(w) for w in words]
    >>> trees = [trees[0].with_tree([2, 0], ["nsubj", "root"]),
    ...          trees[1].with_tree([3, 3, 0], ["cc", "nsubj", "root"])]
    >>> openers([Source(0, n, tree) for n, tree in enumerate(trees)], [0, 2])
    [(2, 0)]
    """
    place = {(source.document, source.number): n for n, source in enumerate(sources)}
    leaning = []
    for n, source in enumerate(sources):
        opener = (
            opener_of(source.sentence, speaker_of(source), source.language)
            if source.number > 0
            else []
        )
        if opener:
            tokens = source.sentence.tokens
            top = next((p for p in opener if tokens[p].head - 1 not in opener), opener[0])
            leaning.append((int(begin[n]) + top, one_before(source, place)))
    return leaning


def one_before(source: Source, place: Mapping[tuple[int, int], int]) -> int:
    """Return the sentence before one, or -1; of a chat, the last one before it that is there.

    >>> turn = Source(0, 5, Sentence.from_words(["Ann", ":", "ok"]), is_turn=True)
    >>> one_before(turn, {(0, 2): 7}), one_before(Source(0, 5, turn.sentence), {(0, 2): 7})
    (7, -1)
    """
    farthest = 0 if source.is_turn else source.number - 1
    numbers = range(source.number - 1, farthest - 1, -1)
    keys = ((source.document, number) for number in numbers)
    return next((place[key] for key in keys if key in place), -1)
