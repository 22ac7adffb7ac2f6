"""What words need beside them, counted in treebanks: frames of verbs, nouns and adjectives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treaty.learn import ModelFile
from treaty.text import Sentence

if TYPE_CHECKING:
    from treaty.summarize._arcs import Arcs

__all__ = ["Frames", "slot_of", "word_of"]

FEWEST = 4
"""Of a word that was seen less often, nothing is known."""
REQUIRED_SHARE = 0.4
"""A slot that is filled at least so often belongs to the word."""
BARE_SHARE = 0.1
"""A word that stands alone less often than this needs something beside it."""
FEWEST_PAIRS = 3
PAIR_SHARE = 0.08
"""An adjective and a noun that are together so often in all uses of one of them are a term."""
GRADED_SHARE = 0.05
FEWEST_GRADED = 2
HEADS = frozenset({"VERB", "NOUN", "ADJ"})
SLOTS = frozenset({"obl", "nmod", "advcl", "acl", "xcomp", "ccomp", "advmod", "obj"})
FILLING = frozenset({"obl", "xcomp", "advmod", "nmod", "acl"})
"""Slots beside an object; a word without any of them is bare."""
DEGREES = frozenset({"very", "so", "too", "really", "extremely", "quite", "pretty", "more", "most"})
NOTHING = frozenset({"not", "n't", "n’t", "never", "also", "then", "so", "just", "only"})
"""Adverbs that fill no slot."""
TENSOR = "frames"


@dataclass(frozen=True, eq=False)
class Frames:
    """How often words occur with their complements, and without.

    Attributes
    ----------
    totals
        How often each word was seen: a lemma with its tag and voice, as in ``put/VERB/t``.
    bare
        How often it had no complement.
    slots
        How often each of its slots was filled, as in ``put/VERB/t obl:in``.
    terms
        Pairs of an adjective and a noun that are one term, as in ``prime minister``.
    graded
        Adjectives that have degrees: they describe, and do not tell kinds apart.

    Examples
    --------
    >>> words = Sentence.from_words(["Ann", "lives", "in", "Rome"])
    >>> ann = words.with_tree([2, 0, 4, 2], ["nsubj", "root", "case", "obl"])
    >>> for token, tag in zip(ann, ["PROPN", "VERB", "ADP", "PROPN"], strict=True):
    ...     token.upos, token.lemma = tag, token.form.lower().removesuffix("s")
    >>> frames = Frames.count([ann] * 5)
    >>> frames.totals, frames.slots
    ({'live/VERB/i': 5}, {'live/VERB/i obl:in': 5})
    """

    totals: Mapping[str, int] = field(default_factory=dict)
    bare: Mapping[str, int] = field(default_factory=dict)
    slots: Mapping[str, int] = field(default_factory=dict)
    terms: frozenset[str] = frozenset()
    graded: frozenset[str] = frozenset()

    @classmethod
    def count(cls, sentences: Iterable[Sentence]) -> Frames:
        """Count the frames of a treebank; words that are rare are left out."""
        from treaty.summarize._arcs import Arcs

        totals, bare, slots = Counter[str](), Counter[str](), Counter[str]()
        pairs, parts, graded, adjectives = (Counter[str]() for _ in range(4))
        for sentence in sentences:
            arcs = Arcs(sentence)
            for place, tag in enumerate(arcs.tags):
                if tag in HEADS:
                    word = word_of(arcs, place)
                    found = {slot_of(arcs, child) for child in arcs.children[place]} - {""}
                    totals[word] += 1
                    bare[word] += not any(map(_fills, found))
                    slots.update(f"{word} {slot}" for slot in found)
                if tag == "ADJ":
                    lemma = arcs.lemmas[place]
                    adjectives[lemma] += 1
                    graded[lemma] += arcs.has_child_form(place, DEGREES) or any(
                        degree in arcs.features[place] for degree in ("Degree=Cmp", "Degree=Sup")
                    )
                    if "amod" in arcs.labels[place]:
                        noun = arcs.lemmas[arcs.heads[place]]
                        pairs[f"{lemma} {noun}"] += 1
                        parts.update([f"{lemma}+", f"+{noun}"])
        return cls(
            {word: n for word, n in totals.items() if n >= FEWEST},
            {word: n for word, n in bare.items() if n and totals[word] >= FEWEST},
            {slot: n for slot, n in slots.items() if totals[slot.split()[0]] >= FEWEST and n > 1},
            frozenset(
                pair
                for pair, n in pairs.items()
                if n >= FEWEST_PAIRS
                and n
                >= PAIR_SHARE * min(parts[f"{pair.split()[0]}+"], parts[f"+{pair.split()[1]}"])
            ),
            frozenset(
                lemma
                for lemma, n in graded.items()
                if n >= FEWEST_GRADED and n >= GRADED_SHARE * adjectives[lemma]
            ),
        )

    def requires(self, arcs: Arcs, modifier: int) -> bool:
        """Return whether the head of a token needs it.

        Either this slot of the head is filled often, or the token is all that completes a head
        that hardly ever stands alone.
        """
        head = arcs.heads[modifier]
        if head < 0 or arcs.tags[head] not in HEADS:
            return False
        word = word_of(arcs, head)
        total = self.totals.get(word, 0)
        if not total:
            return False
        if self.slots.get(f"{word} {slot_of(arcs, modifier)}", 0) >= REQUIRED_SHARE * total:
            return True
        filled = [child for child in arcs.children[head] if _fills(slot_of(arcs, child))]
        return filled == [modifier] and self.bare.get(word, 0) < BARE_SHARE * total

    def knows(self, arcs: Arcs, token: int) -> bool:
        """Return whether a word was seen often enough to know what it needs."""
        return word_of(arcs, token) in self.totals

    # Files

    def to_file(self) -> dict[str, npt.NDArray[np.generic]]:
        """Return the tensors of a model file."""
        lines = [
            *(f"n {word} {n} {self.bare.get(word, 0)}" for word, n in sorted(self.totals.items())),
            *(f"s {slot} {n}" for slot, n in sorted(self.slots.items())),
            *(f"t {pair}" for pair in sorted(self.terms)),
            *(f"g {lemma}" for lemma in sorted(self.graded)),
        ]
        data = "\n".join(lines).encode()
        return {TENSOR: np.frombuffer(data, np.uint8)} if lines else {}

    @classmethod
    def from_file(cls, file: ModelFile) -> Frames:
        """Make frames of the tensor of a model file and validate it; empty if there is none."""
        if TENSOR not in file.tensors:
            return cls()
        tensor = file.tensor(TENSOR, np.uint8)
        totals, bare, slots = dict[str, int](), dict[str, int](), dict[str, int]()
        terms, graded = set[str](), set[str]()
        try:
            for line in tensor.tobytes().decode().split("\n"):
                match line.split(" "):
                    case ["n", word, total, alone]:
                        totals[word], bare[word] = int(total), int(alone)
                    case ["s", word, slot, n]:
                        slots[f"{word} {slot}"] = int(n)
                    case ["t", adjective, noun]:
                        terms.add(f"{adjective} {noun}")
                    case ["g", adjective]:
                        graded.add(adjective)
                    case _:
                        raise ValueError(line)
        except ValueError as error:
            raise file.fault("its frames of words are damaged") from error
        return cls(totals, bare, slots, frozenset(terms), frozenset(graded))


def word_of(arcs: Arcs, token: int) -> str:
    """Return the name of a word: lemma, tag, and for verbs t, i or p, by object and passive."""
    name = f"{arcs.lemmas[token].replace(' ', '_')}/{arcs.tags[token]}"
    if arcs.tags[token] != "VERB":
        return name
    if arcs.has_child(token, frozenset({"aux:pass", "nsubj:pass", "csubj:pass"})):
        return f"{name}/p"
    return f"{name}/t" if arcs.has_child(token, frozenset({"obj", "ccomp"})) else f"{name}/i"


def slot_of(arcs: Arcs, token: int) -> str:
    """Return the slot that a token fills: its label and its preposition; empty if none."""
    label = min(arcs.labels[token], key=len)
    if label not in SLOTS or (label == "advmod" and arcs.forms[token] in NOTHING):
        return ""
    marks = [
        arcs.lemmas[child]
        for child in arcs.children[token]
        if not arcs.labels[child].isdisjoint(("case", "mark"))
    ]
    return f"{label}:{marks[0].replace(' ', '_')}" if marks else label


def _fills(slot: str) -> bool:
    return slot.partition(":")[0] in FILLING
