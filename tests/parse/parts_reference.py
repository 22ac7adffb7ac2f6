"""The parts of trees and their features, straight from the definitions.

Martins, Almeida & Smith (2013), figure 1: arcs; consecutive siblings with START and END;
grandparents; grand-siblings; tri-siblings; arbitrary siblings; head bigrams. Martins, Smith & Xing
(2009): non-projective arcs; directed paths.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from tests.features import reference

from treaty.features import TemplateSet
from treaty.parse import ORDERS
from treaty.parse._parser import Parser
from treaty.parse._templates import FAMILIES, LABEL
from treaty.text import Sentence

START, END = -1, -2
Heads = Sequence[int]
"""The head of every node; that of node 0, the root, is not looked at."""
Part = tuple[str, tuple[int, ...]]
"""A family, and its nodes in the order of the family's roles."""


def modifiers_of(heads: Heads, h: int) -> list[int]:
    return [m for m in range(1, len(heads)) if heads[m] == h]


def sides_of(heads: Heads, h: int) -> list[list[int]]:
    """Modifiers from the head outwards, left and right; the root has none at its left."""
    modifiers = modifiers_of(heads, h)
    right = [m for m in modifiers if m > h]
    return [right] if h == 0 else [[m for m in reversed(modifiers) if m < h], right]


def ancestors_of(heads: Heads, word: int) -> list[int]:
    """The words above a word, without the root."""
    above = []
    while heads[word] > 0:
        word = heads[word]
        above.append(word)
    return above


def is_projective(heads: Heads, m: int) -> bool:
    h = heads[m]
    between = range(min(h, m) + 1, max(h, m))
    return h == 0 or all(h in ancestors_of(heads, word) for word in between)


def is_on(tree: Heads, meaning: int, head: int, modifier: int, word: int) -> bool:
    """What a tree says of a variable that is no arc: a path, a unit on its way, no crossing."""
    if meaning == 0:
        return head in ancestors_of(tree, word)
    if meaning == 1:
        return tree[modifier] == head and modifier in ancestors_of(tree, word)
    return tree[modifier] == head and is_projective(tree, modifier)


def parts_of(heads: Heads) -> Iterator[Part]:
    """All parts of a tree, of every family; START and END carry their side in the last entry."""
    for m in range(1, len(heads)):
        yield "arc", (heads[m], m)
        if m > 1:
            yield "head bigram", (m, heads[m - 1], heads[m])
        if not is_projective(heads, m):
            yield "non-projective arc", (heads[m], m)
        for above in ancestors_of(heads, m):
            yield "path", (above, m)
    for h in range(len(heads)):
        for s, m in itertools.combinations(modifiers_of(heads, h), 2):
            yield "arbitrary sibling", (h, s, m)
        for right, side in zip(
            (True,) if h == 0 else (False, True), sides_of(heads, h), strict=True
        ):
            path = [START, *side, END]
            for s, m in itertools.pairwise(path):
                yield "sibling", (h, s, m, right)
                if h != 0:
                    yield "grand-sibling", (h, heads[h], s, m, right)
            for t, s, m in zip(path, path[1:], path[2:], strict=False):
                yield "tri-sibling", (h, t, s, m, right)
            for m in side:
                if h != 0:
                    yield "grandparent", (h, heads[h], m)


def distance(a: int, b: int) -> int:
    length = abs(a - b)
    farther = sum(length > limit for limit in (5, 10, 15, 20, 30))
    return reference.value_of(10 + (length if length <= 5 else 5 + farther))


def direction(right: bool) -> int:
    return reference.value_of(1 if right else 2)


def order_of(a: int, b: int, c: int) -> int:
    return (a < b) + 2 * (b < c) + 4 * (a < c)


def values_of(part: Part) -> dict[str, int]:
    """What a part has beside its nodes."""
    family, nodes = part
    if family in ("arc", "non-projective arc", "path"):
        h, m = nodes
        return {"dir": direction(h < m), "dist": distance(h, m)}
    if family == "sibling":
        h, s, m, right = nodes
        far = reference.value_of(9) if m == END else distance(h if s == START else s, m)
        return {"dir": direction(bool(right)), "dist": far}
    if family == "grandparent":
        h, g, m = nodes
        return {"dir": reference.value_of(20 + order_of(g, h, m))}
    if family == "grand-sibling":
        h, g, _, _, right = nodes
        return {"dir": reference.value_of(30 + (g < h) + 2 * right)}
    if family == "tri-sibling":
        return {"dir": direction(bool(nodes[-1]))}
    if family == "arbitrary sibling":
        h, s, m = nodes
        return {"dir": reference.value_of(40 + order_of(s, h, m)), "dist": distance(s, m)}
    m, k, h = nodes
    pattern = [k < m, h < m, h == k, h == m - 1, k == m, k < h]
    return {"dir": reference.value_of(100 + sum(on << i for i, on in enumerate(pattern)))}


