"""How far identical names agree in the gold labels: what patterns of identical phrases can gain.

Two messages are in one group if they share more than `threshold` words; common words, which are
mostly outside of entities, count only if `all_words`. Pairs are two occurrences of a capitalized
word in a group (neighboring ones if there are more than four).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise

from research.report import Run
from treaty.label import group_messages
from treaty.text import ColumnSentence


def common_words(messages: Sequence[ColumnSentence], least: int = 3) -> frozenset[str]:
    """Words that occur several times, and mostly outside of entities."""
    counts = Counter(
        (word.lower(), label == "O")
        for message in messages
        for word, label in zip(message.words, message.labels, strict=True)
    )
    return frozenset(
        word
        for (word, outside), count in counts.items()
        if outside and count >= max(least, counts[word, False] + 1)
    )


def agreement(messages: Sequence[ColumnSentence], threshold: int, *, all_words: bool) -> Run:
    """Count pairs of identical names, and those whose types of entity are equal."""
    common = common_words(messages)
    words = [message.words for message in messages]
    stop_words = frozenset() if all_words else common
    groups = group_messages(words, stop_words=stop_words, threshold=threshold, most=128)
    pairs = [pair for group in groups for pair in _type_pairs([messages[i] for i in group], common)]
    named = [pair for pair in pairs if any(pair)]
    return {
        "joined": sum(len(group) for group in groups if len(group) > 1) / len(messages),
        "messages": len(messages),
        "pairs": len(pairs),
        "agree": sum(a == b for a, b in pairs) / max(len(pairs), 1),
        "named pairs": len(named),
        "named agree": sum(a == b for a, b in named) / max(len(named), 1),
    }


def _type_pairs(
    messages: Sequence[ColumnSentence], common: frozenset[str]
) -> list[tuple[str, str]]:
    """The types of entity ("" outside) of both words of each pair."""
    places: dict[str, list[str]] = defaultdict(list)
    for message in messages:
        for word, label in zip(message.words, message.labels, strict=True):
            if word[0].isupper() and word.lower() not in common:
                places[word.lower()].append(label.partition("-")[2])
    return [
        pair
        for types in places.values()
        for pair in (combinations(types, 2) if len(types) <= 4 else pairwise(types))
    ]
