"""Concepts, the content that a summary should cover: k-grams, phrases, or user-defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from treaty.errors import UsageError
from treaty.learn import Int
from treaty.summarize._source import Source

__all__ = ["ConceptFinder", "Concepts", "finder_of", "k_grams", "phrases"]

ConceptFinder = Callable[[Source], Iterable[tuple[str, int, int]]]
"""From a sentence to its concepts: the name, first and last token of each."""
Concepts = Literal["unigrams", "bigrams", "trigrams", "all bigrams"] | int | ConceptFinder
Stemmer = Callable[[str], str]

ALL_BIGRAMS: Literal["all bigrams"] = "all bigrams"
"""Including those of two stop words, which matter to ROUGE if phrases are cut."""
MOST_WORDS = 60
"""Maximum k of k-grams; features of concepts have a bit for each word."""
NAMED = {"unigrams": 1, "bigrams": 2, "trigrams": 3}


def finder_of(concepts: Concepts | str, stem: Stemmer, stop_words: frozenset[str]) -> ConceptFinder:
    """Return the finder for a name or a k; a custom finder is returned unchanged."""
    if callable(concepts):
        return concepts
    if concepts == ALL_BIGRAMS:
        return k_grams(2, stem)
    k = NAMED.get(concepts) if isinstance(concepts, str) else concepts
    if k is None or k not in Int(1, MOST_WORDS):
        raise UsageError(
            f"concepts must be {', '.join(map(repr, (*NAMED, ALL_BIGRAMS)))}, the k of k-grams "
            f"(at most {MOST_WORDS}), or a function that finds them, got {concepts!r}"
        )
    return k_grams(k, stem, stop_words)


def k_grams(k: int, stem: Stemmer, stop_words: frozenset[str] = frozenset()) -> ConceptFinder:
    """Find k consecutive words, stemmed and in lower case; punctuation in between is ignored.

    Parameters
    ----------
    k
        Number of words.
    stem
        From a lower-case word to its stem.
    stop_words
        A concept must have at least one word that is not among these.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> source = Source(0, 0, Sentence.from_words(["Of", "the", "big", "cats", ",", "lions"]))
    >>> list(k_grams(2, str, frozenset(["of", "the"]))(source))
    [('the big', 1, 2), ('big cats', 2, 3), ('cats lions', 3, 5)]
    """

    def find(source: Source) -> Iterator[tuple[str, int, int]]:
        places = source.is_word.nonzero()[0].tolist()
        tokens = source.sentence.tokens
        words = [tokens[place].form.lower() for place in places]
        stems = [stem(word) for word in words]
        for begin in range(len(places) - k + 1):
            end = begin + k
            if not all(word in stop_words for word in words[begin:end]):
                yield " ".join(stems[begin:end]), places[begin], places[end - 1]

    return find


def phrases(given: Iterable[str], stem: Stemmer) -> ConceptFinder:
    """Find given phrases, in any inflection.

    Parameters
    ----------
    given
        Phrases of one or more words, separated by spaces.
    stem
        As in `k_grams`.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> source = Source(0, 0, Sentence.from_words(["Big", "cats", "sleep"]))
    >>> list(phrases(["big cats", "sleep", "dogs"], str)(source))
    [('big cats', 0, 1), ('sleep', 2, 2)]
    """
    wanted = {tuple(stem(word.lower()) for word in phrase.split()) for phrase in given}
    wanted.discard(())
    if not wanted:
        raise UsageError("expected at least one phrase to look for")
    lengths = sorted({len(phrase) for phrase in wanted})

    def find(source: Source) -> Iterator[tuple[str, int, int]]:
        places = source.is_word.nonzero()[0].tolist()
        stems = [stem(source.sentence.tokens[place].form.lower()) for place in places]
        for begin in range(len(places)):
            for end in (begin + length for length in lengths if begin + length <= len(places)):
                if (found := tuple(stems[begin:end])) in wanted:
                    yield " ".join(found), places[begin], places[end - 1]

    return find
