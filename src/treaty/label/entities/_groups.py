"""Grouping of messages by single linkage on their common content words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from treaty._threads import check_stopped, checked
from treaty.errors import UsageError
from treaty.label.entities._words import is_content_word
from treaty.text import OUTSIDE, ColumnSentence

__all__ = ["common_words", "group_messages"]

MOST_MESSAGES = 256
"""Words that occur in more messages than this are ignored: they are not specific to a topic."""
Longs = npt.NDArray[np.int64]


def common_words(messages: Iterable[ColumnSentence], least: int = 3) -> frozenset[str]:
    """List the words that are not names: frequent, and mostly outside of entities.

    Examples
    --------
    >>> message = ColumnSentence([("The", "O"), ("sun", "O"), ("over", "O"), ("Rome", "B-LOC")])
    >>> sorted(common_words([message] * 3))
    ['over', 'sun', 'the']
    """
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for message in messages:
        for word, label in zip(message.words, message.labels, strict=True):
            (outside if label == OUTSIDE else inside)[word.lower()] += 1
    return frozenset(w for w, n in outside.items() if n >= least and n > inside[w])


def group_messages(
    messages: Sequence[Sequence[str]],
    *,
    stop_words: frozenset[str] = frozenset(),
    threshold: int = 4,
    most: int = 64,
) -> list[list[int]]:
    """Group messages by single linkage: two are linked if they share more than `threshold` words.

    Qian and Liu (2014, section 4.1.3) count all words. Function words then link nearly all messages
    into one giant group; so only content words count here (`is_content_word`): words and hash tags
    that are not in the list of common words, each once per message, ignoring case. Links are
    processed from the strongest on, and no group grows beyond `most` messages, so the most similar
    messages stay together.

    Parameters
    ----------
    messages
        The words of each message.
    stop_words
        Common words, in lower case; see `common_words`.
    threshold
        Messages that share more words than this are linked.
    most
        Maximum number of messages in a group.

    Returns
    -------
    list of list of int
        The messages of each group in order, and groups in the order of their first messages.

    Examples
    --------
    >>> messages = ["eclipse over Rome", "what a nice day", "Rome sees the eclipse"]
    >>> group_messages([text.split() for text in messages], threshold=1)
    [[0, 2], [1]]
    """
    if threshold < 0 or most < 1:
        raise UsageError(
            "threshold must be at least 0, and the number of messages of a group at least 1"
        )
    parent = list(range(len(messages)))
    size = [1] * len(messages)

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for i, j in _links(messages, stop_words, threshold):
        a, b = sorted((root(i), root(j)))
        if a != b and size[a] + size[b] <= most:
            parent[b] = a
            size[a] += size[b]
    groups: dict[int, list[int]] = defaultdict(list)
    for i in range(len(messages)):
        groups[root(i)].append(i)
    return list(groups.values())


def _links(
    messages: Sequence[Sequence[str]], stop_words: frozenset[str], threshold: int
) -> list[tuple[int, int]]:
    """List pairs of messages that share enough words, the strongest first."""
    having: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(checked(messages)):
        for word in {word.lower() for word in words if is_content_word(word, stop_words)}:
            having[word].append(number)
    count = len(messages)
    keys = [_pairs(np.array(ids, np.int64), count) for ids in having.values()
            if 1 < len(ids) <= MOST_MESSAGES]  # fmt: skip
    if not keys:
        return []
    check_stopped()
    pairs, shared = np.unique(np.concatenate(keys), return_counts=True)
    pairs, shared = pairs[shared > threshold], shared[shared > threshold]
    pairs = pairs[np.argsort(-shared, kind="stable")]
    return list(zip((pairs // count).tolist(), (pairs % count).tolist(), strict=True))


def _pairs(ids: Longs, count: int) -> Longs:
    """Encode every pair of these sorted ids as one number."""
    first, second = np.triu_indices(len(ids), 1)
    return ids[first] * count + ids[second]
