"""Attributes of single posts: author, time, addressee and type, for many threads at once.

Posts of all threads are concatenated, so numpy can process all pairs at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import chain

import numpy as np
import numpy.typing as npt

from treaty._native.features import text_hash
from treaty._threads import check_stopped, checked
from treaty.label.threads._cues import TYPES, type_of, words_of
from treaty.text import Post, Thread

__all__ = ["PostTable"]

Numbers = npt.NDArray[np.int64]

NOBODY = 0
MOST_MENTIONS = 4
"""Maximum number of authors mentioned in a post."""
MOST_TEXT = 1024
"""Number of characters of a post that are searched for names."""
SHORTEST_NAME = 3
"""Minimum number of letters of a mention of a name, unless it is the whole name."""
CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
UNKNOWN_TIME = -1
QUESTION = TYPES.index("question")
NO_WORD = text_hash("")


class PostTable:
    """The posts of some threads, as numeric columns.

    Attributes
    ----------
    begin
        The first post of each thread, and the total number.
    words
        The words of each post, in lower case.
    author
        Author numbers, from 1 in each thread; `NOBODY` for lines without one.
    addressee, mentions
        The author named at the start of a post, and those named anywhere.
    minute
        Time of writing, or `UNKNOWN_TIME`.
    type, length
        An index into `TYPES`; the number of words.
    first, last
        Hashes of its first two words, and of its last one.
    turn, rank
        The number of earlier changes of author, and of earlier posts of the same author.
    next_same, next_question
        The next post of the same author, the next question; beyond the last post if there is none.
    """

    def __init__(self, threads: Sequence[Thread]) -> None:
        posts = list(chain.from_iterable(thread.posts for thread in threads))
        sizes = [len(thread) for thread in threads]
        self.begin = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
        self.words = [words_of(post.text) for post in checked(posts)]
        self.author, self.addressee, self.mentions = _people(threads)
        self.minute = _numbers(_minute(post) for post in posts)
        self.type = _numbers(type_of(words) for words in self.words)
        self.length = _numbers(map(len, self.words))
        hashes = {word: text_hash(word) for word in set(chain.from_iterable(self.words))}
        self.first = _hashes(self.words, hashes, (0, 1))
        self.last = _hashes(self.words, hashes, (-1,))[:, 0]
        self._count_turns()
        self.next_same = self._next(self.author)
        question = self.type == QUESTION
        self.next_question = np.where(question, self._next(question), len(posts))

    def __len__(self) -> int:
        return len(self.words)

    def _count_turns(self) -> None:
        changes = np.ones(len(self), np.int64)
        changes[1:] = self.author[1:] != self.author[:-1]
        changes[self.begin[:-1][self.begin[:-1] < len(self)]] = 1
        self.turn = np.cumsum(changes)
        order = self._by_thread_and(self.author)
        heads = np.flatnonzero(self._is_new(order, self.author))
        sizes = np.diff(np.append(heads, len(self)))
        self.rank = np.empty(len(self), np.int64)
        self.rank[order] = np.arange(len(self)) - np.repeat(heads, sizes)

    def _next(self, key: npt.NDArray[np.generic]) -> Numbers:
        """Find the next post of the same thread with the same key, for each post."""
        order = self._by_thread_and(key)
        found = np.full(len(self), len(self), np.int64)
        found[order[:-1]] = np.where(self._is_new(order, key)[1:], len(self), order[1:])
        return found

    def _by_thread_and(self, key: npt.NDArray[np.generic]) -> Numbers:
        return np.lexsort((key, self._thread()))

    def _is_new(self, order: Numbers, key: npt.NDArray[np.generic]) -> npt.NDArray[np.bool_]:
        thread, sorted_key = self._thread()[order], key[order]
        new = np.ones(len(order), bool)
        new[1:] = (thread[1:] != thread[:-1]) | (sorted_key[1:] != sorted_key[:-1])
        return new

    def _thread(self) -> Numbers:
        return np.repeat(np.arange(len(self.begin) - 1), np.diff(self.begin))


def _numbers(values: Iterable[int]) -> Numbers:
    return np.fromiter(values, np.int64)


def _hashes(
    posts: Sequence[Sequence[str]], hashes: dict[str, int], places: Sequence[int]
) -> npt.NDArray[np.uint64]:
    found = [
        [hashes[words[place]] if -len(words) <= place < len(words) else NO_WORD for place in places]
        for words in posts
    ]
    return np.array(found, np.uint64).reshape(len(posts), len(places))


def _people(threads: Sequence[Thread]) -> tuple[Numbers, Numbers, Numbers]:
    """Assign numbers to the authors of each thread, and find those that posts name."""
    authors: list[int] = []
    addressees: list[int] = []
    mentions: list[list[int]] = []
    for thread in threads:
        names = dict.fromkeys(name for post in thread.posts if (name := _name(post)))
        numbers = {"": NOBODY} | {name: number for number, name in enumerate(names, 1)}
        known = _nicknames(numbers)
        for post in thread.posts:
            check_stopped()
            said = [known.get(part.strip(":;,.!?@<>()").lower(), NOBODY) for part in _parts(post)]
            own = numbers[_name(post)]
            named = [n for n in dict.fromkeys(said) if n not in (NOBODY, own)]
            authors.append(own)
            addressees.append(said[0] if said and said[0] != own else NOBODY)
            mentions.append([*named, *[NOBODY] * MOST_MENTIONS][:MOST_MENTIONS])
    flat = np.array(mentions, np.int64).reshape(len(authors), MOST_MENTIONS)
    return np.array(authors, np.int64), np.array(addressees, np.int64), flat


def _name(post: Post) -> str:
    return post.author.strip().lower()


def _parts(post: Post) -> list[str]:
    return post.text[:MOST_TEXT].split()


def _nicknames(numbers: dict[str, int]) -> dict[str, int]:
    """List the possible names of authors: the whole name, its parts, and its prefixes."""
    known: dict[str, int] = {}
    for name, number in numbers.items():
        for part in name.split():
            for size in range(max(SHORTEST_NAME, (len(part) + 1) // 2), len(part)):
                known.setdefault(part[:size], number)
    for name, number in numbers.items():  # whole names take precedence over prefixes of others
        known |= dict.fromkeys(name.split(), number)
    return known


def _minute(post: Post) -> int:
    if post.time is None:
        return UNKNOWN_TIME
    if clock := CLOCK.fullmatch(post.time):
        return 60 * int(clock[1]) + int(clock[2])
    try:
        moment = datetime.fromisoformat(post.time)
        return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()) // 60
    except (ValueError, OverflowError):
        return UNKNOWN_TIME
