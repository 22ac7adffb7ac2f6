"""Threads of posts with the dependencies between posts, in JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from treaty._streams import writing
from treaty.errors import InputError
from treaty.text._lines import Fault, Lines
from treaty.text._records import checked, identity, object_of, optional, records_of, shown
from treaty.text.formats._format import Format

__all__ = ["THREADS", "Link", "Post", "Thread", "read_threads", "write_threads"]


class Link(NamedTuple):
    """A post that depends on another: it answers, continues or comments on it.

    Both are indices in the thread, from 0. The label is the kind of dependency, if known.
    """

    source: int
    target: int
    label: str = ""


@dataclass(slots=True)
class Post:
    """A post of a thread.

    Attributes
    ----------
    text, author
        Text and author; the author is empty for lines without one, such as those of a chat server.
    id, time
        As read; ``"17:05"`` and ISO 8601 are recognized as times.
    more
        All other fields that were read; they are written back.
    """

    text: str
    author: str = ""
    id: str | int | None = None
    time: str | None = None
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Thread:
    """Posts in chronological order, with the links between them.

    Attributes
    ----------
    posts, links
        The posts, and the dependencies between them.
    id, source
        The id of the thread, and where it comes from.
    annotated_from
        Index of the first annotated post; those before it are context and have no links.
    starts
        Posts known to depend on no other.
    more
        All other fields that were read; they are written back.

    Examples
    --------
    >>> thread = Thread([Post("Any sheep?", "Ann"), Post("No.", "Bob")], [Link(1, 0)])
    >>> thread.posts[thread.links[0].target].text
    'Any sheep?'
    """

    posts: list[Post]
    links: list[Link] = field(default_factory=list)
    id: str | int | None = None
    source: str | None = None
    annotated_from: int = 0
    starts: list[int] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of posts."""
        return len(self.posts)

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, for JSON.

        Examples
        --------
        >>> Thread([Post("Tea?"), Post("Yes!")], [Link(1, 0)]).to_dict()["links"]
        [[1, 0]]
        """
        named = {
            "id": self.id,
            "source": self.source,
            "annotated_from": self.annotated_from or None,
            "posts": [_post_record(post) for post in self.posts],
            "starts": self.starts or None,
            "links": [list(link if link.label else link[:2]) for link in self.links],
        }
        return {name: value for name, value in named.items() if value is not None} | self.more

    def to_json(self) -> str:
        r"""Write the thread as one line, with a final line feed.

        Examples
        --------
        >>> Thread([Post("Hush!", "Ann")]).to_json()
        '{"posts":[{"author":"Ann","text":"Hush!"}],"links":[]}\n'
        """
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read_threads(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Thread]:
    r"""Read threads one at a time, however large the file is.

    Every line is an object with ``posts``, a list of objects with a ``text`` and, usually, an
    ``author``; ``links`` is a list of ``[source, target]`` or ``[source, target, label]``.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    on_error
        Called with the error of an invalid thread; the thread is skipped and reading continues. By
        default the error is raised.

    Raises
    ------
    InputError
        With file, line, cause and the offending text.

    Examples
    --------
    >>> import io
    >>> line = '{"posts": [{"text": "Tea?"}, {"text": "Yes!"}], "links": [[1, 0]]}'
    >>> [(len(thread), thread.links) for thread in read_threads(io.StringIO(line))]
    [(2, [Link(source=1, target=0, label='')])]
    """
    return records_of(Lines(origin), _thread, on_error)


def write_threads(threads: Iterable[Thread], target: str | Path | IO[str]) -> None:
    """Write threads as they arrive.

    Parameters
    ----------
    threads
        The threads, possibly from a generator.
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
        The file replaces an existing one only after all threads are written.

    Examples
    --------
    >>> import sys
    >>> write_threads([Thread([Post("Tea?"), Post("Yes!")], [Link(1, 0)])], sys.stdout)
    {"posts":[{"author":"","text":"Tea?"},{"author":"","text":"Yes!"}],"links":[[1,0]]}
    """
    with writing(target) as write:
        for thread in threads:
            write(thread.to_json())


def _post_record(post: Post) -> dict[str, Any]:
    named = {"id": post.id, "author": post.author, "time": post.time, "text": post.text}
    return {name: value for name, value in named.items() if value is not None} | post.more


def _thread(line: str) -> Thread:
    rest = object_of(line)
    if "posts" not in rest:
        raise Fault("the thread has no 'posts'", line)
    posts = [_post(p, n) for n, p in enumerate(checked(rest.pop("posts"), list, "posts"))]
    links = checked(rest.pop("links", []), list, "links")
    starts = checked(rest.pop("starts", []), list, "starts")
    return Thread(
        posts,
        [_link(link, len(posts)) for link in links],
        id=identity(rest, "id of the thread"),
        source=optional(rest, "source", "source"),
        annotated_from=_place(rest.pop("annotated_from", 0), len(posts) + 1, "annotated_from"),
        starts=[_place(start, len(posts), "starts") for start in starts],
        more=rest,
    )


def _post(value: object, number: int) -> Post:
    rest = dict(checked(value, dict, f"post {number}"))
    if "text" not in rest:
        raise Fault(f"post {number} has no 'text'", shown(value))
    text = checked(rest.pop("text"), str, f"text of post {number}")
    author = optional(rest, "author", f"author of post {number}") or ""
    named = identity(rest, f"id of post {number}")
    return Post(text, author, named, optional(rest, "time", f"time of post {number}"), rest)


def _link(value: object, posts: int) -> Link:
    parts = checked(value, list, "a link")
    if len(parts) not in (2, 3):
        raise Fault("expected a link [source, target] or [source, target, label]", shown(value))
    source, target = (_place(part, posts, "a link") for part in parts[:2])
    if source == target:
        raise Fault(f"post {source} depends on itself", shown(value))
    return Link(source, target, checked(parts[2], str, "label of a link") if parts[2:] else "")


def _place(value: object, end: int, what: str) -> int:
    place = checked(value, int, what)
    if not 0 <= place < end:
        raise Fault(f"{what}: there is no post {place}; posts are numbered from 0", str(place))
    return place


THREADS = Format(
    "threads",
    "threads (JSON lines)",
    matches=lambda beginning: isinstance(beginning.record.get("posts"), list),
    cut="lines",
)
