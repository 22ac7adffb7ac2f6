"""Source sentences of a summary, and which of their tokens count as words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treaty.text import Sentence
from treaty.text._spaces import space_after

__all__ = ["HEADLINE", "Source", "is_word", "sources_of", "written_words"]

Bools = npt.NDArray[np.bool_]

HEADLINE = -1
"""The number of a headline that may stand in a summary."""


@dataclass(frozen=True, eq=False)
class Source:
    """A sentence of the input.

    Attributes
    ----------
    document
        The index of its document, from 0.
    number
        Its index in the document, from 0; -1 for the headline.
    sentence
        Its tokens; with tags and a tree if it has been parsed.
    span
        Where it begins and ends in the text of its document, in characters; None if unknown.
    place
        Its index in its paragraph, from 0.
    is_turn
        Whether it is a part of a turn of a chat; turns are paragraphs.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> source = Source(0, 0, Sentence.from_words(["Cats", "sleep", "."]))
    >>> source.counts.tolist(), source.words
    ([True, True, False], 2)
    """

    document: int
    number: int
    sentence: Sentence
    span: tuple[int, int] | None = None
    place: int = 0
    is_turn: bool = False

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.sentence)

    @cached_property
    def is_word(self) -> Bools:
        """Which tokens contain a letter or a digit; the others are punctuation."""
        return np.array([is_word(token.form) for token in self.sentence], bool)

    @cached_property
    def written(self) -> npt.NDArray[np.int32]:
        """The index of the written word, between spaces, of each token."""
        return written_words(self.sentence)

    @cached_property
    def counts(self) -> Bools:
        """Which tokens count towards a limit on words.

        A written word counts once, at its first token that is not punctuation: in ``don't``, the
        ``n't`` does not count.
        """
        counts = np.zeros(len(self), bool)
        words = np.flatnonzero(self.is_word)
        counts[words[np.unique(self.written[words], return_index=True)[1]]] = True
        return counts

    @cached_property
    def words(self) -> int:
        """Number of words, as a limit counts them."""
        return int(self.counts.sum())

    @property
    def is_headline(self) -> bool:
        """Whether it is the headline of its document."""
        return self.number == HEADLINE

    @property
    def is_parsed(self) -> bool:
        """Whether every token has a head."""
        return all(token.head >= 0 for token in self.sentence)


def is_word(form: str) -> bool:
    """Return whether a token contains a letter or a digit.

    >>> is_word("n't"), is_word("--")
    (True, False)
    """
    return any(map(str.isalnum, form))


def written_words(sentence: Sentence) -> npt.NDArray[np.int32]:
    """Return the index of the written word, separated by spaces, of each token.

    >>> written_words(Sentence.from_words(["It", "rained"])).tolist()
    [0, 1]
    """
    lengths = [1] * len(sentence)  # number of tokens of each surface word
    for several in reversed(sentence.multiword_tokens):
        lengths[several.first - 1 : several.last] = [several.last - several.first + 1]
    numbers = list[int]()
    number = 0
    for length, (_, misc) in zip(lengths, sentence.surface(), strict=True):
        numbers += [number] * length
        number += bool(space_after(misc))
    return np.array(numbers, np.int32)


def sources_of(documents: Iterable[Sequence[Sentence]]) -> list[Source]:
    """List the sentences of documents with their indices.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> rain, snow = Sentence.from_words(["Rain"]), Sentence.from_words(["Snow"])
    >>> [(source.document, source.number) for source in sources_of([[rain, snow], [snow]])]
    [(0, 0), (0, 1), (1, 0)]
    """
    return [
        Source(document, number, sentence)
        for document, sentences in enumerate(documents)
        for number, sentence in enumerate(sentences)
    ]
