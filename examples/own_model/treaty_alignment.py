"""Word alignment as a structured model: which words of two sentences translate each other."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from treaty import FactorGraph, Variable
from treaty.learn import GraphModel, Parts, Sample

LIKENESS, DISTANCES = (0.4, 0.6, 0.8), (0.08, 0.16, 0.3)
DICE, COUNTS = (0.1, 0.3, 0.5, 0.8), (1, 2, 4)
Key = tuple[int | None, int | None]
"""A link of a source word and a target word; None on one side: a word without links."""


class Pair(NamedTuple):
    """Two sentences, and the right links where they are known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]] = frozenset()

    def words(self) -> list[Key]:
        """The words of both sentences, as keys."""
        return [(i, None) for i in range(len(self.source))] + [
            (None, j) for j in range(len(self.target))
        ]


@lru_cache(100_000)
def likeness(first: str, second: str) -> float:
    """How much of two words is the same, from 0 to 1."""
    return SequenceMatcher(None, first.lower(), second.lower()).ratio()


class Aligner(GraphModel):
    """Links the words of two sentences, at most `fertility` links for each word."""

    task = "alignment"
    settings = {"fertility": 2}
    table_names = ("source", "target", "dice")
    templates = {
        "link": (
            "", "likeness", "distance", "dice", "best", "counts", "likeness distance",
            "dice distance", "best distance", "best dice", "counts best", "counts dice",
            "counts distance", "source", "target", "source target", "source distance",
            "target distance",
        ),
        "null": ("", "side", "side count", "word"),
        "diagonal": ("", "0.dice 1.dice", "0.best 1.best", "0.likeness 1.likeness"),
    }  # fmt: skip

    def count(self, examples: Sequence[Pair]) -> dict[str, dict[str, float]]:
        """Count words, and compute which come together in the training pairs (Dice scores)."""
        source, target, both = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
        for pair in examples:
            source.update(set(pair.source))
            target.update(set(pair.target))
            both.update(product(set(pair.source), set(pair.target)))
        dice = {f"{s} {t}": 2 * n / (source[s] + target[t]) for (s, t), n in both.items()}
        return {"source": source, "target": target, "dice": dice}

    def parts(self, given: Pair) -> Parts:
        """List all links, a null part for each word, and pairs of links side by side."""
        source, target, tables = given.source, given.target, self.tables
        links = list(product(range(len(source)), range(len(target))))
        words = [(source[i], target[j]) for i, j in links]
        dice = np.array([tables["dice"].get(f"{s} {t}", 0.0) for s, t in words])
        table = dice.reshape(len(source), len(target))
        best_of_row = (table > 0) & (table == table.max(axis=1, keepdims=True, initial=0.0))
        best_of_column = (table > 0) & (table == table.max(axis=0, keepdims=True, initial=0.0))
        seen = [
            *np.digitize([tables["source"].get(word, 0.0) for word in source], COUNTS),
            *np.digitize([tables["target"].get(word, 0.0) for word in target], COUNTS),
        ]
        distance = [abs(i / len(source) - j / len(target)) for i, j in links]
        parts = Parts()
        parts.add("link", links, {
            "likeness": np.digitize([likeness(s, t) for s, t in words], LIKENESS),
            "distance": np.digitize(distance, DISTANCES),
            "dice": np.digitize(dice, DICE),
            "best": (best_of_row + 2 * best_of_column).ravel(),
            "counts": [4 * seen[i] + seen[len(source) + j] for i, j in links],
            "source": [s for s, _ in words],
            "target": [t for _, t in words],
        })  # fmt: skip
        sides = [0] * len(source) + [1] * len(target)
        codes = {"side": sides, "count": seen, "word": [*source, *target]}
        parts.add("null", given.words(), codes)
        steps = [((i, j), (i + 1, j + 1)) for i, j in links]
        return parts.join("diagonal", [step for step in steps if step[1] in parts])

    def factors(self, graph: FactorGraph, parts: Mapping[Any, Variable], given: Pair) -> None:
        """Let words have few links, and null parts stand for words without any."""
        for word in given.words():
            i, j = word
            rows = range(len(given.source)) if i is None else [i]
            columns = range(len(given.target)) if j is None else [j]
            links = [parts[link] for link in product(rows, columns)]
            if links:
                graph.at_most(self.settings["fertility"], links)
                graph.or_with_output(links, ~parts[word])
            else:  # the other sentence is empty
                graph.fix(parts[word])

    def gold(self, example: Pair) -> Iterable[Key]:
        """Name the right links, and the words without any."""
        linked = {end for i, j in example.links for end in ((i, None), (None, j))}
        return [*example.links, *(word for word in example.words() if word not in linked)]

    def is_scored(self, key: Key) -> bool:
        """Count links, and not what follows from them."""
        return None not in key

    def result(self, given: Pair, chosen: Sequence[Key]) -> dict[str, str]:
        """Write links as aligners do: ``0-0 1-2``."""
        links = " ".join(f"{i}-{j}" for i, j in chosen if self.is_scored((i, j)))
        return {"source": " ".join(given.source), "target": " ".join(given.target), "links": links}

    @classmethod
    def example(cls, record: dict[str, Any]) -> Pair:
        """Read a pair from a line of JSON, with links or without."""
        source, target = tuple(record["source"].split()), tuple(record["target"].split())
        ends = [link.split("-") for link in record.get("links", "").split()]
        links = frozenset((int(i), int(j)) for i, j in ends)
        if not links <= set(product(range(len(source)), range(len(target)))):
            raise ValueError("a link to a word that is not there")
        return Pair(source, target, links)

    @classmethod
    def sample(cls) -> Sample:
        """Make small data for tests."""
        words = [("the dog sleeps", "der Hund schläft"), ("dogs sleep", "Hunde schlafen")]
        pairs = [cls.example({"source": s, "target": t, "links": "0-0 1-1"}) for s, t in words]
        inputs = [Pair(pair.source, pair.target) for pair in pairs]
        return Sample(pairs * 3, [*inputs, Pair((), ("ja",))], {"bits": 10, "epochs": 3})
