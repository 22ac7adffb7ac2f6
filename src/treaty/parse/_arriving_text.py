"""A text that arrives bit by bit, in pieces that end with a sentence as soon as that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from treaty.errors import InputError
from treaty.text import Sentence, text_of
from treaty.text._lines import Lines, pieces_of

__all__ = ["arriving_texts"]


def arriving_texts(
    origin: Any,
    find: Callable[[str], list[Sentence]],
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[str]:
    """Read live input in pieces; joined they are the text, with LF for CRLF.

    Without pauses the pieces are paragraphs, as those of `treaty.text.read_paragraphs`. At a
    pause, a piece has all sentences but the last, which may go on; or the last, too, if the text
    ends with a line and nothing came for a while.

    Parameters
    ----------
    origin
        A `treaty._live.LiveInput`.
    find
        Splits a text into sentences.
    on_error
        As in `read_paragraphs`.

    Returns
    -------
    iterator of str
        The pieces; and ``""`` at each pause.
    """
    lines = Lines(origin)

    def end_at_pause(text: str) -> int:
        is_done = origin.silent and not lines.is_within
        return len(text) if is_done else len(text_of(find(text)[:-1]))

    return pieces_of(lines, on_error, end_at_pause)
