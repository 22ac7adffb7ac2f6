"""A text that arrives bit by bit, in pieces that end with a sentence as soon as that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from treaty.corpus import Sentence, text_of
from treaty.corpus._lines import MOST_IN_A_PARAGRAPH, PAUSE, Lines, sound_lines
from treaty.errors import InputError

__all__ = ["arriving_texts"]


def arriving_texts(
    origin: Any,
    find: Callable[[str], list[Sentence]],
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[str]:
    """Read live input in pieces; joined they are the text, with LF for CRLF.

    Without pauses the pieces are paragraphs, as those of `treaty.corpus.read_paragraphs`. At a
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

    Yields
    ------
    str
        The pieces; and ``""`` at each pause.
    """
    lines = Lines(origin)
    pending, size, is_blank = list[str](), 0, False
    for line in sound_lines(lines, on_error):
        if line is PAUSE:
            text = "".join(pending)
            is_done = origin.silent and not lines.is_within
            end = len(text) if is_done else len(text_of(find(text)[:-1]))
            if text[:end]:
                yield text[:end]
            yield ""
            pending, size = [text[end:]] if text[end:] else [], len(text) - end
            continue
        has_text = bool(line) and not line.isspace()
        if (has_text and is_blank) or size > MOST_IN_A_PARAGRAPH:
            yield "".join(pending)
            pending, size = [], 0
        pending.append(f"{line}\n" if lines.ended else line)
        size, is_blank = size + len(line) + 1, not has_text
    if pending:
        yield "".join(pending)
