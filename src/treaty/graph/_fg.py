"""AD3's ``.fg`` files: binary variables with log-potentials, and one factor per line.

``TYPE DEGREE VAR_1 … VAR_L [numbers]``; variables are numbered from 1, a minus sign negates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from math import comb
from typing import NoReturn

import numpy as np

from treaty._native.graph import GraphError, Kind
from treaty.errors import UsageError
from treaty.graph._factors import LARGEST, NO_DATA, NO_SHAPE, Floats, Ints
from treaty.graph._graph import FactorGraph
from treaty.graph._source import (
    LARGEST_SCORE,
    Source,
    Unreadable,
    cells,
    count,
    integers,
    number,
    score,
)

__all__ = ["read_fg", "write_fg"]

LOGIC = {
    "XOR": Kind.exactly_one,
    "ATMOSTONE": Kind.at_most_one,
    "OR": Kind.at_least_one,
    "XOROUT": Kind.xor_with_output,
    "OROUT": Kind.or_with_output,
    "ANDOUT": Kind.and_with_output,
}


# Reading


def read_fg(source: Source) -> Iterator[FactorGraph]:
    """Read the graphs of a file one at a time; they are separated by blank lines."""
    lines = _Lines(source)
    while lines.skip_blank():
        graph = _read_graph(lines)
        if lines.position < len(source.lines) and source.lines[lines.position].strip():
            source.fail(
                lines.position + 1,
                "expected the end of the graph (a blank line, or the end of the file)",
                source.lines[lines.position],
            )
        yield graph


class _Lines:
    """The lines of a source, one at a time."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.position = 0

    def skip_blank(self) -> bool:
        """Skip to the next nonblank line; return False if there is none."""
        lines = self.source.lines
        while self.position < len(lines) and not lines[self.position].strip():
            self.position += 1
        return self.position < len(lines)

    def take(self, expected: str) -> str:
        """Return the next nonblank line."""
        if not self.skip_blank():
            self.source.fail(len(self.source.lines), f"the file ends, expected {expected}")
        self.position += 1
        return self.source.lines[self.position - 1]

    def take_count(self, what: str) -> int:
        """Read a line with a single count."""
        line = self.take(f"the number of {what}")
        try:
            number = count(line.strip())
        except Unreadable as error:
            self.fail(f"expected the number of {what}", error.text)
        # Each takes one line, so larger counts are rejected before anything is allocated.
        left = len(self.source.lines) - self.position
        if number > left:
            self.fail(f"expected the number of {what}, but only {left} lines follow", line.strip())
        return number

    def fail(self, message: str, text: str | None = None) -> NoReturn:
        """Raise `InputError` for the current line."""
        self.source.fail(self.position, message, text)


def _read_graph(lines: _Lines) -> FactorGraph:
    graph = FactorGraph()
    variables, factors = lines.take_count("variables"), lines.take_count("factors")
    scores = np.empty(variables)
    for i in range(variables):
        line = lines.take(f"the score of variable {i + 1}")
        try:
            scores[i] = number(line.strip(), most=LARGEST_SCORE)
        except Unreadable as error:
            lines.fail(f"score of variable {i + 1}: {error.message}", error.text)
    graph.native.add_variables(scores)
    for i in range(factors):
        fields = lines.take(f"factor {i + 1} of {factors}").split()
        try:
            _read_factor(graph, fields)
        except Unreadable as error:
            lines.fail(error.message, error.text)
        except GraphError as error:
            lines.fail(str(error), " ".join(fields))
    return graph


def _read_factor(graph: FactorGraph, fields: list[str]) -> None:
    name = fields[0]
    logic = LOGIC.get(name)
    if logic is None and name not in READERS:
        supported = ", ".join([*LOGIC, *READERS])
        raise Unreadable(
            f"{name[:40]} is not a factor type of this format; expected one of {supported}",
            " ".join(fields),
        )
    degree = count(fields[1]) if len(fields) > 1 else 0
    if len(fields) < 2 + degree:
        raise Unreadable(
            f"{name}: expected the number of variables, then the variables", " ".join(fields)
        )
    codes = _read_literals(fields[2 : 2 + degree], graph.native.variables)
    rest = fields[2 + degree :]
    data, shape = NO_DATA, NO_SHAPE
    if logic is None:
        logic, data, shape = READERS[name](codes, rest)
    elif rest:
        raise Unreadable(f"{name}: expected nothing after the {degree} variables", rest[0])
    graph.native.add(logic, np.array(codes, np.int32), data, shape)


