"""Messages: texts with the positions of words. User names, hash tags and links are single words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.parse import Tokenizer

__all__ = ["Message", "message_of_text", "message_of_words", "sentences_of_text"]

WHOLE = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]'’]"  # links, without final punctuation
    r"|(?<![\w@#])[@#]\w+"  # users and hash tags
    r"|&\w+;"  # HTML character references
    r"|(?<!\w)(?:[<>]?[:;=][-o*']?[)\](\[dDpP/\\|}{@]+|<3+)(?!\w)"  # emoticons
)
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Message:
    """A text with the positions of its words.

    Parameters
    ----------
    text
        The text, of which the message may be a part.
    places
        ``(start, end)`` of each word.

    Examples
    --------
    >>> message_of_words(["Rome", "burns"])
    Message(text='Rome burns', places=((0, 4), (5, 10)))
    """

    text: str
    places: tuple[Place, ...]

    @property
    def words(self) -> list[str]:
        """The words."""
        return [self.text[start:end] for start, end in self.places]

    def __len__(self) -> int:
        return len(self.places)


def message_of_words(words: Sequence[str]) -> Message:
    """Make a message from words, joined by spaces."""
    places, start = [], 0
    for word in words:
        if not isinstance(word, str) or not word:
            raise UsageError(f"expected a nonempty string as a word, got {word!r}")
        places.append((start, start + len(word)))
        start += len(word) + 1
    return Message(" ".join(words), tuple(places))


def message_of_text(text: str, tokenizer: Tokenizer) -> Message:
    """Split a short message into words, as one sentence."""
    places = [place for sentence in _places(text, tokenizer) for place in sentence]
    return Message(text, tuple(places))


def sentences_of_text(text: str, tokenizer: Tokenizer) -> list[Message]:
    """Split a text into sentences and words; each sentence is a message in the same text."""
    return [Message(text, tuple(sentence)) for sentence in _places(text, tokenizer)]


def _places(text: str, tokenizer: Tokenizer) -> list[list[Place]]:
    sentences = [
        [place for token in sentence for place in token] for sentence in tokenizer.split(text)
    ]
    return kept_whole(sentences, [match.span() for match in WHOLE.finditer(text)])


def kept_whole(sentences: Sequence[Sequence[Place]], whole: Sequence[Place]) -> list[list[Place]]:
    """Merge words and sentences that split a span of text that must be a single word.

    Examples
    --------
    >>> kept_whole([[(0, 1), (1, 6), (6, 7)], [(8, 10)]], [(0, 6)])
    [[(0, 6), (6, 7)], [(8, 10)]]
    """
    merged: list[list[Place]] = []
    rest = iter(whole)
    next_start, next_end = next(rest, (len_of(sentences), 0))
    done = 0  # end of the text that is already in words
    for sentence in sentences:
        if sentence[0][0] >= done:  # otherwise it starts inside a word of the previous one
            merged.append([])
        words = merged[-1]
        for start, end in sentence:
            start = max(start, done)
            while start < end:
                if end <= next_start:
                    words.append((start, end))
                    start = done = end
                    continue
                if start < next_start:
                    words.append((start, next_start))
                words.append((next_start, next_end))
                start = done = next_end
                next_start, next_end = next(rest, (len_of(sentences), 0))
    return merged


def len_of(sentences: Sequence[Sequence[Place]]) -> int:
    """Return the end of the last word."""
    return sentences[-1][-1][1] if sentences else 0
