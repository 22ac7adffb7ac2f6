"""Entities as in Qian & Liu (2014), section 4.1: their groups, patterns, learner and taggers.

The library's labeler differs: its chain is trained by likelihood, and the rewards of identical
phrases are set, not learned. Here all weights are learned jointly by the averaged perceptron.

- Messages that share more than four words are in one group (single linkage). All words count but
  those of more than 256 messages, and no group has more than `most` messages, or function words
  would join nearly all messages.
- Any two identical phrases of a group, of up to `longest` words, are a factor over the words of
  both. It has one binary feature, which is true if both have the same label sequence: its patterns
  are twice the same sequence, for all that occur in the training data, and they have one weight,
  for each length of phrases. Of a phrase with more than `most_all` occurrences only neighboring
  ones are joined.
- Tags of a second tagger and labels of two other labelers are features, if there are such models.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.label import EntityLabeler, Instances, PatternCrf, PatternKind, group_messages
from treaty.label.entities import PhrasePair
from treaty.text import ColumnSentence, convert_labels

SHARED_WORDS = 4
EPOCHS = 5
"""The paper has ten."""
Words = Sequence[str]
Local = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]
Columns = Sequence[Sequence[str]]
"""Of one message: for each other model, its label of every word."""


@dataclass(frozen=True)
class Setting:
    """How groups and phrases are made; see above."""

    most: int = 128
    longest: int = 2
    most_all: int = 4
    epochs: int = EPOCHS


class Pair(PhrasePair):
    """Two occurrences of a phrase in a group, which have the paper's one feature."""

    def features(self, words: Words) -> list[int]:
        """Hash it: the first of the library's features of a pair, which is a constant."""
        return super().features(words)[:1]


def pairs_of(messages: Iterable[Words], setting: Setting) -> list[Pair]:
    """Pair the occurrences of every phrase of a group, whatever its words are."""
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    begin = 0
    for words in messages:
        lower = [word.lower() for word in words]
        for start in range(len(words)):
            for end in range(start + 1, min(start + setting.longest, len(words)) + 1):
                places[tuple(lower[start:end])].append(begin + start)
        begin += len(words)
    found = []
    for phrase, at in places.items():
        pairs = combinations(at, 2) if len(at) <= setting.most_all else pairwise(at)
        found += [Pair(a, b, len(phrase)) for a, b in pairs if a + len(phrase) <= b]
    return found


def phrase_kinds(gold: Iterable[Sequence[int]], longest: int) -> list[PatternKind]:
    """The patterns c[s]: every label sequence that occurs in training data, twice the same.

    They are those of one binary feature, so they have the same weight.
    """
    seen: list[set[tuple[int, ...]]] = [set() for _ in range(longest)]
    for row in gold:
        for length in range(1, longest + 1):
            seen[length - 1] |= {
                tuple(row[at : at + length]) for at in range(len(row) - length + 1)
            }
    return [
        PatternKind(
            f"same{length}", tuple((*labels, *labels) for labels in sorted(found)), tied=True
        )
        for length, found in enumerate(seen, start=1)
        if found
    ]


class PaperLabeler:
    """A general CRF over groups of messages, with the local features of a chain.

    Parameters
    ----------
    chain
        A chain that was trained on the same messages; its features are used.
    train
        The messages to learn from.
    columns
        The labels of other models, by message; see `Columns`.
    known
        Features of messages that were read already; others are added.
    """

    def __init__(
        self,
        chain: EntityLabeler,
        train: Sequence[ColumnSentence],
        columns: Sequence[Columns] | None = None,
        setting: Setting | None = None,
        known: dict[Any, Local] | None = None,
    ) -> None:
        self.known = {} if known is None else known
        self.chain, self.setting = chain, setting or Setting()
        self.number = {label: i for i, label in enumerate(chain.labels)}
        self.gold = [self.numbers(message) for message in train]
        self.train_words = [message.words for message in train]
        self.train_columns = columns
        longest = self.setting.longest
        self.kinds = [*chain.crf.kinds, *phrase_kinds(self.gold, longest)]
        self.crf = PatternCrf(chain.labels, self.kinds)

    def numbers(self, message: ColumnSentence) -> list[int]:
        """Return the gold labels of a message in the scheme of the chain."""
        return [self.number[label] for label in convert_labels(message.labels, "BIESO")]

    def groups(self, messages: Sequence[Words], *, joined: bool = True) -> list[list[int]]:
        """Group messages that share more than four words; without joining, each is alone."""
        if not joined:
            return [[i] for i in range(len(messages))]
        return group_messages(messages, threshold=SHARED_WORDS, most=self.setting.most)

    def instances(
        self,
        messages: Sequence[Words],
        groups: Sequence[Sequence[int]],
        columns: Sequence[Columns] | None,
        *,
        joined: bool = True,
    ) -> Instances:
        """Make the instances of groups; without joining, chains only."""
        local = self.local(messages)
        if columns is not None:
            local = with_columns(*local, columns)
        pairs = None
        if joined:
            known = {kind.name for kind in self.kinds}
            pairs = [
                [p for p in pairs_of([messages[i] for i in group], self.setting)
                 if f"same{p.length}" in known]
                for group in groups
            ]  # fmt: skip
        return self.chain.features.instances(messages, groups, self.kinds, pairs, local)

    def local(self, messages: Sequence[Words]) -> Local:
        """Read the features of the chain, once for the labelers that share it."""
        key = tuple(map(tuple, messages))
        if key not in self.known:
            self.known[key] = self.chain.features.local(messages)
        return self.known[key]

    def learn(self, decoder: str, limits: dict[str, object], seed: int, *, joined: bool) -> None:
        """Train all weights jointly by the averaged perceptron."""
        groups = self.groups(self.train_words, joined=joined)
        instances = self.instances(self.train_words, groups, self.train_columns, joined=joined)
        flat = [label for group in groups for i in group for label in self.gold[i]]
        self.crf.train(
            instances, flat, learner="perceptron", epochs=self.setting.epochs, seed=seed,
            decoder=decoder, limits=limits,
        )  # fmt: skip


def with_columns(
    features: npt.NDArray[np.uint64],
    begin: npt.NDArray[np.int64],
    columns: Sequence[Columns],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Add the labels that other models give to a word and its neighbors to its features."""
    rows: list[list[int]] = []
    for message in columns:
        size = len(message[0])
        for at in range(size):
            own = []
            for which, labels in enumerate(message):
                window = [labels[i] if 0 <= i < size else "" for i in (at - 1, at, at + 1)]
                own += [_hash(f"{which} {n} {label}") for n, label in enumerate(window)]
                own += [_hash(f"{which} {' '.join(window[:2])}"), _hash(f"{which} | {window[1:]}")]
            rows.append(own)
    extra = np.array(rows, np.uint64).reshape(len(rows), -1)
    width = extra.shape[1]
    joined = np.empty(len(features) + extra.size, np.uint64)
    moved = begin + width * np.arange(len(begin))
    for row, (a, b) in enumerate(pairwise(begin.tolist())):
        joined[moved[row] : moved[row] + b - a] = features[a:b]
        joined[moved[row] + b - a : moved[row + 1]] = extra[row]
    return joined, moved


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
