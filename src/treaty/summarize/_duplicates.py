"""Sentences that say the same in almost the same words, also across spellings of numbers, names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from treaty.summarize._source import Source
from treaty.summarize._split import words_of
from treaty.text import Sentence

__all__ = ["duplicates", "normal_words", "told_headlines"]

DIGITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
)  # fmt: skip
NUMBERS = {word: str(number) for number, word in enumerate(DIGITS)} | {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80",
    "ninety": "90", "hundred": "100", "thousand": "1000", "percent": "%", "per": "%", "cent": "%",
    "dollars": "$", "euros": "€", "pounds": "£", "m": "million", "bn": "billion", "k": "1000",
}  # fmt: skip
PARTS = re.compile(r"\d+(?:[.,]\d+)*|[$€£%]|[^\W\d_]+(?:['’][^\W\d_]+)*")
VOWELS = re.compile(r"(?<!^)[aeiouy]|['’]")
SHARED, CONTAINED = 0.55, 0.8
"""Shares of the words of the longer and the shorter sentence that both have."""
TOLD = 0.6
"""Share of the words of a headline that a sentence must have for the headline to be spared."""
FEWEST = 4
ALIKE_NAMES = 0.7


def normal_words(
    sentence: Sentence, stem: Callable[[str], str], stop_words: frozenset[str]
) -> frozenset[str]:
    """Return the words of a sentence that tell what it says; numbers as digits.

    Examples
    --------
    >>> given = Sentence.from_words("Twelve people paid $5m , or 1,200 each".split())
    >>> sorted(normal_words(given, str, frozenset(["or"])))
    ['$', '12', '1200', '5', 'each', 'million', 'paid', 'people']
    """
    found = set()
    for part in PARTS.findall(sentence.text):
        word = part.lower()
        if word in stop_words and word not in NUMBERS:
            continue
        if word[:1].isdigit():
            found.add(word.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", word) else word)
        elif word in NUMBERS:
            found.add(NUMBERS[word])
        else:
            found.add(part if part[:1].isupper() and len(part) > 3 else stem(word))
    return frozenset(found)


def duplicates(
    sources: Sequence[Source], stem: Callable[[str], str], stop_words: frozenset[str]
) -> list[tuple[int, int]]:
    """Find pairs of sentences that say the same.

    Parameters
    ----------
    sources
        The sentences.
    stem, stop_words
        As in `Problem.of`.

    Examples
    --------
    >>> text = ["Twelve people died in Kyiv on Monday",
    ...     "In Kiev 12 people died on Monday , he said", "Twelve ships left Odesa on Monday"]
    >>> sources = [Source(n, 0, Sentence.from_words(t.split())) for n, t in enumerate(text)]
    >>> duplicates(sources, str, frozenset(["in", "on", "he", "said"]))
    [(0, 1)]
    """
    words = [normal_words(source.sentence, stem, stop_words) for source in sources]
    found = []
    for n, own in enumerate(words):
        for m in range(n):
            shorter, longer = sorted((own, words[m]), key=len)
            if len(shorter) < FEWEST or len(shorter) < SHARED * len(longer):
                continue
            common = len(shorter & longer)
            if 2 * common < len(shorter):
                continue
            common += _alike_names(shorter - longer, longer - shorter)
            if common >= CONTAINED * len(shorter) and common >= SHARED * len(longer):
                found.append((m, n))
    return found


def told_headlines(sources: Sequence[Source], stem: Callable[[str], str]) -> set[int]:
    """Find headlines that a sentence tells again, so that a summary does not need them.

    Examples
    --------
    >>> text = ["Strike at Harlow Port Ends", "Workers at the port of Harlow ended their strike ."]
    >>> sources = [Source(0, n - 1, Sentence.from_words(t.split())) for n, t in enumerate(text)]
    >>> told_headlines(sources, lambda word: word[:3])
    {0}
    """
    stems = [{stem(word) for word in words_of(source.sentence.text)} for source in sources]
    return {
        n
        for n, source in enumerate(sources)
        if source.is_headline
        and any(
            len(stems[n] & own) >= TOLD * len(stems[n]) for m, own in enumerate(stems) if m != n
        )
    }


def _alike_names(some: frozenset[str], others: frozenset[str]) -> int:
    """Count names that are spelled almost alike: Gaddafi, Qaddafi. Numbers must be the same."""
    names = sorted(name for name in others if name[:1].isupper())
    count = 0
    for name in sorted(name for name in some if name[:1].isupper()):
        best = next((o for o in names if _similarity(name, o) >= ALIKE_NAMES), None)
        if best is not None:
            names.remove(best)
            count += 1
    return count


def _similarity(one: str, other: str) -> float:
    """Compare the spelling of two names; vowels count less."""

    def ratio(first: str, second: str) -> float:
        return SequenceMatcher(None, first, second, autojunk=False).ratio()

    first, second = one.lower(), other.lower()
    return max(ratio(first, second), ratio(VOWELS.sub("", first), VOWELS.sub("", second)))
