"""Pairs of identical phrases in a group of messages, for the global patterns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from treaty._native.features import text_hash
from treaty.label.entities._words import is_content_word, kind_of

__all__ = ["PAIR", "PhrasePair", "phrase_pairs"]

PAIR = text_hash("pair")
"""Feature of all pairs of identical phrases."""


class PhrasePair(NamedTuple):
    """Two occurrences of a phrase: their first words in the group, and the length of the phrase."""

    first: int
    second: int
    length: int

    def vertices(self) -> list[int]:
        """List the words of both occurrences, one after the other.

        Examples
        --------
        >>> PhrasePair(3, 9, 2).vertices()
        [3, 4, 9, 10]
        """
        places = range(self.length)
        return [self.first + i for i in places] + [self.second + i for i in places]

    def features(self, words: Sequence[str]) -> list[int]:
        """Hash the features: a constant, and the spelling of both, given the group's words."""
        forms = [words[at : at + self.length] for at in (self.first, self.second)]
        cases = sorted("".join("Aa"[word[:1].islower()] for word in form) for form in forms)
        return [PAIR, text_hash(f"pair {' '.join(cases)}")]


def phrase_pairs(
    messages: Sequence[Sequence[str]],
    *,
    stop_words: frozenset[str] = frozenset(),
    longest: int = 3,
    most_all: int = 4,
) -> list[PhrasePair]:
    """Pair the occurrences of identical phrases in a group.

    Phrases consist of content words that are capitalized or hash tags in at least one occurrence;
    otherwise case is ignored. All pairs of occurrences are taken for a phrase with few of them
    (Qian and Liu 2014, section 4.1.3), and only pairs of neighboring ones for a frequent phrase:
    their number is linear, and equal labels propagate along them.

    Parameters
    ----------
    messages
        The words of each message of the group.
    stop_words
        Common words, in lower case.
    longest
        Maximum number of words of a phrase.
    most_all
        Maximum number of occurrences for which all pairs are taken.

    Examples
    --------
    >>> messages = ["Rome burns".split(), "see Rome".split()]
    >>> phrase_pairs(messages)
    [PhrasePair(first=0, second=3, length=1)]
    """
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    names: set[tuple[str, ...]] = set()
    begin = 0
    for words in messages:
        for start, end in _phrases(words, stop_words, longest):
            phrase = tuple(word.lower() for word in words[start:end])
            places[phrase].append(begin + start)
            if all(_looks_like_a_name(word) for word in words[start:end]):
                names.add(phrase)
        begin += len(words)
    phrases = []
    for phrase, at in places.items():
        if phrase in names:
            pairs = combinations(at, 2) if len(at) <= most_all else pairwise(at)
            phrases += [PhrasePair(a, b, len(phrase)) for a, b in pairs if a + len(phrase) <= b]
    return phrases


def _phrases(
    words: Sequence[str], stop_words: frozenset[str], longest: int
) -> Iterator[tuple[int, int]]:
    """Iterate over the runs of content words."""
    content = [is_content_word(word, stop_words) for word in words]
    for start in range(len(words)):
        for end in range(start + 1, min(start + longest, len(words)) + 1):
            if not content[end - 1]:
                break
            yield start, end


def _looks_like_a_name(word: str) -> bool:
    return word[0].isupper() or kind_of(word) == "hash"
