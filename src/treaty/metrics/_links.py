"""Precision, recall and F1 of the links of threads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from treaty.errors import InputError
from treaty.metrics._counts import Retrieval, f1_sums
from treaty.metrics._significance import Comparison, Interval, compare, confidence_interval

if TYPE_CHECKING:
    from treaty.text import Thread

__all__ = ["LinkScores", "link_scores"]

WAY_OUT = "gold and system must have the same threads and posts"
DISTANCES = {"1": 1, "2 to 3": 3, "4 to 7": 7}


@dataclass(frozen=True, slots=True)
class LinkScores:
    """The result of `link_scores`.

    Parameters
    ----------
    links
        All links of all threads.
    by_distance
        Links by the number of posts from source to target; ``"forward"`` for links to later posts.
    by_thread
        The counts of each thread.
    """

    links: Retrieval
    by_distance: dict[str, Retrieval]
    by_thread: tuple[Retrieval, ...]

    def interval(self, *, level: float = 0.95, samples: int = 2000, seed: int = 0) -> Interval:
        """Compute a confidence interval of F1 by bootstrap over threads.

        See `confidence_interval` for the parameters.
        """
        doubled, total = f1_sums(self.by_thread)
        return confidence_interval(doubled, total, level=level, samples=samples, seed=seed)

    def compare(
        self, other: LinkScores, *, level: float = 0.95, samples: int = 2000, seed: int = 0
    ) -> Comparison:
        """Compare F1 with that of another system on the same threads."""
        ours, total = f1_sums(self.by_thread)
        theirs, other_total = f1_sums(other.by_thread)
        return compare(
            ours, theirs, total, second_total=other_total, level=level, samples=samples, seed=seed
        )


def link_scores(gold: Iterable[Thread], system: Iterable[Thread]) -> LinkScores:
    """Score the links of threads; labels are ignored.

    Parameters
    ----------
    gold, system
        The same threads, with the gold links and with the system's. Links of posts before
        ``annotated_from`` are not scored.

    Raises
    ------
    InputError
        When the posts differ, with the thread.

    Examples
    --------
    >>> from treaty.text import Link, Post, Thread
    >>> posts = [Post("Tea?"), Post("Yes!"), Post("No!")]
    >>> gold = Thread(posts, [Link(1, 0), Link(2, 0)])
    >>> scores = link_scores([gold], [Thread(posts, [Link(1, 0), Link(2, 1)])])
    >>> scores.links
    Retrieval(correct=1, gold=2, system=2)
    >>> scores.by_distance["2 to 3"].recall
    0.0
    """
    names = [*DISTANCES, "8 and more", "forward"]
    counts = {name: [0, 0, 0] for name in names}
    by_thread = []
    for number, (ours, theirs) in enumerate(zip_longest(gold, system), 1):
        _check(ours, theirs, number)
        right, found = _links(ours, ours.annotated_from), _links(theirs, ours.annotated_from)
        by_thread.append(Retrieval(len(right & found), len(right), len(found)))
        for place, links in enumerate((right & found, right, found)):
            for source, target in links:
                counts[_distance(source - target)][place] += 1
    total = (sum(column) for column in zip(*counts.values(), strict=True))
    return LinkScores(
        Retrieval(*total),
        {name: Retrieval(*three) for name, three in counts.items() if any(three)},
        tuple(by_thread),
    )


def _links(thread: Thread, start: int) -> set[tuple[int, int]]:
    return {(link.source, link.target) for link in thread.links if link.source >= start}


def _distance(posts: int) -> str:
    if posts < 0:
        return "forward"
    return next((name for name, most in DISTANCES.items() if posts <= most), "8 and more")


def _check(gold: Thread | None, system: Thread | None, number: int) -> None:
    if gold is None or system is None:
        shorter = "gold" if gold is None else "system"
        raise InputError(f"{shorter} ends before thread {number}: {WAY_OUT}")
    texts = [post.text for post in gold.posts]
    if texts != [post.text for post in system.posts]:
        name = f"thread {number}" + (f" ({gold.id})" if gold.id is not None else "")
        raise InputError(f"{name}: the posts differ: {WAY_OUT}")