def _read_literals(tokens: list[str], variables: int) -> list[int]:
    codes = [2 * v - 2 if v > 0 else -2 * v - 1 for v in integers(tokens)]
    if codes and (min(codes) < 0 or max(codes) >= 2 * variables):
        bad = next(
            t for t, code in zip(tokens, codes, strict=True) if not 0 <= code < 2 * variables
        )
        raise Unreadable(f"expected a variable from 1 to {variables}, or its negative", bad)
    return codes


Parts = tuple[Kind, Floats, Ints]


def _expect(tokens: list[str], expected: int, what: str) -> None:
    """Compare sizes with the data before anything of that size is allocated."""
    if len(tokens) != expected:
        raise Unreadable(f"expected {expected} numbers ({what}), found {len(tokens)}")


def _read_pair(codes: list[int], rest: list[str]) -> Parts:
    if len(codes) != 2:
        raise Unreadable(f"PAIR: expected 2 variables, found {len(codes)}")
    _expect(rest, 1, "the score of a PAIR")
    return Kind.reward, np.array([number(rest[0])]), NO_SHAPE


def _read_budget(_codes: list[int], rest: list[str]) -> Parts:
    _expect(rest, 1, "the limit of a BUDGET")
    limit = min(count(rest[0]), LARGEST)
    return Kind.at_most, NO_DATA, np.array([limit], np.int32)


def _read_knapsack(codes: list[int], rest: list[str]) -> Parts:
    _expect(rest, len(codes) + 1, "a cost per variable and the capacity of a KNAPSACK")
    return Kind.knapsack, np.array([number(token) for token in rest]), NO_SHAPE


def _read_imply(codes: list[int], rest: list[str]) -> Parts:
    _expect(rest, 0, "nothing after the variables of an IMPLY")
    codes[:-1] = [code ^ 1 for code in codes[:-1]]
    return Kind.at_least_one, NO_DATA, NO_SHAPE


def _cardinalities(codes: list[int], rest: list[str]) -> tuple[list[int], list[str]]:
    """Split off the number of states of each variable from the scores."""
    groups = count(rest[0]) if rest else 0
    cardinalities = [count(token) for token in rest[1 : 1 + groups]]
    if not groups or len(cardinalities) < groups or sum(cardinalities) != len(codes):
        raise Unreadable(
            f"expected the number of categorical variables and the number of states of each, "
            f"{len(codes)} in total",
            " ".join(rest[: 1 + min(groups, 20)]),
        )
    return cardinalities, rest[1 + groups :]


def _read_dense(codes: list[int], rest: list[str]) -> Parts:
    cardinalities, scores = _cardinalities(codes, rest)
    size = cells(cardinalities, len(scores))
    _expect(scores, size, "a score per configuration of a DENSE factor")
    return Kind.table, np.array([score(s) for s in scores]), np.array(cardinalities, np.int32)


def _read_sequence(codes: list[int], rest: list[str]) -> Parts:
    cardinalities, scores = _cardinalities(codes, rest)
    edges = sum(a * b for a, b in pairwise(cardinalities))
    _expect(
        scores, cardinalities[0] + edges + cardinalities[-1], "start, edges, stop of a SEQUENCE"
    )
    return Kind.sequence, np.array([score(s) for s in scores]), np.array(cardinalities, np.int32)


def _read_sequence_budget(codes: list[int], rest: list[str]) -> Parts:
    """Read the number of positions, the budget, and then the rest of a SEQUENCE."""
    if len(rest) < 2:
        raise Unreadable("SEQUENCE_BUDGET: expected the number of positions and the budget")
    budget = min(count(rest[1]), LARGEST)
    _, data, cardinalities = _read_sequence(codes, [rest[0], *rest[2:]])
    shape = np.array([min(budget, len(cardinalities)), *cardinalities], np.int32)
    return Kind.sequence_budget, data, shape


