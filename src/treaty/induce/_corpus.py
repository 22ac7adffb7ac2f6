"""Corpora of tag sequences, for grammar induction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty._native import induce as native
from treaty._streams import name_of
from treaty._threads import checked
from treaty.errors import InputError, UsageError
from treaty.induce._features import Counts, Heads
from treaty.induce._grammar import Grammar
from treaty.induce._sampling import sample_sentence
from treaty.induce._tagset import Tagset
from treaty.text import Sentence, Token, read_conllu, read_tokens

__all__ = ["Corpus"]

Tokens = npt.NDArray[np.int32]
CONLLU = (".conllu", ".conllu.gz", ".conllu.xz")
MOST_TAGS = 1000
"""There is a weight for every pair of tags and direction, in memory many times."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Sentences as sequences of tags, in one flat array.

    Parameters
    ----------
    tags
        The names of the tags; sentences consist of their indices.
    tokens
        The tags of all sentences, concatenated.
    begin
        The start of each sentence, and the end of the last.
    heads
        The gold heads, if known: positions in the sentence from 1, 0 for the root.
    words
        The words, if there are any.

    Examples
    --------
    >>> corpus = Corpus.from_tags([["N", "V"], ["V", "N"], ["N", "V"]])
    >>> len(corpus), corpus.tags, corpus.tokens.tolist(), corpus.counts.tolist()
    (3, ('N', 'V'), [0, 1, 1, 0, 0, 1], [2, 1])
    """

    tags: tuple[str, ...]
    tokens: Tokens
    begin: npt.NDArray[np.int64]
    heads: Heads | None = None
    words: tuple[str, ...] | None = None

    @classmethod
    def from_tags(
        cls, sentences: Iterable[Sequence[str]], heads: Iterable[Sequence[int]] | None = None
    ) -> Corpus:
        """Make a corpus from tag names."""
        listed = [list(sentence) for sentence in sentences]
        if not listed or not all(listed):
            raise UsageError("expected at least one sentence, each with at least one tag")
        tags = tuple(sorted({tag for sentence in checked(listed) for tag in sentence}))
        if len(tags) > MOST_TAGS:
            raise UsageError(
                f"the sentences have {len(tags):,} tags, at most {MOST_TAGS:,} are possible: are "
                "these words? Choose coarser tags"
            )
        number = {tag: i for i, tag in enumerate(tags)}
        tokens = np.array([number[tag] for sentence in listed for tag in sentence], np.int32)
        begin = np.cumsum([0, *map(len, listed)])
        flat = None if heads is None else np.array([h for tree in heads for h in tree], np.int32)
        return cls(tags, tokens, begin, flat)

    @classmethod
    def read(
        cls,
        origin: str | Path | IO[Any],
        *,
        tags: str | Path | Mapping[str, str] = "upos",
        max_length: int | None = 10,
        most: int | None = None,
        kind: str | None = None,
    ) -> Corpus:
        r"""Read a treebank in CoNLL-U, or plain lines of tags.

        Parameters
        ----------
        origin
            A path, ``"-"`` for standard input, or an open stream. Files named ``.conllu`` are
            CoNLL-U, others have a sentence per line with spaces between tags.
        tags
            For CoNLL-U, see `Tagset.named`. Punctuation is removed; its dependents are attached to
            the nearest remaining ancestor.
        max_length
            Maximum length; longer sentences are left out.
        most
            Maximum number of sentences, from the start.
        kind
            ``"conllu"`` or ``"tags"``; by default from the file name.

        Examples
        --------
        >>> import io
        >>> Corpus.read(io.StringIO("DET NOUN VERB\nNOUN VERB\n")).tags
        ('DET', 'NOUN', 'VERB')
        """
        if kind not in (None, "conllu", "tags"):
            raise UsageError(f"kind must be 'conllu' or 'tags', not {kind!r}")
        name = name_of(origin)
        if kind == "conllu" or (kind is None and name.endswith(CONLLU)):
            rows = _treebank(read_conllu(origin), Tagset.named(tags), name)
        else:
            rows = (_Row(s.words, s.words, None) for s in read_tokens(origin))
        return cls._of_rows(rows, max_length, most, name)

    @classmethod
    def from_sentences(
        cls,
        sentences: Iterable[Sentence],
        *,
        tags: str | Path | Mapping[str, str] = "upos",
        max_length: int | None = 10,
    ) -> Corpus:
        """Make a corpus from tagged sentences; the options are those of `read`.

        Examples
        --------
        >>> cats = Sentence([Token("Cats", upos="NOUN"), Token("sleep", upos="VERB")])
        >>> Corpus.from_sentences([cats]).words
        ('Cats', 'sleep')
        """
        return cls._of_rows(_treebank(sentences, Tagset.named(tags), None), max_length, None, None)

    @classmethod
    def _of_rows(
        cls, rows: Iterable[_Row], max_length: int | None, most: int | None, name: str | None
    ) -> Corpus:
        chosen: list[_Row] = []
        for row in rows:
            if len(chosen) == most:
                break
            if row.tags and (max_length is None or len(row.tags) <= max_length):
                chosen.append(row)
        if not chosen:
            limit = "" if max_length is None else f" of at most {max_length} tokens"
            raise InputError(f"there are no sentences{limit}", path=name)
        trees = [row.heads for row in chosen if row.heads is not None]
        corpus = cls.from_tags(
            (r.tags for r in chosen), trees if len(trees) == len(chosen) else None
        )
        return replace(corpus, words=tuple(word for row in chosen for word in row.words))

    @classmethod
    def sample(
        cls, grammar: Grammar, sentences: int, seed: int = 0, *, max_length: int | None = None
    ) -> Corpus:
        """Draw sentences with their trees from a grammar; sentences that are too long are redrawn.

        Examples
        --------
        >>> grammar = Grammar.random(["N", "V"], seed=3)
        >>> len(Corpus.sample(grammar, 5, seed=1, max_length=5))
        5
        """
        rng = np.random.default_rng(seed)
        drawn = [sample_sentence(grammar, rng, max_length) for _ in range(sentences)]
        if not drawn:
            raise UsageError(f"the number of sentences must be at least 1, not {sentences}")
        tokens = np.array([tag for tags, _ in drawn for tag in tags], np.int32)
        heads = np.array([head for _, tree in drawn for head in tree], np.int32)
        return cls(grammar.tags, tokens, np.cumsum([0, *(len(t) for t, _ in drawn)]), heads)

    def __len__(self) -> int:
        return len(self.begin) - 1

    def __iter__(self) -> Iterator[Tokens]:
        for first, end in zip(self.begin[:-1], self.begin[1:], strict=True):
            yield self.tokens[first:end]

    def trees(self, heads: npt.ArrayLike) -> Iterator[Heads]:
        """Split flat heads by sentence."""
        flat = np.asarray(heads, np.int32)
        return iter(np.split(flat, self.begin[1:-1]))

    def count(self, heads: npt.ArrayLike) -> Counts:
        """Count the features of trees over all sentences.

        Examples
        --------
        >>> corpus = Corpus.from_tags([["N", "V"]])
        >>> corpus.count([2, 0]).child[1, 0]  # V has an N to its left
        array([1., 0.])
        """
        flat = np.ascontiguousarray(heads, np.int32)
        if len(flat) != len(self.tokens) or any(
            t.min() < 0 or t.max() > len(t) for t in self.trees(flat)
        ):
            raise UsageError("expected a head for every token: a position in its sentence, or 0")
        return Counts.from_flat(native.count(self.compiled, flat))

    def log_likelihood(self, heads: npt.ArrayLike, smoothing: float = 0.0) -> float:
        """Score trees under their maximum-likelihood parameters: the objective of Viterbi EM.

        Examples
        --------
        >>> Corpus.from_tags([["N", "V"]]).log_likelihood([2, 0])
        0.0
        """
        return self.count(heads).log_likelihood(smoothing)

    @cached_property
    def compiled(self) -> native.Corpus:
        """All sentences, for native code."""
        return native.Corpus(len(self.tags), self.tokens, self.begin, np.ones(len(self)))

    @cached_property
    def _distinct(self) -> tuple[Corpus, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        seen: dict[bytes, int] = {}
        number = np.array([seen.setdefault(s.tobytes(), len(seen)) for s in self])
        first = np.unique(number, return_index=True)[1]
        chosen = [self.tokens[self.begin[i] : self.begin[i + 1]] for i in first]
        corpus = Corpus(self.tags, np.concatenate(chosen), np.cumsum([0, *map(len, chosen)]))
        return corpus, number, np.bincount(number)

    @property
    def distinct(self) -> Corpus:
        """The distinct sequences of tags, in the order of their first occurrence."""
        return self._distinct[0]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The number of occurrences of each sentence of `distinct`."""
        return self._distinct[2]

    @cached_property
    def compiled_distinct(self) -> native.Corpus:
        """The distinct sequences of tags with their counts, for native code."""
        corpus = self.distinct
        copies = self.counts.astype(np.float64)
        return native.Corpus(len(self.tags), corpus.tokens, corpus.begin, copies)

    def spread(self, heads: npt.ArrayLike) -> Heads:
        """Copy the trees of `distinct` to all sentences."""
        trees = list(self.distinct.trees(heads))
        return np.concatenate([trees[i] for i in self._distinct[1]])

    def sentences(self, heads: npt.ArrayLike | None = None) -> Iterator[Sentence]:
        """Make sentences for CoNLL-U files, with these heads or the gold ones.

        Examples
        --------
        >>> [s.heads for s in Corpus.from_tags([["N", "V"]]).sentences([2, 0])]
        [[2, 0]]
        """
        trees = self.heads if heads is None else heads
        flat = np.full(len(self.tokens), -1) if trees is None else np.asarray(trees)
        for s, sentence in enumerate(self):
            first = int(self.begin[s])
            names = [self.tags[tag] for tag in sentence]
            words = names if self.words is None else self.words[first : first + len(names)]
            yield Sentence(
                [
                    Token(word, upos=name, head=int(flat[first + i]))
                    for i, (word, name) in enumerate(zip(words, names, strict=True))
                ]
            )


