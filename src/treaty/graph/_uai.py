"""UAI files of Markov networks: categorical variables and tables of potentials, not logs.

``MARKOV``, the number of variables, their cardinalities, the number of factors, the scope of each
(its size, then its variables), and then each table (its size, then its potentials, the last
variable running fastest). The lines may break anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from treaty._native import Kind
from treaty.graph._factors import Floats
from treaty.graph._graph import FactorGraph
from treaty.graph._source import MOST_FREE_STATES, Source, Unreadable, count, number

__all__ = ["read_uai"]


def read_uai(source: Source) -> Iterator[FactorGraph]:
    """Read the network: its objective is the logarithm of the product of the potentials.

    Zeros are forbidden configurations; in the table of a single variable they become evidence.
    """
    fields = _Fields(source)
    try:
        graph = _read_network(fields)
    except Unreadable as error:
        source.fail(source.line_of(fields.position - 1), error.message, error.text)
    if fields.position < len(fields.tokens):
        junk = fields.tokens[fields.position]
        source.fail(source.line_of(fields.position), "expected the end of the file", junk)
    yield graph


class _Fields:
    """The fields of a source, one by one."""

    def __init__(self, source: Source) -> None:
        self.tokens = source.tokens()
        self.position = 0

    @property
    def left(self) -> int:
        return len(self.tokens) - self.position

    def take(self, what: str) -> str:
        self.position += 1
        if self.left < 0:
            raise Unreadable(f"the file ends where {what} should stand")
        return self.tokens[self.position - 1]

    def count(self, what: str, most: int | None = None) -> int:
        """A count, refused when it is larger than `most` or than the number of fields left."""
        token = self.take(what)
        try:
            found = count(token)
        except Unreadable:
            raise Unreadable(f"expected {what}", token) from None
        if found > (self.left if most is None else most):
            room = (
                f"but only {most or self.left} fields follow"
                if most is None
                else f"expected at most {most}"
            )
            raise Unreadable(f"{what} is {found}, {room}", token)
        return found

    def potentials(self, expected: int, what: str) -> Floats:
        """A table, with its size before it."""
        token = self.take(f"the size of {what}")
        if not token.isdecimal() or int(token[:20]) != expected:
            raise Unreadable(f"expected the size of {what}, {expected}", token)
        if expected > self.left:
            raise Unreadable(
                f"{what} has {expected} potentials, but only {self.left} fields follow", token
            )
        table = np.empty(expected)
        for i in range(expected):
            token = self.take("a potential")
            table[i] = number(token)
            if table[i] < 0:
                raise Unreadable("a potential must not be negative", token)
        return table


def _read_network(fields: _Fields) -> FactorGraph:
    header = fields.take("MARKOV")
    if header != "MARKOV":
        raise Unreadable("expected MARKOV, the only kind of network that is supported", header)
    cardinalities = _read_cardinalities(fields)
    scopes = [
        _read_scope(fields, f"factor {i}", len(cardinalities))
        for i in range(fields.count("the number of factors"))
    ]
    scores = [np.zeros(cardinality) for cardinality in cardinalities]
    forbidden = [np.zeros(cardinality, bool) for cardinality in cardinalities]
    tables: list[tuple[list[int], Floats]] = []
    for i, scope in enumerate(scopes):
        shape = [cardinalities[v] for v in scope]
        potentials = fields.potentials(math.prod(shape), f"the table of factor {i}")
        with np.errstate(divide="ignore"):
            logs = np.log(potentials)
        if len(scope) > 1:
            tables.append((scope, logs))
        else:  # a constant is as good as a score for every state of some variable
            variable = scope[0] if scope else 0
            zero = np.isneginf(logs)
            forbidden[variable] |= zero
            scores[variable] += np.where(zero, 0.0, logs)
    return _build(scores, forbidden, tables)


def _read_cardinalities(fields: _Fields) -> list[int]:
    variables = fields.count("the number of variables")
    if not variables:
        raise Unreadable("expected at least one variable", "0")
    room = MOST_FREE_STATES + len(fields.tokens)
    cardinalities = []
    for v in range(variables):
        cardinality = fields.count(f"the number of states of variable {v}", room)
        if not cardinality:
            raise Unreadable(f"variable {v} needs at least one state", "0")
        cardinalities.append(cardinality)
        room -= cardinality
    return cardinalities


def _read_scope(fields: _Fields, what: str, variables: int) -> list[int]:
    size = fields.count(f"the number of variables of {what}")
    scope = [fields.count(f"a variable of {what}", variables - 1) for _ in range(size)]
    if len(set(scope)) < size:
        raise Unreadable(f"{what} names a variable twice", " ".join(map(str, scope)))
    return scope


def _build(
    scores: list[Floats], forbidden: list[np.ndarray], tables: list[tuple[list[int], Floats]]
) -> FactorGraph:
    graph = FactorGraph()
    native = graph.native
    variables = [graph.categorical(row) for row in scores]
    for variable, states in zip(variables, forbidden, strict=True):
        for state in np.flatnonzero(states).tolist():
            native.fix(variable.first + state, 0)
    for scope, logs in tables:
        members = [variables[v] for v in scope]
        codes = np.concatenate([2 * np.arange(m.first, m.first + m.size) for m in members])
        shape = np.array([m.size for m in members], np.int32)
        native.add(Kind.table, codes.astype(np.int32), logs, shape)
    return graph