def _read_general_tree(codes: list[int], rest: list[str], *, counts: bool = False) -> Parts:
    nodes = count(rest[0]) if rest else 0
    last = len(codes) - (nodes + 1 if counts else 0)
    if last < 0:
        raise Unreadable(
            f"expected states of {nodes} nodes and {nodes + 1} counts, found {len(codes)} variables"
        )
    cardinalities, rest = _cardinalities(codes[:last], rest)
    parents, scores = integers(rest[:nodes]), rest[nodes:]
    if len(parents) < nodes or parents[0] != -1 or not all(0 <= p < nodes for p in parents[1:]):
        raise Unreadable(
            f"expected the parents of {nodes} nodes: -1, then numbers from 0 to {nodes - 1}",
            " ".join(rest[: min(nodes, 20)]),
        )
    cells_of = [
        cardinalities[p] * size for p, size in zip(parents[1:], cardinalities[1:], strict=True)
    ]
    _expect(scores, sum(cells_of), "a score per pair of states of each node and its parent")
    kind = Kind.general_tree_counts if counts else Kind.general_tree
    data = np.array([score(s) for s in scores], np.float64)
    return kind, data, np.array([*cardinalities, *parents], np.int32)


def _read_arborescence(codes: list[int], rest: list[str]) -> Parts:
    _expect(rest, 1 + 2 * len(codes), "nodes, then head and modifier of each arc")
    nodes, *ends = integers(rest)
    if not 0 < nodes <= len(codes) + 1:
        raise Unreadable(
            f"expected at most {len(codes) + 1} nodes for a tree of {len(codes)} arcs", rest[0]
        )
    if not all(0 <= end < nodes for end in ends):
        raise Unreadable(f"expected arcs between nodes 0 to {nodes - 1}", " ".join(rest[1:]))
    return Kind.arborescence, NO_DATA, np.array([nodes, 0, *ends], np.int32)


def _read_head_automaton(codes: list[int], rest: list[str]) -> Parts:
    _expect(rest, comb(len(codes) + 2, 2), "a score for every two consecutive modifiers")
    shape = np.array([0, len(codes), 0], np.int32)
    return Kind.head_automaton, np.array([score(s) for s in rest]), shape


def _read_grandparent_head_automaton(codes: list[int], rest: list[str]) -> Parts:
    grandparents = count(rest[0]) if rest else 0
    if not 0 < grandparents <= len(codes):
        raise Unreadable(
            f"expected the number of grandparents among the {len(codes)} variables, at least 1",
            " ".join(rest[:1]),
        )
    modifiers = len(codes) - grandparents
    _expect(
        rest[1:],
        grandparents * modifiers + comb(modifiers + 2, 2),
        f"scores of {grandparents} grandparents with {modifiers} modifiers, then of every two "
        "consecutive modifiers",
    )
    shape = np.array([grandparents, modifiers, 0], np.int32)
    return Kind.head_automaton, np.array([score(s) for s in rest[1:]]), shape


READERS: dict[str, Callable[[list[int], list[str]], Parts]] = {
    "IMPLY": _read_imply,
    "PAIR": _read_pair,
    "BUDGET": _read_budget,
    "KNAPSACK": _read_knapsack,
    "DENSE": _read_dense,
    "SEQUENCE": _read_sequence,
    "SEQUENCE_BUDGET": _read_sequence_budget,
    "GENERAL_TREE": _read_general_tree,
    "GENERAL_TREE_COUNTS": partial(_read_general_tree, counts=True),
    "ARBORESCENCE": _read_arborescence,
    "HEAD_AUTOMATON": _read_head_automaton,
    "GRANDPARENT_HEAD_AUTOMATON": _read_grandparent_head_automaton,
}


# Writing