@dataclass(frozen=True)
class _Row:
    words: Sequence[str]
    tags: Sequence[str]
    heads: Sequence[int] | None


def _treebank(sentences: Iterable[Sentence], tagset: Tagset, name: str | None) -> Iterator[_Row]:
    for number, sentence in enumerate(sentences, 1):
        try:
            tags = tagset.read(sentence)
        except KeyError as error:
            raise InputError(
                f"sentence {number}: {error.args[0]}; choose other tags", path=name
            ) from None
        kept = [i for i, tag in enumerate(tags) if tag is not None]
        known = all(head >= 0 for head in sentence.heads)
        yield _Row(
            [sentence.tokens[i].form for i in kept],
            [tag for tag in tags if tag is not None],
            _heads_without(sentence.heads, kept) if known else None,
        )


def _heads_without(heads: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Attach words whose head was removed to the nearest kept ancestor; keep only one root."""
    place = {old: new for new, old in enumerate(kept, 1)}
    climb: Callable[[int], int] = lambda i: heads[i] - 1  # noqa: E731 - index of a word, from 0
    found = []
    for i in kept:
        above = climb(i)
        for _ in heads:
            if above < 0 or above in place:
                break
            above = climb(above)
        found.append(place.get(above, 0))
    roots = [new for new, head in enumerate(found, 1) if head == 0]
    return [roots[0] if new in roots[1:] else head for new, head in enumerate(found, 1)]
