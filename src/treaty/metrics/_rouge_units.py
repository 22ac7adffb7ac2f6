"""The units that ROUGE counts: words, n-grams, skip-bigrams and longest common subsequences.

Everything is computed as in ROUGE-1.5.5 (Lin 2004), including its quirks, so that scores are
comparable with published ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from treaty.errors import UsageError
from treaty.metrics._counts import Retrieval

__all__ = ["Metric", "Sentences", "ascii_words", "first_of", "metric_named", "unicode_words"]

Sentences = Sequence[Sequence[str]]
Metric = Callable[[Sentences, Sentences], Retrieval]
Grams = Callable[[Sequence[str]], "Counter[tuple[str, ...]]"]

ASCII_WORD = re.compile("[A-Za-z0-9]+")
NAME = re.compile(r"ROUGE-(?:(?P<size>[1-9]\d?)|(?P<skip>SU?)(?P<gap>\d\d?|\*)|L)")


class _Letters(dict[int, str]):
    """Translation table that replaces all but letters, marks and digits by spaces."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        kept = unicodedata.category(character)[0] in "LMN"
        return self.setdefault(code, character if kept else " ")


LETTERS = _Letters()


def ascii_words(text: str) -> list[str]:
    """Split a text into words as ROUGE-1.5.5 does: runs of ASCII letters and digits."""
    return [word.lower() for word in ASCII_WORD.findall(text)]


def unicode_words(text: str) -> list[str]:
    """Split a text of any script into words: runs of letters, digits and combining marks."""
    return unicodedata.normalize("NFC", text).lower().translate(LETTERS).split()


def first_of(lines: Iterable[str], words: int | None, size: int | None) -> list[str]:
    """Keep the first words, or the first bytes, of a text.

    Words are separated by white space, as for ``-l`` of ROUGE-1.5.5; bytes are those of UTF-8,
    not counting line separators (``-b``).
    """
    kept = []
    for line in lines:
        if words is not None:
            parts = line.split()[:words]
            words -= len(parts)
            line = " ".join(parts)
        if size is not None:
            data = line.encode()[:size]
            size -= len(data)
            line = data.decode(errors="ignore")
        kept.append(line)
    return kept


def metric_named(name: str) -> Metric:
    """Return the function that compares a candidate's sentences with those of a reference."""
    match = NAME.fullmatch(name)
    if match is None:
        raise UsageError(
            f"unknown metric {name!r}: expected ROUGE-1, ROUGE-2, …, ROUGE-L, ROUGE-S4 or ROUGE-SU4"
        )
    if match["size"]:
        return _overlap(_n_grams(int(match["size"])))
    if match["skip"]:
        gap = None if match["gap"] == "*" else int(match["gap"])
        return _overlap(_skip_bigrams(gap, unigrams=match["skip"] == "SU"))
    return _union_lcs


def _overlap(grams: Grams) -> Metric:
    """Count the common grams, each with its minimum frequency."""

    def compare(candidate: Sentences, reference: Sentences) -> Retrieval:
        ours, theirs = grams(_joined(candidate)), grams(_joined(reference))
        common = sum(min(count, ours[gram]) for gram, count in theirs.items() if gram in ours)
        return Retrieval(common, theirs.total(), ours.total())

    return compare


def _joined(sentences: Sentences) -> list[str]:
    """Join sentences: grams may cross sentence boundaries."""
    return list(chain.from_iterable(sentences))


def _n_grams(size: int) -> Grams:
    def grams(words: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter(zip(*(words[start:] for start in range(size)), strict=False))

    return grams


def _skip_bigrams(gap: int | None, *, unigrams: bool) -> Grams:
    """Count ordered pairs of words with at most `gap` words between them."""

    def grams(words: Sequence[str]) -> Counter[tuple[str, ...]]:
        longest = len(words) if gap is None else min(gap + 2, len(words))
        found: Counter[tuple[str, ...]] = Counter()
        for distance in range(1, longest):
            found.update(zip(words, words[distance:], strict=False))
        if unigrams:  # but not the last: ROUGE-1.5.5 counts the first words of pairs
            found.update(zip(words[:-1], strict=True))
        return found

    return grams


def _union_lcs(candidate: Sentences, reference: Sentences) -> Retrieval:
    """Count the words of the reference in the union of longest common subsequences.

    Each of its sentences is compared with all of the candidate's, and the matched words are united
    (Lin 2004, section 3.2). No word counts more often than it occurs in the candidate.
    """
    left = Counter(_joined(candidate))
    size = left.total()
    places = [_places(sentence) for sentence in candidate]
    found = 0
    for sentence in reference:
        marked: set[int] = set()
        for theirs, length in zip(places, map(len, candidate), strict=True):
            marked |= _common_subsequence(sentence, theirs, length)
        for place in sorted(marked):
            if left[sentence[place]]:
                left[sentence[place]] -= 1
                found += 1
    return Retrieval(found, sum(map(len, reference)), size)


def _places(words: Sequence[str]) -> dict[str, int]:
    """Return the positions of each word, as a bit mask."""
    places: dict[str, int] = {}
    for place, word in enumerate(words):
        places[word] = places.get(word, 0) | 1 << place
    return places


def _common_subsequence(words: Sequence[str], places: dict[str, int], length: int) -> set[int]:
    """Find the indices of the words in a longest common subsequence.

    The rows of the dynamic program are bit masks: bit j of row i is 0 if one more word of the
    other sentence makes the subsequence longer (Crochemore et al. 2001). Of several longest ones it
    is that of ROUGE-1.5.5: from the end, a match is always taken; otherwise words of this sentence
    are skipped before those of the other one.
    """
    rows = []  # of words in the other sentence; other words leave the row unchanged
    row = everything = (1 << length) - 1
    for place, word in enumerate(words):
        if matches := places.get(word, 0):
            above, both = row, row & matches
            row = (row + both | row - both) & everything
            rows.append((place, matches, above, row))
    found = set()
    bit = 1 << length >> 1  # of the last remaining word of the other sentence
    while rows and bit:
        place, matches, above, row = rows.pop()
        upto = 2 * bit - 1
        # Left of the position where skipping this word would make the subsequence shorter.
        while bit and not matches & bit and (above & upto).bit_count() != (row & upto).bit_count():
            bit, upto = bit >> 1, upto >> 1
        if matches & bit:
            found.add(place)
            bit >>= 1
    return found