def write_fg(graph: FactorGraph) -> str:
    """Write a graph whose factors all have an ``.fg`` form, losslessly except for names.

    Categorical variables become XOR factors unless a DENSE or SEQUENCE factor already ties their
    states together; evidence becomes an XOR of one literal.
    """
    arrays = graph.arrays
    names = {kind.value: kind.name for kind in Kind}
    codes, data, shape = (a.tolist() for a in (arrays.literals, arrays.data, arrays.shape))
    begins = [
        list(pairwise(a.tolist()))
        for a in (arrays.literal_begin, arrays.data_begin, arrays.shape_begin)
    ]
    lines = []
    for f, (kind, (a, b), (c, d), (e, g)) in enumerate(
        zip(arrays.kinds.tolist(), *begins, strict=True)
    ):
        lines_of_factor = _factor_lines(names[kind], codes[a:b], data[c:d], shape[e:g])
        if not lines_of_factor:
            raise UsageError(f"{graph.factors[f]!r} cannot be stored in a .fg file")
        lines += lines_of_factor
    held = _held_together(graph)
    lines += [
        _line("XOR", range(2 * first, 2 * (first + size), 2))
        for first, size in zip(
            graph.native.categorical_first, graph.native.categorical_size, strict=True
        )
        if (first, size) not in held
    ]
    evidence = graph.evidence
    lines += [_line("XOR", [2 * v + 1 - evidence[v]]) for v in np.flatnonzero(evidence >= 0)]
    scores = [repr(value) for value in graph.scores.tolist()]
    return "\n".join([str(len(scores)), str(len(lines)), *scores, *lines, ""])


def _line(name: str, codes: Iterable[int], *numbers: object) -> str:
    variables = [-(code >> 1) - 1 if code & 1 else (code >> 1) + 1 for code in codes]
    return " ".join(map(str, [name, len(variables), *variables, *numbers]))


def _factor_lines(kind: str, codes: list[int], data: list[float], shape: list[int]) -> list[str]:
    """Write a factor, in two lines if need be; nothing if it has no form."""
    if kind in LOGIC_NAMES:
        return [_line(LOGIC_NAMES[kind], codes)]
    if kind == "reward" and len(codes) == 2:
        return [_line("PAIR", codes, *data)]
    if kind == "at_most":
        return [_line("BUDGET", codes, *shape)]
    if kind == "exactly" and shape[0] <= len(
        codes
    ):  # as two factors: at most k on, at most n - k off
        off = [code ^ 1 for code in codes]
        return [_line("BUDGET", codes, *shape), _line("BUDGET", off, len(codes) - shape[0])]
    if kind == "knapsack":
        return [_line("KNAPSACK", codes, *data)]
    if kind in ("table", "sequence"):
        name = "DENSE" if kind == "table" else "SEQUENCE"
        return [_line(name, codes, len(shape), *shape, *data)]
    if kind == "sequence_budget":
        budget, *sizes = shape
        return [_line("SEQUENCE_BUDGET", codes, len(sizes), budget, *sizes, *data)]
    if kind in ("general_tree", "general_tree_counts"):
        return [_line(kind.upper(), codes, len(shape) // 2, *shape, *data)]
    if kind == "arborescence" and not shape[1] and shape[0] <= len(codes) + 1:
        return [_line("ARBORESCENCE", codes, shape[0], *shape[2:])]
    if kind == "head_automaton" and not shape[2]:
        if not shape[0]:
            return [_line("HEAD_AUTOMATON", codes, *data)]
        return [_line("GRANDPARENT_HEAD_AUTOMATON", codes, shape[0], *data)]
    return []


LOGIC_NAMES = {kind.name: name for name, kind in LOGIC.items()}


def _held_together(graph: FactorGraph) -> set[tuple[int, int]]:
    """Find the groups of states (first, size) that a table or sequence already ties together."""
    held = set()
    tied = np.isin(graph.arrays.kinds, [Kind.table.value, Kind.sequence.value])
    for f in np.flatnonzero(tied).tolist():
        factor = graph.factors[f]
        for states in np.split(factor.codes, np.cumsum(factor.shape)[:-1]):
            if states[0] % 2 == 0 and np.all(np.diff(states) == 2):
                held.add((int(states[0]) >> 1, len(states)))
    return held
