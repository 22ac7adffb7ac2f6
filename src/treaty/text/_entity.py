"""Named entities in a text."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Entity"]


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity in a text.

    Parameters
    ----------
    type, text
        Its type and its text.
    start, end
        Its position in the text, in characters.
    first, last
        Index of its first and last word, from 0.
    confidence
        The probability of the label of its least certain word, None if not known.

    Examples
    --------
    >>> text = "Ada went home."
    >>> ada = Entity("PER", "Ada", start=0, end=3, first=0, last=0)
    >>> text[ada.start : ada.end], ada.confidence
    ('Ada', None)
    """

    type: str
    text: str
    start: int
    end: int
    first: int
    last: int
    confidence: float | None = None
