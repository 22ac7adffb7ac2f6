"""Typed facts about a sentence: in files they are comments, in between they are not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

__all__ = ["Annotations", "Part", "Quality"]

PART = re.compile(r"# part = ([1-9]\d{0,8}) of ([1-9]\d{0,8})")
PARTS = re.compile(r"# parts = ([1-9]\d{0,8})")
STATUS = re.compile(r"# entities_status = ([A-Z]+)")
GAP = re.compile(r"# entities_gap = (\S{1,30})")


class Part(NamedTuple):
    """The place of a sentence in a longer one that was cut.

    Attributes
    ----------
    number
        Its number, from 1.
    of
        The number of parts.
    """

    number: int
    of: int


class Judged(Protocol):
    """A judgment of an answer, such as a `treaty.solve.Certificate`."""

    @property
    def status(self) -> str: ...
    @property
    def gap(self) -> float: ...


class Quality(NamedTuple):
    """Quality of an answer: the part of its certificate that files have.

    Attributes
    ----------
    status, gap
        As in `treaty.solve.Certificate`; the gap has six digits behind the point.
    """

    status: str
    gap: float

    @classmethod
    def of(cls, certificate: Judged) -> Self:
        """Return what is written of a certificate.

        Examples
        --------
        >>> from treaty.solve import Certificate, Status
        >>> Quality.of(Certificate(Status.FRACTIONAL, 1.0, 1.25, 9))
        Quality(status='FRACTIONAL', gap=0.25)
        """
        return cls(str(certificate.status), float(f"{round(certificate.gap, 6):g}"))


@dataclass(frozen=True, slots=True)
class Annotations:
    """Facts about a sentence beside its tokens.

    Attributes
    ----------
    part
        Its place in a sentence that was too long and was cut; None if it is whole.
    parts
        The number of parts in which its tree was found; 0 if it was found as a whole.
    entities
        How good its entities are, if they were found by a model.

    Examples
    --------
    >>> Annotations(part=Part(1, 3)).comments()
    ['# part = 1 of 3']
    """

    part: Part | None = None
    parts: int = 0
    entities: Quality | None = None

    def comments(self) -> list[str]:
        """Return the comments of CoNLL-U that say the same."""
        lines = [] if self.part is None else [f"# part = {self.part.number} of {self.part.of}"]
        lines += [f"# parts = {self.parts}"] if self.parts else []
        if self.entities is not None:
            lines.append(f"# entities_status = {self.entities.status}")
            lines.append(f"# entities_gap = {self.entities.gap:g}")
        return lines

    @classmethod
    def of_comments(cls, comments: Iterable[str]) -> Annotations:
        """Read the facts that comments of CoNLL-U tell.

        Examples
        --------
        >>> Annotations.of_comments(["# text = Hush", "# parts = 2"])
        Annotations(part=None, parts=2, entities=None)
        """
        part, parts, status, gap = None, 0, "", math.nan
        for line in comments:
            if match := PART.fullmatch(line):
                part = Part(int(match[1]), int(match[2]))
            elif match := PARTS.fullmatch(line):
                parts = int(match[1])
            elif match := STATUS.fullmatch(line):
                status = match[1]
            elif match := GAP.fullmatch(line):
                gap = _number(match[1])
        known = Quality(status, gap) if status and not math.isnan(gap) else None
        return cls(part, parts, known)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
