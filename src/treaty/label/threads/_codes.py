"""Attributes of pairs of posts: small integers with names, which templates combine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._threads import check_stopped, checked
from treaty.label.threads._pairs import PairGrid, Piece
from treaty.label.threads._posts import NOBODY, QUESTION, UNKNOWN_TIME, PostTable
from treaty.label.threads._words import WordCounts, likeness

__all__ = ["CODES", "codes_of"]

Numbers = npt.NDArray[np.int64]
Codes = dict[str, npt.NDArray[np.uint64]]

DISTANCES = (2, 3, 4, 5, 6, 8, 11, 16, 26)
TURNS = (1, 2, 3, 4, 6, 9)
LENGTHS = (1, 2, 3, 4, 6, 9, 13, 21)
MINUTES = (1, 2, 3, 6, 11, 31)
SHARES = (0.001, 0.05, 0.1, 0.2, 0.35, 0.6)
COUNTS = (1, 2, 4)
DAY = 24 * 60


class _Pairs:
    """Pairs, and the posts they consist of."""

    def __init__(self, posts: PostTable, grid: PairGrid) -> None:
        self.posts, self.grid = posts, grid
        self.s, self.t = grid.source, grid.target
        self.same = posts.author[self.s] == posts.author[self.t]


def _bin(values: npt.NDArray[Any], limits: Sequence[float]) -> Numbers:
    return np.asarray(np.digitize(values, limits), np.int64)


def _flag(mask: npt.NDArray[Any]) -> Numbers:
    return np.asarray(mask, np.int64)


def _distance(p: _Pairs) -> Numbers:
    return _bin(p.s - p.t, DISTANCES)


def _turns(p: _Pairs) -> Numbers:
    return _bin(p.posts.turn[p.s] - p.posts.turn[p.t], TURNS)


def _same(p: _Pairs) -> Numbers:
    nobody = (p.posts.author[p.s] == NOBODY) | (p.posts.author[p.t] == NOBODY)
    return np.where(nobody, 2, p.same)


def _mention(p: _Pairs) -> Numbers:
    """3 if the source names the target's author at its start, 2 if later, 1 if it names another."""
    return _names(p.posts, p.s, p.posts.author[p.t])


def _mentioned(p: _Pairs) -> Numbers:
    """Compute the same with the target naming the source's author."""
    return _names(p.posts, p.t, p.posts.author[p.s])


def _names(posts: PostTable, post: Numbers, author: Numbers) -> Numbers:
    anywhere = (posts.mentions[post] == author[:, None]).any(axis=1)
    begins = posts.addressee[post] == author
    other = posts.addressee[post] != NOBODY
    return np.where(author == NOBODY, other, np.select([begins, anywhere, other], [3, 2, 1], 0))


def _addressee(p: _Pairs) -> Numbers:
    """1 if both start with the same name."""
    ours, theirs = p.posts.addressee[p.s], p.posts.addressee[p.t]
    return np.where((ours == NOBODY) | (theirs == NOBODY), 2, ours == theirs)


def _latest(p: _Pairs) -> Numbers:
    """1 if the target is its author's last post before the source."""
    return _flag(p.posts.next_same[p.t] >= p.s)


def _latest_question(p: _Pairs) -> Numbers:
    """1 if the target is a question, 2 if it is the last one before the source."""
    asks = p.posts.type[p.t] == QUESTION
    return np.where(asks, 1 + (p.posts.next_question[p.t] >= p.s), 0)


def _ends_turn(p: _Pairs) -> Numbers:
    """1 if the post after the target has another author."""
    after = np.minimum(p.t + 1, len(p.posts) - 1)
    return _flag(p.posts.turn[after] != p.posts.turn[p.t])


def _opens_turn(p: _Pairs) -> Numbers:
    """1 if the post before the source has another author, or there is none."""
    return _flag(p.posts.turn[p.s - 1] != p.posts.turn[p.s])


def _starts_turn(p: _Pairs) -> Numbers:
    """1 if the post before the target has another author, or there is none."""
    before = np.maximum(p.t - 1, 0)
    return _flag((p.posts.turn[before] != p.posts.turn[p.t]) | (p.t == before))


