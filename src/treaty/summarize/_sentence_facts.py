"""Facts about the sentences of a whole text, from which features of concepts are made.

Names are words with a capital within a sentence. English pronouns are the only words of a language
among them; elsewhere these facts are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treaty.summarize._source import Source

__all__ = ["FACTS", "SentenceFacts", "centrality"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Stemmer = Callable[[str], str]

DAMPING, ROUNDS = 0.85, 30
TOP_WORDS = 10
"""Number of the most frequent words that a text is about."""
SPEAKING = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
ADDRESSING = frozenset({"you", "your", "yours"})
POINTING = frozenset({
    "he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "this", "that", "these",
    "those",
})  # fmt: skip
QUOTES = frozenset('"“”„«»') | {"``", "''"}


class SentenceFacts:
    """Numbers about each sentence of a text; see `FACTS` for their names.

    Parameters
    ----------
    sources
        All sentences of all documents.
    stem, stop_words
        As in `Problem.of`.
    titles
        For each stem in titles, the number of documents with it in the title.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> text = ["Cats sleep .", "Dogs bark at cats .", "Why ?"]
    >>> sources = [Source(0, n, Sentence.from_words(t.split())) for n, t in enumerate(text)]
    >>> facts = SentenceFacts(sources, str, frozenset(["at", "why"]), {"cats": 1})
    >>> facts["asks"].tolist(), facts["title share"].round(2).tolist()
    ([0.0, 0.0, 1.0], [0.33, 0.25, 0.0])
    """

    def __init__(
        self,
        sources: Sequence[Source],
        stem: Stemmer,
        stop_words: frozenset[str],
        titles: Mapping[str, int],
    ) -> None:
        self.sources, self.titles = tuple(sources), titles
        self._stem, self._stops = stem, stop_words
        self._known: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        """Return a fact, a number for each sentence."""
        if name not in self._known:
            self._known[name] = np.asarray(FACTS[name](self), np.float64)
        return self._known[name]

    @cached_property
    def forms(self) -> list[list[str]]:
        """The words of each sentence."""
        return [
            [token.form for token in source.sentence if any(map(str.isalnum, token.form))]
            for source in self.sources
        ]

    @cached_property
    def content(self) -> list[list[str]]:
        """The stems of each sentence's words that are not stop words."""
        return [
            [self._stem(word) for form in own if (word := form.lower()) not in self._stops]
            for own in self.forms
        ]

    @cached_property
    def lengths(self) -> Floats:
        """The number of words of each sentence, at least 1."""
        return np.array([max(1, len(own)) for own in self.forms], np.float64)

    @cached_property
    def entries(self) -> tuple[Ints, Ints, Ints]:
        """Sentence, number of the stem, and how often it occurs there, for each pair of these."""
        numbers: dict[str, int] = {}
        pairs = [
            (row, numbers.setdefault(stem, len(numbers)))
            for row, own in enumerate(self.content)
            for stem in own
        ]
        both = np.array(pairs, np.int64).reshape(-1, 2)
        unique, counts = np.unique(both, axis=0, return_counts=True)
        return unique[:, 0], unique[:, 1], counts.astype(np.int64)

    @cached_property
    def frequency(self) -> Floats:
        """The number of times each stem occurs in the text."""
        _, stem, count = self.entries
        return np.bincount(stem, count).astype(np.float64)

    @cached_property
    def names(self) -> list[list[str]]:
        """The words of each sentence with a capital, the first word aside."""
        return [[form for form in own[1:] if form[:1].isupper()] for own in self.forms]

    @cached_property
    def ends(self) -> Floats:
        """The number of the last sentence of each sentence's document, at least 1."""
        last: dict[int, int] = {}
        for source in self.sources:
            last[source.document] = max(last.get(source.document, 1), source.number)
        return np.array([last[source.document] for source in self.sources], np.float64)

    def sums(self, amounts: Floats) -> Floats:
        """Sum an amount for each entry over the entries of a sentence."""
        found = np.bincount(self.entries[0], amounts, minlength=len(self.sources))
        return np.asarray(found, np.float64)

    def each(self, find: Callable[[int], float]) -> Floats:
        """Compute a number for each sentence."""
        return np.array([find(row) for row in range(len(self.sources))], np.float64)


