"""The text of a compressed sentence: spaces and capitals as they should be, and a full stop."""

from __future__ import annotations

from treaty.corpus._spaces import space_after
from treaty.summarize._marks import CLOSING, ENDS
from treaty.summarize._source import Bools, Source

__all__ = ["text_of_tokens"]

NO_SPACE_BEFORE = frozenset(",;:%)]}”»") | ENDS | {"''", "-RRB-", "’"}
NO_SPACE_AFTER = frozenset("([{“„«‘$£€") | {"``", "-LRB-"}


def text_of_tokens(source: Source, kept: Bools) -> str:
    """Write the tokens that are left of a sentence.

    What stood side by side is spaced as it was. The first letter is a capital, and if no mark ends
    the sentence, a full stop does.

    Parameters
    ----------
    source
        The sentence.
    kept
        Which of its tokens are kept, punctuation included (`with_marks`).

    Examples
    --------
    >>> import numpy as np
    >>> from treaty.corpus import Sentence
    >>> source = Source(0, 0, Sentence.from_words(["Sadly", "it", "rained"]))
    >>> text_of_tokens(source, np.array([False, True, True]))
    'It rained.'
    """
    text, previous_end = "", -1
    previous_form, previous_space = "", False
    for begin, end, form, space in _surface(source):
        if not kept[begin:end].any():
            continue
        if text:
            beside = begin == previous_end
            is_spaced = previous_space if beside else _is_spaced(previous_form, form)
            text += " " if is_spaced else ""
        text += form
        previous_end, previous_form, previous_space = end, form, space
    return _ended(_capitalised(text))


def _surface(source: Source) -> list[tuple[int, int, str, bool]]:
    """List the words of the text: their tokens, what they look like, whether a space follows."""
    several = {word.first - 1: word.last for word in source.sentence.multiword_tokens}
    found, begin = [], 0
    for form, misc in source.sentence.surface():
        end = several.get(begin, begin + 1)
        found.append((begin, end, form, bool(space_after(misc))))
        begin = end
    return found


def _is_spaced(before: str, after: str) -> bool:
    """Tell whether a space parts two tokens that did not stand side by side."""
    return after not in NO_SPACE_BEFORE and before not in NO_SPACE_AFTER


def _capitalised(text: str) -> str:
    for place, character in enumerate(text):
        if character.isalnum():
            return text[:place] + character.upper() + text[place + 1 :]
    return text


def _ended(text: str) -> str:
    """Add a full stop, unless there is a mark at the end, or right before closing ones."""
    bare = text.rstrip("".join(mark for mark in CLOSING if len(mark) == 1) + " ")
    is_ended = not text or any(bare.endswith(mark) for mark in ENDS)
    return text if is_ended else text + "."
