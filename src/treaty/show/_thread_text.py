"""Threads as text: a line per post, with the posts it depends on in front."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from treaty.show._arcs import certificate_line, shown

if TYPE_CHECKING:
    from treaty.solve import Certificate
    from treaty.text import Thread

__all__ = ["thread_text"]

LONGEST_NAME = 16
LONGEST = 400  # characters of a post that are shown


def thread_text(
    thread: Thread, *, certificate: Certificate | None = None, encoding: str = "utf-8"
) -> str:
    r"""Write a thread for a terminal.

    Parameters
    ----------
    thread
        The thread.
    certificate
        Its certificate, to be shown in the last line.
    encoding
        Encoding of the terminal; other characters are replaced.

    Examples
    --------
    >>> from treaty.text import Link, Post, Thread
    >>> thread = Thread([Post("Tea?", "Ann"), Post("Yes!", "Bob")], [Link(1, 0)])
    >>> print(thread_text(thread), end="")
    0       Ann  Tea?
    1 -> 0  Bob  Yes!
    """
    targets = defaultdict[int, list[int]](list)
    for link in thread.links:
        targets[link.source].append(link.target)
    rows = [
        (_place(number, targets[number]), shown(post.author or "-", LONGEST_NAME), post.text)
        for number, post in enumerate(thread.posts)
    ]
    places = max((len(place) for place, _, _ in rows), default=0)
    names = max((len(name) for _, name, _ in rows), default=0)
    lines = [
        f"{place:<{places}}  {name:<{names}}  {shown(' '.join(text.split()), LONGEST)}".rstrip()
        for place, name, text in rows
    ]
    if certificate is not None:
        lines.append(certificate_line(certificate))
    text = "".join(f"{line}\n" for line in lines)
    return text.encode(encoding, "replace").decode(encoding)


def _place(number: int, targets: list[int]) -> str:
    return f"{number} -> {', '.join(map(str, sorted(targets)))}" if targets else str(number)
