"""Features of concepts: Almeida & Martins (2013), section 3.5, and new ones.

None depends on the words of a language: the same weights apply to any language with stop words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.features import CodeTemplates, PartFeatures
from treaty.summarize.decoding._problem import Problem
from treaty.summarize.sentences._sentence_facts import FACTS

__all__ = ["CODES", "COVERAGE_TEMPLATES", "NUMBERS", "CoverageFeatures"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COUNTS = (2, 3, 4, 6)
POSITIONS = (1, 2, 4, 8)
SHARES = (0.15, 0.25, 0.35, 0.5, 0.7)
COMMONEST = 3.0
"""Scale of the relative document frequency. Large features are regularized less: for hundreds of
similar short texts, this feature alone makes a fair summary."""
GENRE = "genre"
FEW = 3
"""Mean number of sentences of a document; shorter documents have no real lead."""

COVERAGE_TEMPLATES = (
    "", "documents", "leads", "earliest", "stops", "share", "style",
    "documents earliest", "documents stops", "earliest stops", "documents earliest stops",
    "leads stops", "style documents", "style earliest", "repeated documents",
    "*share", "*lead share", "*early share", "*earliness", "*frequency", "*word share",
    "*word lead share", "*title share", "titled", "titled documents", "*first documents",
    "*share earliness", "*share squared", "*relative documents",
    *(f"*of {fact}" for fact in FACTS),
)  # fmt: skip
"""Codes separated by spaces are one feature for each combination of their values; a name with a
star is a feature with this numeric value. All are also combined with the genre."""


class CoverageFeatures:
    """Extractor of the features of concepts.

    Parameters
    ----------
    templates
        The feature templates.
    bits
        Base-2 logarithm of the number of features.
    """

    def __init__(self, templates: Sequence[str] = COVERAGE_TEMPLATES, bits: int = 18) -> None:
        self.templates, self.bits = tuple(templates), bits
        self._compiled = CodeTemplates(
            "concept", self.templates, codes=(*CODES, GENRE), numbers=NUMBERS, each=("", GENRE)
        )

    def __call__(self, problem: Problem) -> PartFeatures:
        """Compute the features of a problem's concepts, a row per concept."""
        facts = _Facts(problem)
        codes = {name: find(facts) for name, find in CODES.items() if name in self._compiled.codes}
        codes[GENRE] = np.full(facts.size, facts.genre, np.int64)
        numbers = {name: NUMBERS[name](facts) for name in self._compiled.numbers}
        return self._compiled.features(codes, numbers, bits=self.bits)


class _Facts:
    """Data of the concepts of a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.size = problem, len(problem.concepts)
        self.documents = problem.document_counts.astype(np.int64)
        self.leads = problem.lead_counts.astype(np.int64)
        self.earliest = problem.earliest.astype(np.int64)
        self.count = np.bincount(problem.mentions.concept, minlength=self.size)
        self.all_documents = max(problem.documents, 1)
        self.genre = self._genre()
        self.words = self._words()
        self.in_titles, self.titled = self._titles()
        self.stops = self._pattern(lambda word: word.lower() in problem.stop_words)

    def _genre(self) -> int:
        """Return the genre: one document (0), many of a few sentences (1), many longer ones (2)."""
        if self.all_documents == 1:
            return 0
        last = np.zeros(self.all_documents, np.int64)
        numbers = {d: n for n, d in enumerate(np.unique(self.problem.mentions.document).tolist())}
        document = np.array([numbers[d] for d in self.problem.mentions.document.tolist()], np.int64)
        np.maximum.at(last, document, self.problem.mentions.number + 1)
        return 2 if last.mean() >= FEW else 1

    def _words(self) -> list[list[str]]:
        """Return the words of each concept at its first occurrence."""
        concept, source, first, last = (array.tolist() for array in self.problem.occurrences)
        words_of: list[list[str]] = [[] for _ in range(self.size)]
        for m, n, begin, end in zip(concept, source, first, last, strict=True):
            if not words_of[m]:
                start = int(self.problem.begin[n])
                tokens = self.problem.sources[n].sentence.tokens[begin - start : end + 1 - start]
                words_of[m] = [t.form for t in tokens if any(map(str.isalnum, t.form))]
        return words_of

    def _pattern(self, holds: Callable[[str], bool]) -> Ints:
        """Return for which words of each concept a predicate holds, as a binary number."""
        return np.array(
            [sum(holds(word) << place for place, word in enumerate(words)) for words in self.words],
            np.int64,
        )

    def _titles(self) -> tuple[Floats, Floats]:
        """Compute means over a concept's words: of titles with the word, of words in any title."""
        known = self.problem.titles
        counts = [
            [known.get(part, 0) for part in name.split(" ")] for name in self.problem.concepts
        ]
        means = [
            (
                sum(counts_of_words) / len(counts_of_words),
                sum(c > 0 for c in counts_of_words) / len(counts_of_words),
            )
            for counts_of_words in counts
        ]
        both = np.array(means).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    def of_words(self, what: str) -> Floats:
        """Compute the mean of a share over a concept's words that are not stop words."""
        shares: dict[str, set[int]] = {}
        parts = [name.split(" ") for name in self.problem.concepts]
        mentions = self.problem.mentions
        for m, document, number in zip(
            mentions.concept.tolist(), mentions.document.tolist(), mentions.number.tolist(),
            strict=True,
        ):  # fmt: skip
            if what == "anywhere" or number == 0:
                for part in parts[m]:
                    shares.setdefault(part, set()).add(document)
        return np.array(
            [
                sum(len(shares.get(part, ())) for part in words) / (len(words) * self.all_documents)
                for words in parts
            ]
        )