def _other_before(p: _Pairs) -> Numbers:
    """1 if the target is the last post before the source's turn."""
    one_turn = p.posts.turn[p.s] - p.posts.turn[p.t] == 1
    return _flag(one_turn & (_ends_turn(p) == 1))


def _own_between(p: _Pairs) -> Numbers:
    """Count the posts of the same author in between, if source and target have the same author."""
    between = p.posts.rank[p.s] - p.posts.rank[p.t]
    return np.where(p.same, _bin(between, DISTANCES) + 1, 0)


def _opening(p: _Pairs) -> Numbers:
    """1 if the target is the first post of the thread."""
    return _flag(np.isin(p.t, p.posts.begin[:-1]))


def _newcomer(p: _Pairs) -> Numbers:
    """1 if the source is its author's first post, 2 if the target is, 3 if both are."""
    return _flag(p.posts.rank[p.s] == 0) + 2 * _flag(p.posts.rank[p.t] == 0)


def _gap(p: _Pairs) -> Numbers:
    ours, theirs = p.posts.minute[p.s], p.posts.minute[p.t]
    gap = np.where(ours < theirs, ours - theirs + DAY, ours - theirs)  # past midnight
    unknown = (ours == UNKNOWN_TIME) | (theirs == UNKNOWN_TIME)
    return np.where(unknown, len(MINUTES) + 1, _bin(gap, MINUTES))


def _of_source(column: str) -> Callable[[_Pairs], npt.NDArray[np.generic]]:
    return lambda p: getattr(p.posts, column)[p.s]


def _of_target(column: str) -> Callable[[_Pairs], npt.NDArray[np.generic]]:
    return lambda p: getattr(p.posts, column)[p.t]


CODES: dict[str, Callable[[_Pairs], npt.NDArray[np.generic]]] = {
    "distance": _distance,
    "turns": _turns,
    "same": _same,
    "mention": _mention,
    "mentioned": _mentioned,
    "addressee": _addressee,
    "latest": _latest,
    "latest-question": _latest_question,
    "ends-turn": _ends_turn,
    "opens-turn": _opens_turn,
    "starts-turn": _starts_turn,
    "other-before": _other_before,
    "own-between": _own_between,
    "opening": _opening,
    "newcomer": _newcomer,
    "gap": _gap,
    "s.type": _of_source("type"),
    "t.type": _of_target("type"),
    "s.length": lambda p: _bin(p.posts.length[p.s], LENGTHS),
    "t.length": lambda p: _bin(p.posts.length[p.t], LENGTHS),
    "s.first": lambda p: p.posts.first[p.s, 0],
    "t.first": lambda p: p.posts.first[p.t, 0],
    "s.second": lambda p: p.posts.first[p.s, 1],
    "t.second": lambda p: p.posts.first[p.t, 1],
    "s.last": _of_source("last"),
    "t.last": _of_target("last"),
}
"""The codes of a pair, and the functions that compute them; `LIKENESS` lists further ones."""
LIKENESS = ("cosine", "overlap", "shared")


def codes_of(
    posts: PostTable, pieces: Sequence[Piece], grid: PairGrid, counts: WordCounts, window: int
) -> Codes:
    """Compute all codes of all pairs."""
    pairs = _Pairs(posts, grid)
    codes = {name: find(pairs).astype(np.uint64) for name, find in checked(CODES.items())}
    alike = np.zeros((len(LIKENESS), len(grid)), np.int64)
    for number, piece in enumerate(pieces):
        check_stopped()
        part = slice(*grid.begin[number : number + 2])
        low = posts.begin[piece.thread] + max(0, piece.start - window)
        high = posts.begin[piece.thread] + piece.stop
        cosine, overlap, shared = likeness(posts.words[low:high], counts)
        at = grid.source[part] - low, grid.target[part] - low
        alike[:, part] = (
            _bin(cosine[at], SHARES), _bin(overlap[at], SHARES), _bin(shared[at], COUNTS)
        )  # fmt: skip
    return codes | dict(zip(LIKENESS, alike.astype(np.uint64), strict=True))