def centrality(facts: SentenceFacts) -> Floats:
    """Score sentences by how central they are: continuous LexRank (Erkan and Radev 2004), mean 1.

    The stationary distribution of a walk from sentence to similar sentence. Products with the
    matrix of similarities are made by the words, without the matrix.
    """
    rows, size = len(facts.sources), len(facts.frequency)
    row, stem, count = facts.entries
    if not rows or not size:
        return np.zeros(rows)
    inverse = np.log1p(rows / np.bincount(stem, minlength=size))
    weight: Floats = np.asarray(count * inverse[stem], np.float64)
    weight /= np.sqrt(facts.sums(weight**2))[row]

    def similar(values: Floats) -> Floats:
        words = np.bincount(stem, weight * values[row], minlength=size)
        return facts.sums(np.asarray(weight * words[stem], np.float64))

    degree = np.maximum(similar(np.ones(rows)), 1e-9)
    scores = np.ones(rows)
    for _ in range(ROUNDS):
        scores = 1.0 - DAMPING + DAMPING * similar(scores / degree)
    return scores


def _title_share(facts: SentenceFacts) -> Floats:
    """Compute the share of a sentence's content words that are in titles."""
    known = facts.titles
    return facts.each(
        lambda n: sum(s in known for s in facts.content[n]) / (1 + len(facts.content[n]))
    )


def _titles_told(facts: SentenceFacts) -> Floats:
    """Compute the share of the words of titles that a sentence has."""
    size = max(1, len(facts.titles))
    return facts.each(lambda n: len(facts.titles.keys() & set(facts.content[n])) / size)


def _top_words(facts: SentenceFacts) -> Floats:
    """Compute how many of the most frequent words of the text a sentence has."""
    _, stem, _ = facts.entries
    top = np.zeros(len(facts.frequency))
    top[np.argsort(-facts.frequency, kind="stable")[:TOP_WORDS]] = 1.0
    return facts.sums(top[stem]) / 5.0


def _told(facts: SentenceFacts) -> Floats:
    """Compute the share of the words of the text that a sentence's own stems make up."""
    total = max(1.0, float(facts.frequency.sum()))
    return facts.sums(facts.frequency[facts.entries[1]]) / total


def _name_counts(facts: SentenceFacts) -> Mapping[str, int]:
    counts: dict[str, int] = {}
    for own in facts.names:
        for name in set(own):
            counts[name] = counts.get(name, 0) + 1
    return counts


def _salient_names(facts: SentenceFacts) -> Floats:
    """Sum over a sentence's names in how many sentences of the text they occur."""
    counts = _name_counts(facts)
    most = max(counts.values(), default=1)
    return facts.each(lambda n: sum(counts[name] for name in set(facts.names[n])) / (2.0 * most))


def _new_names(facts: SentenceFacts) -> Floats:
    """Count the names that a sentence mentions first."""

    def new() -> Iterator[float]:
        seen: set[str] = set()
        for own in facts.names:
            yield len(set(own) - seen) / 5.0
            seen.update(own)

    return np.array([*new()], np.float64)


def _marked(marks: frozenset[str]) -> Callable[[SentenceFacts], Floats]:
    return lambda f: f.each(
        lambda n: any(token.form in marks for token in f.sources[n].sentence.tokens)
    )


def _worded(words: frozenset[str]) -> Callable[[SentenceFacts], Floats]:
    """Compute five times the share of some words."""
    return lambda f: f.each(lambda n: 5.0 * sum(w.lower() in words for w in f.forms[n])) / f.lengths


FACTS: dict[str, Callable[[SentenceFacts], Floats]] = {
    "opening": lambda f: f.each(lambda n: 1.0 / (1.0 + max(0, f.sources[n].number))),
    "paragraph opening": lambda f: f.each(lambda n: 1.0 / (1.0 + f.sources[n].place)),
    "depth": lambda f: f.each(lambda n: max(0, f.sources[n].number)) / f.ends,
    "headline": lambda f: f.each(lambda n: f.sources[n].is_headline),
    "title share": _title_share,
    "titles told": _titles_told,
    "centrality": centrality,
    "top words": _top_words,
    "told": _told,
    "names": lambda f: f.each(lambda n: len(f.names[n])) / f.lengths,
    "salient names": _salient_names,
    "new names": _new_names,
    "stops": lambda f: 1.0 - f.each(lambda n: len(f.content[n])) / f.lengths,
    "length": lambda f: np.minimum(f.lengths, 50.0) / 20.0,
    "short": lambda f: np.asarray(f.lengths < 8, np.float64),
    "asks": _marked(frozenset("?？؟")),
    "exclaims": _marked(frozenset("!！")),
    "quotes": _marked(QUOTES),
    "speaks": _worded(SPEAKING),
    "addresses": _worded(ADDRESSING),
    "points": _worded(POINTING),
    "points first": lambda f: f.each(
        lambda n: bool(f.forms[n]) and f.forms[n][0].lower() in POINTING
    ),
}
"""Names of facts, for features."""