def _style(facts: _Facts) -> Ints:
    """Return whether a concept has a capital (1), a digit (2), or both (3)."""
    capital = [any(w[:1].isupper() for w in words) for words in facts.words]
    digit = [any(re.search(r"\d", w) for w in words) for words in facts.words]
    return np.array(capital, np.int64) + 2 * np.array(digit, np.int64)


def _mean_of(fact: str, facts: _Facts) -> Floats:
    """Compute the mean of a fact about sentences over those that have a concept."""
    values, mentions = facts.problem.facts[fact], facts.problem.mentions
    sums = np.bincount(mentions.concept, values[mentions.row], minlength=facts.size)
    return sums / np.maximum(facts.count, 1)


def _bin(limits: Sequence[float]) -> Callable[[npt.NDArray[Any]], Ints]:
    return lambda values: np.asarray(np.digitize(values, limits), np.int64)


CODES: dict[str, Callable[[_Facts], Ints]] = {
    "documents": lambda f: _bin(COUNTS)(f.documents),
    "leads": lambda f: np.where(f.leads == 0, 0, 1 + _bin(COUNTS)(f.leads)),
    "earliest": lambda f: _bin(POSITIONS)(f.earliest),
    "stops": lambda f: f.stops,
    "share": lambda f: _bin(SHARES)(f.documents / f.all_documents),
    "style": _style,
    "titled": lambda f: np.asarray(np.ceil(2 * f.titled), np.int64),
    "repeated": lambda f: np.asarray(f.count > f.documents, np.int64),
}
"""Codes for templates; the paper has documents, stops and earliest."""

NUMBERS: dict[str, Callable[[_Facts], Floats]] = {
    "share": lambda f: f.documents / f.all_documents,
    "lead share": lambda f: f.leads / f.all_documents,
    "early share": lambda f: _early(f),
    "earliness": lambda f: np.asarray(1.0 / (1.0 + f.earliest), np.float64),
    "frequency": lambda f: np.log1p(f.count) / 4.0,
    "word share": lambda f: f.of_words("anywhere"),
    "word lead share": lambda f: f.of_words("lead"),
    "title share": lambda f: f.in_titles / f.all_documents,
    "first documents": lambda f: _first_documents(f),
    "share earliness": lambda f: f.documents / f.all_documents / (1.0 + f.earliest),
    "share squared": lambda f: (f.documents / f.all_documents) ** 2,
    "relative documents": lambda f: COMMONEST * f.documents / f.documents.max(initial=1),
    **{f"of {fact}": partial(_mean_of, fact) for fact in FACTS},
}
"""Numbers for templates; those with ``of`` are means over the sentences that have the concept."""


def _early(facts: _Facts) -> Floats:
    """Compute the share of documents with a concept in their first two sentences."""
    mentions = facts.problem.mentions
    early = mentions.number < 2
    pairs = np.unique(np.stack([mentions.concept[early], mentions.document[early]]), axis=1)
    return np.bincount(pairs[0], minlength=facts.size) / facts.all_documents


def _first_documents(facts: _Facts) -> Floats:
    """Compute how early the first document with a concept is: 1 for the very first."""
    first = np.full(facts.size, facts.all_documents, np.int64)
    np.minimum.at(first, facts.problem.mentions.concept, facts.problem.mentions.document)
    return 1.0 - np.minimum(first, facts.all_documents) / facts.all_documents
