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

LIKENESS, POSITIONS, DICE, COUNTS = (0.4, 0.6, 0.8), (0.08, 0.16, 0.3), (0.1, 0.3, 0.5, 0.8), (1, 2, 4)


class Pair(NamedTuple):
    """Two sentences; `links` are the right ones, or none if they are not known."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: frozenset[tuple[int, int]] = frozenset()


@lru_cache(100_000)
def likeness(first: str, second: str) -> float:
    return SequenceMatcher(None, first.lower(), second.lower()).ratio()


class Aligner(GraphModel):
    """Links words of two sentences, as many as pay and no more than `fertility` for each word."""

    task = "alignment"
    settings = {"fertility": 2}
    table_names = ("source", "target", "dice")
    templates = {
        "link": (
            "", "likeness", "position", "dice", "best", "likeness position", "dice position",
            "best position", "best dice", "counts", "counts best", "counts dice", "counts position",
            "source", "target", "source target", "source position", "target position",
        ),
        "null": ("", "side", "side count", "word"),
        "diagonal": ("", "0.dice 1.dice", "0.best 1.best", "0.likeness 1.likeness"),
    }  # fmt: skip

    # What is learned from the training pairs by counting

    def count(self, examples: Sequence[Pair]) -> dict[str, dict[str, float]]:
        source, target, both = Counter[str](), Counter[str](), Counter[str]()
        for pair in examples:
            source.update(set(pair.source))
            target.update(set(pair.target))
            both.update(f"{s} {t}" for s, t in product(set(pair.source), set(pair.target)))
        dice = {}
        for words, count in both.items():
            s, t = words.split(" ")
            dice[words] = 2 * count / (source[s] + target[t])
        return {"source": source, "target": target, "dice": dice}

    # Parts: links, and words without any

    def parts(self, given: Pair) -> Parts:
        source, target = given.source, given.target
        links = list(product(range(len(source)), range(len(target))))
        words = [(source[i], target[j]) for i, j in links]
        dice = np.array([self.tables["dice"].get(f"{s} {t}", 0.0) for s, t in words])
        table = dice.reshape(len(source), len(target))
        best = (table == table.max(axis=1, keepdims=True, initial=0)) * 1
        best += (table == table.max(axis=0, keepdims=True, initial=0)) * 2
        far = [abs(i / len(source) - j / len(target)) for i, j in links]
        seen = [
            np.digitize([self.tables[side].get(word, 0.0) for word in own], COUNTS)
            for side, own in (("source", source), ("target", target))
        ]
        parts = Parts()
        parts.add("link", links, {
            "likeness": np.digitize([likeness(s, t) for s, t in words], LIKENESS),
            "position": np.digitize(far, POSITIONS),
            "dice": np.digitize(dice, DICE),
            "best": np.where(table > 0, best, 0).ravel(),
            "counts": [seen[0][i] * 4 + seen[1][j] for i, j in links],
            "source": [s for s, _ in words],
            "target": [t for _, t in words],
        })  # fmt: skip
        parts.add("null", [(i, None) for i in range(len(source))] + [(None, j) for j in range(len(target))], {
            "side": [0] * len(source) + [1] * len(target),
            "count": [*seen[0], *seen[1]],
            "word": [*source, *target],
        })  # fmt: skip
        steps = [((i, j), (i + 1, j + 1)) for i, j in links]
        return parts.join("diagonal", [step for step in steps if step[1] in parts])

    # Factors: at most so many links for a word, and a null part where there is none

    def factors(self, graph: FactorGraph, parts: Mapping[Any, Variable], given: Pair) -> None:
        rows, columns = range(len(given.source)), range(len(given.target))
        words = [((i, None), [parts[i, j] for j in columns]) for i in rows]
        words += [((None, j), [parts[i, j] for i in rows]) for j in columns]
        for word, links in words:
            graph.at_most(self.settings["fertility"], links)
            graph.or_with_output(links, ~parts[word])

    # Examples in, alignments out

    def gold(self, example: Pair) -> Iterable[tuple[int | None, int | None]]:
        linked = {end for i, j in example.links for end in ((i, None), (None, j))}
        words = [(i, None) for i in range(len(example.source))]
        words += [(None, j) for j in range(len(example.target))]
        return [*example.links, *(word for word in words if word not in linked)]

    def is_scored(self, key: tuple[int | None, int | None]) -> bool:
        return None not in key

    def result(self, given: Pair, chosen: Sequence[Any]) -> dict[str, str]:
        links = " ".join(f"{i}-{j}" for i, j in chosen if self.is_scored((i, j)))
        return {"source": " ".join(given.source), "target": " ".join(given.target), "links": links}

    @classmethod
    def example(cls, record: dict[str, Any]) -> Pair:
        source, target = tuple(record["source"].split()), tuple(record["target"].split())
        ends = [link.split("-") for link in record.get("links", "").split()]
        links = frozenset((int(i), int(j)) for i, j in ends)
        if not all(0 <= i < len(source) and 0 <= j < len(target) for i, j in links):
            raise ValueError("a link to a word that is not there")
        return Pair(source, target, links)

    @classmethod
    def sample(cls) -> Sample:
        words = [("the dog sleeps", "der Hund schläft"), ("dogs sleep", "Hunde schlafen")]
        lines = [{"source": s, "target": t, "links": "0-0 1-1"} for s, t in words]
        examples = [cls.example(line) for line in lines] * 3
        return Sample(examples, [pair._replace(links=frozenset()) for pair in examples], {"bits": 10, "epochs": 3})