@dataclass
class Reference:
    """The features and scores of a sentence's parts under a parser's templates and weights."""

    parser: Parser
    sentence: Sentence
    order: str = ""
    pruner: bool = False  # the pruner's templates and weights in the place of the parser's
    cache: dict[Part, tuple[npt.NDArray[np.int64], float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = [
            {
                "form": t.form,
                "lower": t.form.lower(),
                "lemma": t.lemma,
                "upos": t.upos,
                "xpos": t.xpos,
                "feats": t.feats,
            }
            for t in self.sentence.tokens
        ]
        names = self.parser.attributes
        self.rows = reference.rows_of(words, names, root=True)
        self.place = {node: (self.rows, reference.PADDING + node) for node in range(len(words) + 1)}
        self.place[START] = reference.block(names, "<start>")
        self.place[END] = reference.block(names, "<end>")
        model = self.parser.pruner_model if self.pruner else self.parser.parser_model
        self.weights = model.weights
        self.families = (
            ("arc",) if self.pruner else ORDERS[self.order or self.parser.settings.order]
        )

    @property
    def templates(self) -> Mapping[str, TemplateSet]:
        return self.parser.templates.pruner if self.pruner else self.parser.templates.parser

    def buckets(self, part: Part) -> npt.NDArray[np.int64]:
        if part not in self.cache:
            name, nodes = part
            family = next(f for f in FAMILIES if f.name == name)
            places = {r: self.place[n] for r, n in zip(family.roles, nodes, strict=False)}
            between = self.between(*nodes) if name == "arc" else []
            hashes = reference.features(
                family, self.templates[name], places, values_of(part), between
            )
            found = np.array([reference.bucket(h, self.weights.bits) for h in hashes], np.int64)
            self.cache[part] = found, float(self.weights.values[found].sum(dtype=np.float64))
        return self.cache[part][0]

    def between(self, h: int, m: int) -> list[reference.Place]:
        """The words in between, the nearest to the head of every coarse tag."""
        kinds: dict[int, reference.Place] = {}
        step = 1 if h < m else -1
        for node in range(h + step, m, step):
            kinds.setdefault(self.rows[reference.PADDING + node]["upos"], self.place[node])
        return list(kinds.values())

    def score_part(self, part: Part) -> float:
        self.buckets(part)
        return self.cache[part][1]

    def parts(self, heads: Heads) -> list[Part]:
        return [part for part in parts_of(heads) if part[0] in self.families]

    def score(self, heads: Heads) -> float:
        """The score of a tree."""
        return sum(self.score_part(part) for part in self.parts(heads))

    def features(self, heads: Heads) -> npt.NDArray[np.float64]:
        """How often each bucket counts in a tree."""
        counts = np.zeros(2**self.weights.bits)
        for part in self.parts(heads):
            np.add.at(counts, self.buckets(part), 1.0)
        return counts


def label_buckets(ref: Reference, heads: Heads, m: int, head_block: str = "<none>") -> list[int]:
    """Hashes of the features of an arc that wants a label, in its tree."""
    names, place = ref.parser.attributes, ref.place
    none = reference.block(names, head_block)
    h = heads[m]
    siblings, children = modifiers_of(heads, h), modifiers_of(heads, m)
    i = siblings.index(m)
    before = siblings[i - 1] if i > 0 else None
    after = siblings[i + 1] if i + 1 < len(siblings) else None
    nodes = {
        "m": m,
        "before": before,
        "after": after,
        "first": children[0] if children else None,
        "last": children[-1] if children else None,
        "hfirst": siblings[0],
        "hlast": siblings[-1],
    }
    places = {role: none if node is None else place[node] for role, node in nodes.items()}
    places["h"] = place[h]
    places["g"] = none if h == 0 else place[heads[h]]
    first = before is None or before < h < m
    last = after is None or m < h < after
    values = {
        "dir": direction(h < m),
        "dist": distance(h, m),
        "end": reference.value_of(50 + first + 2 * last),
        "children": reference.value_of(60 + min(len(children), 3)),
    }
    return reference.features(LABEL, ref.parser.templates.label, places, values)
