"""Mailboxes: e-mails one after the other in a file (mbox)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treaty._streams import Origin
from treaty.text._lines import PAUSE, Lines
from treaty.text.formats._format import Beginning, Format

__all__ = ["MBOX", "mails_of"]

FIRST = re.compile(r"From \S+.*\b\d\d:\d\d(:\d\d)?\b.*\b\d{4}\b")
"""The line before each mail: a sender, and when the mail came."""
HEADER = re.compile(r"[!-9;-~]+:")
QUOTED = re.compile(r">+From ")
"""How lines are written that begin with the word From (mboxrd)."""


def mails_of(origin: Origin) -> Iterator[str]:
    r"""Read the mails of a mailbox one at a time, as they are written.

    Bytes that are not UTF-8 become surrogates, as in `email_text`.

    Examples
    --------
    >>> import io
    >>> first = "From a@b.c Mon Mar  4 10:00:00 2024\n"
    >>> box = f"{first}Subject: Rain\n\nIt rained.\n>From noon on.\n\n{first}\nIt snowed.\n"
    >>> list(mails_of(io.StringIO(box)))
    ['Subject: Rain\n\nIt rained.\nFrom noon on.\n', '\nIt snowed.']
    """
    mail: list[str] | None = None
    for line in Lines(origin):
        if line is PAUSE:
            continue
        if (mail is None or not mail or not mail[-1]) and FIRST.match(line):
            if mail is not None:
                yield _joined(mail)
            mail = []
        elif mail is not None:
            mail.append(line[1:] if QUOTED.match(line) else line)
        elif line.strip():  # no mailbox, or its first line is lost: all is one mail
            mail = [line]
    if mail is not None:
        yield _joined(mail)


def _joined(lines: list[str]) -> str:
    """Join the lines of a mail; a blank line before the next one is no part of it."""
    return "\n".join(lines).replace("\0", "")


def _matches(beginning: Beginning) -> bool:
    lines = beginning.text.split("\n", 2)
    if not FIRST.match(lines[0]):
        return False
    return len(lines) == 1 or HEADER.match(lines[1]) is not None or not lines[1].strip()


MBOX = Format(
    "mbox",
    "a mailbox (mbox)",
    suffixes=(".mbox", ".mbx"),
    media_types=("application/mbox",),
    matches=_matches,
)
