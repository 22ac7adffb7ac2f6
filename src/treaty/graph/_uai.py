"""UAI files of Markov networks: categorical variables and tables of potentials (not logarithms).

``MARKOV``, the number of variables, their cardinalities, the number of factors, the scope of each
(its size, then its variables), and then each table (its size, then its potentials, with the last
variable changing fastest). Line breaks have no meaning.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treaty._native.graph import Kind
from treaty.graph._factors import Floats
from treaty.graph._graph import FactorGraph
from treaty.graph._source import MOST_FREE_STATES, Source, Unreadable, cells, count, number

__all__ = ["read_uai"]


def read_uai(source: Source) -> Iterator[FactorGraph]:
    """Read the network: its objective is the logarithm of the product of the potentials.

    Zeros forbid configurations; in the table of a single variable they become evidence.
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
    """The fields of a source, one at a time."""

    def __init__(self, source: Source) -> None:
        self.tokens = source.tokens()
        self.position = 0

    @property
    def left(self) -> int:
        return len(self.tokens) - self.position

    def take(self, what: str) -> str:
        self.position += 1
        if self.left < 0:
            raise Unreadable(f"the file ends, expected {what}")
        return self.tokens[self.position - 1]

    def count(self, what: str, most: int | None = None) -> int:
        """Read a count up to `most`, or else up to the number of fields left."""
        token = self.take(what)
        try:
            found = count(token)
        except Unreadable:
            raise Unreadable(f"expected {what}", token) from None
        if most is None and found > self.left:
            raise Unreadable(f"expected {what}, but only {self.left} fields follow", token)
        if most is not None and found > most:
            raise Unreadable(f"expected {what}, at most {most}", token)
        return found

    def potentials(self, expected: int, what: str) -> Floats:
        """Read a table, preceded by its size."""
        if self.count(f"the size of {what}") != expected:
            size = self.tokens[self.position - 1]
            raise Unreadable(f"expected the size of {what}, {expected}", size)
        tokens = self.tokens[self.position : self.position + expected]
        try:
            table = np.array([float(token) for token in tokens])
            sound = bool(np.all((table >= 0) & np.isfinite(table)))
        except ValueError:
            sound = False
        for token in tokens if not sound else ():  # find the invalid one
            self.position += 1
            if number(token) < 0:
                raise Unreadable("a potential must not be negative", token)
        self.position += expected
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
        potentials = fields.potentials(cells(shape, fields.left), f"the table of factor {i}")
        with np.errstate(divide="ignore"):
            logs = np.log(potentials)
        if len(scope) > 1:
            tables.append((scope, logs))
        else:  # a constant equals a score for every state of some variable
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
            raise Unreadable(f"variable {v} must have at least one state", "0")
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
