"""A summarization problem as flat arrays: tokens, trees, concepts and their occurrences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.summarize._concepts import Concepts, Stemmer, finder_of
from treaty.summarize._rules import Rules
from treaty.summarize._sentence_facts import SentenceFacts
from treaty.summarize._source import Bools, Source
from treaty.summarize._split import words_of
from treaty.summarize._ties import Ints, deletion_tree
from treaty.text import Sentence
from treaty.text import stemmer as stemmer_of
from treaty.text import stop_words as stop_words_of

__all__ = ["Mentions", "Occurrences", "Problem"]


class Occurrences(NamedTuple):
    """Occurrences of concepts in the sentences of a problem (the sets T_m of the paper, eq. 6)."""

    concept: Ints
    source: Ints
    first: Ints
    """The first token of each, as an index among all tokens of the problem."""
    last: Ints
    """The last token; punctuation in between is not part of the concept."""


class Mentions(NamedTuple):
    """Occurrences of concepts in the whole text, including sentences that are not candidates."""

    concept: Ints
    document: Ints
    number: Ints
    """The number of the sentence in its document."""
    row: Ints
    """The number of the sentence in the whole text, as in `Problem.facts`."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Sentences and the concepts they contain.

    Made by `Problem.of`. The tokens of all sentences are concatenated: those of sentence n are from
    ``begin[n]`` to ``begin[n + 1]``.

    Attributes
    ----------
    sources
        The sentences, each with at least one word.
    begin
        The start of the tokens of each sentence, and the total number.
    concepts
        The names of the concepts.
    occurrences
        Their occurrences in the sentences.
    mentions
        Their occurrences in the whole text, from which the sentences were chosen.
    documents
        Number of documents.
    rules
        The hard constraints of compression.
    stop_words
        A concept has at least one word that is not among these.
    titles
        For each stem in titles, the number of documents with it in the title.
    needs
        Pairs of sentences: the first one is taken only with the second one (`references`).
    leans
        Pairs of a token and a sentence: the token is kept only with the sentence, or never if that
        is -1 (`openers`).
    alike
        Pairs of sentences that say the same: at most one is taken (`duplicates`).
    facts
        Facts about all sentences of the whole text.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> text = [["Cats", "sleep"], ["Big", "cats", "sleep"]]
    >>> sources = [Source(0, n, Sentence.from_words(words)) for n, words in enumerate(text)]
    >>> problem = Problem.of(sources, stemmer=str)
    >>> problem.concepts, problem.occurrences.concept.tolist()
    (('cats sleep', 'big cats'), [0, 1, 0])
    >>> problem.begin.tolist(), problem.words.tolist()
    ([0, 2, 5], [2, 3])
    """

    sources: tuple[Source, ...]
    begin: Ints
    concepts: tuple[str, ...]
    occurrences: Occurrences
    mentions: Mentions
    documents: int
    rules: Rules
    stop_words: frozenset[str] = frozenset()
    titles: Mapping[str, int] = field(default_factory=dict)
    needs: tuple[tuple[int, int], ...] = ()
    leans: tuple[tuple[int, int], ...] = ()
    alike: tuple[tuple[int, int], ...] = ()
    facts: SentenceFacts = field(default_factory=lambda: SentenceFacts((), str, frozenset(), {}))

    @classmethod
    def of(
        cls,
        sources: Iterable[Source],
        *,
        concepts: Concepts = "bigrams",
        stemmer: Stemmer | None = None,
        stop_words: frozenset[str] | None = None,
        reduce_to: int | None = 1000,
        rules: Rules | None = None,
        titles: Iterable[str] = (),
    ) -> Problem:
        """Make a problem.

        Parameters
        ----------
        sources
            All sentences of all documents. Those without words are left out.
        concepts
            ``"unigrams"``, ``"bigrams"``, ``"trigrams"``, ``"all bigrams"`` (including those of two
            stop words), the k of k-grams, or a function from a `Source` to ``(name, first token,
            last token)`` for each of its concepts.
        stemmer
            From a lower-case word to its stem; by default that of English.
        stop_words
            A concept must have at least one word that is not among these; by default those of
            English.
        reduce_to
            Maximum total number of words of the candidates, see `candidates`; None to keep all
            sentences.
        rules
            Hard constraints of compression; by default those that come with Treaty.
        titles
            The titles of documents that have one.
        """
        stem = stemmer or stemmer_of("en")
        stops = stop_words_of("en") if stop_words is None else stop_words
        given = [source for source in sources if source.words]
        finder = finder_of(concepts, stem, stops)
        names: dict[str, int] = {}
        found = [
            (names.setdefault(name, len(names)), n, first, last)
            for n, source in enumerate(given)
            for name, first, last in finder(source)
        ]
        concept, source, first, last = np.array(found, np.int32).reshape(-1, 4).T.copy()
        document = np.array([s.document for s in given], np.int32)
        number = np.array([s.number for s in given], np.int32)
        mentions = Mentions(concept, document[source], number[source], source)
        in_titles = Counter(stem(word) for title in titles for word in set(words_of(title)) - stops)
        begin = _begin(given)
        whole = cls(
            tuple(given),
            begin,
            tuple(names),
            Occurrences(concept, source, first + begin[source], last + begin[source]),
            mentions,
            len(set(document.tolist())),
            rules or Rules.load(),
            stops,
            in_titles,
            facts=SentenceFacts(given, stem, stops, in_titles),
        )
        if reduce_to is None:
            return whole
        from treaty.summarize._candidates import candidates, simple_scores

        return whole.only(candidates(whole, simple_scores(whole), reduce_to))

    @classmethod
    def of_sentences(cls, sentences: Iterable[Sentence], rules: Rules | None = None) -> Problem:
        """Make a problem of compressing sentences one by one, without concepts."""
        sources = [Source(0, number, sentence) for number, sentence in enumerate(sentences)]
        return cls.of(sources, concepts=lambda _: [], reduce_to=None, rules=rules)

    def only(self, sources: Sequence[int] | Ints) -> Problem:
        """Select some of the sentences, and the concepts they contain.

        Parameters
        ----------
        sources
            Their indices, ascending.
        """
        kept = np.asarray(sources, np.int32)
        new_source = np.full(len(self.sources), -1, np.int32)
        new_source[kept] = np.arange(len(kept))
        chosen = tuple(self.sources[n] for n in kept.tolist())
        begin = _begin(chosen)
        old, here = self.occurrences, new_source[self.occurrences.source] >= 0
        names, concept = np.unique(old.concept[here], return_inverse=True)
        source = new_source[old.source[here]]
        shift = begin[source] - self.begin[old.source[here]]
        new_concept = np.full(len(self.concepts), -1, np.int32)
        new_concept[names] = np.arange(len(names))
        mentioned = new_concept[self.mentions.concept]
        return replace(
            self,
            sources=chosen,
            begin=begin,
            concepts=tuple(self.concepts[n] for n in names.tolist()),
            occurrences=Occurrences(
                concept.astype(np.int32), source, old.first[here] + shift, old.last[here] + shift
            ),
            mentions=Mentions(
                mentioned[mentioned >= 0],
                self.mentions.document[mentioned >= 0],
                self.mentions.number[mentioned >= 0],
                self.mentions.row[mentioned >= 0],
            ),
            needs=_renumbered(self.needs, new_source),
            leans=tuple(
                (token - int(self.begin[n]) + int(begin[new_source[n]]), int(new_source[other]))
                for token, other in self.leans
                if new_source[n := self.source_of[token]] >= 0
            ),
            alike=_renumbered(self.alike, new_source),
        )

    def with_trees(self, sources: Iterable[Source]) -> Problem:
        """Replace the sentences by parsed ones with the same tokens."""
        parsed = tuple(sources)
        if [len(source) for source in parsed] != [len(source) for source in self.sources]:
            raise UsageError("expected the same sentences, with the same number of tokens")
        return replace(self, sources=parsed)

    # Derived data

    @property
    def heads(self) -> Ints:
        """The head of each token for compression.

        This is the sentence's tree, except for tokens that are tied to others (see `Rules`); -1 is
        the dummy symbol ``$`` above the root.
        """
        return self._trees[0]

    @property
    def cuttable(self) -> Bools:
        """Which tokens may be cut from their heads; none of a sentence without a tree."""
        return self._trees[1]

    @cached_property
    def _trees(self) -> tuple[Ints, Bools]:
        heads, cuttable = [np.zeros(0, np.int32)], [np.zeros(0, bool)]
        for source, begin in zip(self.sources, self.begin.tolist(), strict=False):
            own, may_be_cut = deletion_tree(source, self.rules)
            heads.append(np.where(own < 0, -1, own + begin).astype(np.int32))
            cuttable.append(may_be_cut)
        return np.concatenate(heads), np.concatenate(cuttable)

    @cached_property
    def source_of(self) -> Ints:
        """The sentence of each token."""
        return np.repeat(np.arange(len(self.sources), dtype=np.int32), np.diff(self.begin))

    @cached_property
    def is_word(self) -> Bools:
        """Which tokens are not punctuation."""
        return _joined([source.is_word for source in self.sources])

    @cached_property
    def counts(self) -> Bools:
        """Which tokens count towards a limit on words."""
        return _joined([source.counts for source in self.sources])

    @cached_property
    def words(self) -> Ints:
        """The number of words of each sentence."""
        return np.array([source.words for source in self.sources], np.int32)

    @cached_property
    def document_counts(self) -> Ints:
        """The number of documents with each concept."""
        return self._documents_with(np.ones(len(self.mentions.concept), bool))

    @cached_property
    def lead_counts(self) -> Ints:
        """The number of documents with each concept in the first sentence."""
        return self._documents_with(self.mentions.number == 0)

    @cached_property
    def earliest(self) -> Ints:
        """The smallest sentence number, in its document, of each concept."""
        earliest = np.full(len(self.concepts), np.iinfo(np.int32).max, np.int32)
        np.minimum.at(earliest, self.mentions.concept, np.maximum(self.mentions.number, 0))
        return earliest

    def needed_by(self, source: int) -> set[int]:
        """Return the sentences that one needs, and those that these need."""
        found, stack = set[int](), [source]
        while stack:
            one = stack.pop()
            more = {other for needing, other in self.needs if needing == one} - found - {source}
            found |= more
            stack += more
        return found

    def lacking(self, taken: Bools) -> list[int]:
        """List the sentences among those taken that need one that is not."""
        return [one for one, other in self.needs if taken[one] and not taken[other]]

    def leaning(self, keep: Bools, taken: Bools) -> list[int]:
        """List the tokens that are kept without the sentence that they lean on."""
        return [one for one, other in self.leans if keep[one] and not (other >= 0 and taken[other])]

    def repeating(self, taken: Bools) -> list[tuple[int, int]]:
        """List the pairs of sentences that say the same and are both taken."""
        return [(one, other) for one, other in self.alike if taken[one] and taken[other]]

    def is_coherent(self, keep: Bools, taken: Bools) -> bool:
        """Return whether no sentence lacks another one, leans on it, or repeats it."""
        return not (self.lacking(taken) or self.leaning(keep, taken) or self.repeating(taken))

    def said(self, keep: Bools) -> Bools:
        """Return the occurrences all of whose words are kept (eq. 7), ignoring punctuation."""
        missing = np.concatenate([[0], np.cumsum(self.is_word & ~keep)])
        whole: Bools = missing[self.occurrences.last + 1] == missing[self.occurrences.first]
        return whole

    def _documents_with(self, mentions: Bools) -> Ints:
        concept, document = self.mentions.concept[mentions], self.mentions.document[mentions]
        pairs = np.unique(np.stack([concept, document]), axis=1)
        return np.bincount(pairs[0], minlength=len(self.concepts)).astype(np.int32)


def _renumbered(pairs: Iterable[tuple[int, int]], new: Ints) -> tuple[tuple[int, int], ...]:
    """Return the pairs of sentences that are still there, with their new numbers."""
    found = ((int(new[one]), int(new[other])) for one, other in pairs)
    return tuple(pair for pair in found if min(pair) >= 0)


def _begin(sources: Sequence[Source]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(s) for s in sources])]).astype(np.int32)


def _joined(parts: Sequence[npt.NDArray[np.bool_]]) -> Bools:
    return np.concatenate([np.zeros(0, bool), *parts])
