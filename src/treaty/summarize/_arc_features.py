"""Features of arcs that may be cut: Almeida & Martins (2013), section 3.5, and new ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.features import Sequences, template_features, text_hash
from treaty.features import Family, TemplateSet, attribute, compile_templates
from treaty.learn import Int, TaskWeights, check_ranges
from treaty.summarize._arc_columns import ARC_COLUMNS, arc_columns
from treaty.text import Sentence

__all__ = ["ARC_TEMPLATES", "EVENTS", "ArcFeatures", "ArcTable"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.uint32]
Weights = TaskWeights | npt.NDArray[np.floating[Any]]

FAMILY = Family("arc", ("m",), ())

ARC_TEMPLATES = TemplateSet.of("""
m.label                         # the paper's: the label alone, with the tags of both ends,
m.label m.htag
m.label m.tag
m.label m.htag m.tag
m.label m.hlabel                # with the label of the arc above;
m.function m.htag               # function words of verbs;
m.negated                       # negation in the subtree;
m.negated m.label
m.time                          # times, and prepositions to times
m.time m.label
m.time m.marker
m.label m.size                  # ours: how much would go,
m.label m.share
m.share m.depth
m.label m.size m.border
m.label m.kids
m.label m.side m.distance       # where it stands,
m.label m.place
m.label m.depth
m.label m.root m.depth
m.label m.length m.place
m.root m.place m.tag
m.label m.border
m.label m.border m.marker
m.label m.marker                # what introduces it,
m.label m.marker m.side
m.marker m.htag
m.marker m.hword
m.label m.hmarker
m.label m.before                # what stands beside it,
m.label m.after
m.label m.before m.after
m.label m.clause                # whether it could stand alone,
m.label m.clause m.hclause
m.label m.clause m.root
m.label m.names
m.path                          # what is above it,
m.path m.tag
m.path m.clause
m.label m.gtag m.htag
m.hword m.label
m.hword m.path
m.hword m.lower
m.lower                         # and its words
m.lower m.label
m.suffix3(lower) m.label
m.label m-1.tag
m.label m+1.tag
m.tag m-1.tag m+1.tag
m.tag m-1.lower
m.tag m+1.lower
m-1.lower m.lower
m.lower m+1.lower
m.lower m.root
""")

MOST_BITS = 24
EVENTS = {event: np.uint32(text_hash(event) >> 32) for event in ("cut", "lift", "keep")}
"""Events of a word: it is cut while its head stays, the reverse, or it stays. The features of each
are those of the arc with some hash bits flipped."""


@dataclass(frozen=True)
class ArcTable:
    """The arcs of concatenated sentences, with hashed features.

    Attributes
    ----------
    begin
        Start of the words of each sentence, and the end of the last.
    head
        The head of each word, as an index among all words; -1 for the dummy symbol.
    places
        Indices of features: a row per word, a column per template.
    bits
        Indices are less than ``2**bits``.
    """

    begin: npt.NDArray[np.int64]
    head: npt.NDArray[np.int32]
    places: Places
    bits: int

    def __len__(self) -> int:
        return len(self.begin) - 1

    def of_event(self, event: str, words: npt.NDArray[np.generic] | slice = slice(None)) -> Places:
        """Return the features of words for an event."""
        return self.places[words] ^ (EVENTS[event] >> np.uint32(32 - self.bits))

    def scores(self, weights: Weights, event: str) -> Floats:
        """Score the event for every word."""
        return np.asarray(weights[self.of_event(event)].sum(axis=1), np.float64)

    def sentences(self, numbers: npt.NDArray[np.integer]) -> ArcTable:
        """Select some of the sentences."""
        words, begin = self.words_of(numbers)
        moved = begin[:-1] - self.begin[numbers]
        head = self.head[words]
        shift = np.repeat(moved, np.diff(begin)).astype(np.int32)
        return ArcTable(
            begin, np.where(head < 0, head, head + shift), self.places[words], self.bits
        )

    def words_of(
        self, numbers: npt.NDArray[np.integer]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the indices of the words of some sentences, and the start of each sentence."""
        first, last = self.begin[numbers], self.begin[np.asarray(numbers) + 1]
        begin = np.concatenate([[0], np.cumsum(last - first)])
        return np.arange(begin[-1]) + np.repeat(first - begin[:-1], last - first), begin


class ArcFeatures:
    """Extractor of hashed features of the arcs of parsed sentences.

    Parameters
    ----------
    templates
        The feature templates.
    bits
        Base-2 logarithm of the number of features.
    """

    def __init__(self, templates: TemplateSet = ARC_TEMPLATES, bits: int = 18) -> None:
        check_ranges({"bits": bits}, {"bits": Int(1, MOST_BITS)})
        self.templates, self.bits = templates, bits
        names = templates.attributes()
        self._attributes = [attribute(name, ARC_COLUMNS) for name in names]
        self._compiled = compile_templates(FAMILY, templates, names)

    def __call__(self, sentences: Sequence[Sentence]) -> ArcTable:
        """Hash the features of all arcs."""
        sequences = Sequences(self._attributes)
        heads: list[int] = []
        begin = list(accumulate(map(len, sentences), initial=0))
        for sentence, first in zip(sentences, begin, strict=False):
            sequences.add(arc_columns(sentence))
            heads += [head - 1 + first if head > 0 else -1 for head in sentence.heads]
        hashes = template_features(sequences, self._compiled).reshape(-1, len(self._compiled))
        places = (hashes >> np.uint64(64 - self.bits)).astype(np.uint32)
        return ArcTable(np.array(begin, np.int64), np.array(heads, np.int32), places, self.bits)
