"""Pattern problems (``.mrf``): labels of vertices, scored by sparse patterns of any size.

The first line has a dummy gold label and the number of labels of each vertex: ``0 K0 0 K1 …``.
Pairs of lines follow, a pattern ``vertex label vertex label …`` and ``0 score``; the score counts
if all these vertices have these labels. A blank line ends the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from treaty._native.graph import Kind
from treaty.graph._factors import NO_DATA, NO_SHAPE, Floats
from treaty.graph._graph import FactorGraph
from treaty.graph._source import MOST_FREE_STATES, Source, Unreadable, integers, number

__all__ = ["read_mrf"]

# The file is sparse but tables of pairs are dense: more cells than this would exhaust memory.
MOST_CELLS = 2**26
# Scores of the same pattern are summed: the sum must stay below LARGEST_SCORE.
MOST_SCORE = 1e90


def read_mrf(source: Source) -> Iterator[FactorGraph]:
    """Read the problems of a file one at a time."""
    position = 0
    lines = source.lines
    while True:
        while position < len(lines) and not lines[position].strip():
            position += 1
        if position == len(lines):
            return
        problem = _Problem(source, position)
        position = problem.read_patterns(position + 1)
        yield problem.graph()


class _Problem:
    """The scores of one problem, grouped by the size of their patterns."""

    def __init__(self, source: Source, line: int) -> None:
        self.source = source
        try:
            self.labels = self._vertices(integers(source.lines[line].split()))
        except Unreadable as error:
            source.fail(line + 1, error.message, error.text)
        self.first = [0, *np.cumsum(self.labels).tolist()]
        self.states = np.zeros(self.first[-1])
        self.pairs: dict[tuple[int, int], Floats] = {}
        self.cells = 0
        self.larger: list[tuple[list[int], float]] = []

    def _vertices(self, fields: list[int]) -> list[int]:
        gold, labels = fields[0::2], fields[1::2]
        if len(gold) != len(labels) or not all(
            0 <= g < k for g, k in zip(gold, labels, strict=True)
        ):
            raise Unreadable(
                "expected a label and the number of labels of each vertex: 0 K0 0 K1 …"
            )
        if sum(labels) > MOST_FREE_STATES + len(self.source.lines):
            raise Unreadable(
                "the patterns of the file cannot use this many labels", str(max(labels))
            )
        return labels

    def read_patterns(self, position: int) -> int:
        """Read patterns up to a blank line; return the index of the line after it."""
        lines = self.source.lines
        while position < len(lines) and (pattern := lines[position].split()):
            try:
                fields = integers(pattern)
                self._check(fields)
                position += 1
                self._count(fields, self._score(lines[position] if position < len(lines) else ""))
            except Unreadable as error:
                self.source.fail(min(position + 1, len(lines)), error.message, error.text)
            position += 1
        return position

    def _check(self, pattern: list[int]) -> None:
        vertices, labels = pattern[0::2], pattern[1::2]
        if len(vertices) != len(labels):
            raise Unreadable("expected a pattern: vertex label vertex label …", _shown(pattern))
        if any(a >= b for a, b in pairwise(vertices)):
            raise Unreadable(
                "expected the vertices of a pattern in ascending order", _shown(pattern)
            )
        if vertices[0] < 0 or vertices[-1] >= len(self.labels):
            raise Unreadable(f"expected vertices 0 to {len(self.labels) - 1}", _shown(pattern))
        for vertex, label in zip(vertices, labels, strict=True):
            if not 0 <= label < self.labels[vertex]:
                raise Unreadable(
                    f"vertex {vertex} has {self.labels[vertex]} labels, not label {label}"
                )

    @staticmethod
    def _score(line: str) -> float:
        fields = line.split()
        if len(fields) != 2 or fields[0] != "0":
            raise Unreadable("expected the score of the pattern above: 0 score", line)
        return number(fields[1], most=MOST_SCORE)

    def _count(self, pattern: list[int], score: float) -> None:
        if len(pattern) == 2:
            self.states[self.first[pattern[0]] + pattern[1]] += score
        elif len(pattern) == 4:
            u, a, v, b = pattern
            self._table(u, v)[a, b] += score
        else:
            states = [self.first[v] + k for v, k in zip(pattern[0::2], pattern[1::2], strict=True)]
            self.larger.append((states, score))

    def _table(self, u: int, v: int) -> Floats:
        table = self.pairs.get((u, v))
        if table is None:
            self.cells += self.labels[u] * self.labels[v]
            if self.cells > MOST_CELLS:
                raise Unreadable(f"the pairs need tables of more than {MOST_CELLS} cells in total")
            table = self.pairs[u, v] = np.zeros((self.labels[u], self.labels[v]))
        return table

    def graph(self) -> FactorGraph:
        """Make a table of each pair, and an AND of the labels, with a score, of larger patterns."""
        graph = FactorGraph()
        native = graph.native
        for begin, end in pairwise(self.first):
            graph.categorical(self.states[begin:end])
        output = native.add_variables(np.array([score for _, score in self.larger]))
        codes = [
            np.arange(2 * begin, 2 * end, 2, dtype=np.int32) for begin, end in pairwise(self.first)
        ]
        for (u, v), table in self.pairs.items():
            literals = np.concatenate([codes[u], codes[v]])
            native.add(Kind.table, literals, table.ravel(), np.array(table.shape, np.int32))
        for i, (states, _) in enumerate(self.larger):
            literals = 2 * np.array([*states, output + i], np.int32)
            native.add(Kind.and_with_output, literals, NO_DATA, NO_SHAPE)
        return graph


def _shown(pattern: list[int]) -> str:
    return " ".join(map(str, pattern))
