"""Messages: words and where they stand in a text. Users, hash tags and links are one word each."""

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
    r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)\]'’]"  # links, without the stop behind them
    r"|(?<![\w@#])[@#]\w+"  # users and hash tags
    r"|&\w+;"  # characters as HTML writes them
    r"|(?<!\w)(?:[<>]?[:;=][-o*']?[)\](\[dDpP/\\|}{@]+|<3+)(?!\w)"  # smileys
)
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Message:
    """A text and the places of its words.

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
        """The words themselves."""
        return [self.text[start:end] for start, end in self.places]

    def __len__(self) -> int:
        return len(self.places)


def message_of_words(words: Sequence[str]) -> Message:
    """Make a message of words, with spaces between them."""
    places, start = [], 0
    for word in words:
        if not isinstance(word, str) or not word:
            raise UsageError(f"a word of a message is a string that is not empty, not {word!r}")
        places.append((start, start + len(word)))
        start += len(word) + 1
    return Message(" ".join(words), tuple(places))


def message_of_text(text: str, tokenizer: Tokenizer) -> Message:
    """Find the words of a short message, which is taken as a whole."""
    places = [place for sentence in _places(text, tokenizer) for place in sentence]
    return Message(text, tuple(places))


def sentences_of_text(text: str, tokenizer: Tokenizer) -> list[Message]:
    """Find the sentences of a text and their words; each sentence is a message in the same text."""
    return [Message(text, tuple(sentence)) for sentence in _places(text, tokenizer)]


def _places(text: str, tokenizer: Tokenizer) -> list[list[Place]]:
    sentences = [
        [place for token in sentence for place in token] for sentence in tokenizer.split(text)
    ]
    return kept_whole(sentences, [match.span() for match in WHOLE.finditer(text)])


def kept_whole(sentences: Sequence[Sequence[Place]], whole: Sequence[Place]) -> list[list[Place]]:
    """Join words and sentences that part a stretch of text which shall be one word.

    Examples
    --------
    >>> kept_whole([[(0, 1), (1, 6), (6, 7)], [(8, 10)]], [(0, 6)])
    [[(0, 6), (6, 7)], [(8, 10)]]
    """
    made: list[list[Place]] = []
    rest = iter(whole)
    next_start, next_end = next(rest, (len_of(sentences), 0))
    done = 0  # everything before it has a word
    for sentence in sentences:
        if sentence[0][0] >= done:  # or else it begins within a word of the one before
            made.append([])
        words = made[-1]
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
    return made


def len_of(sentences: Sequence[Sequence[Place]]) -> int:
    """Say where the last word ends."""
    return sentences[-1][-1][1] if sentences else 0
