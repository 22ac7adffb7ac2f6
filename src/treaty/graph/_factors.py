"""Factors as seen from Python, and the conversion of their arguments."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, Kind
from treaty.errors import UsageError
from treaty.graph._variables import Categorical, Literal, Variable, Variables, check_owner

if TYPE_CHECKING:
    from treaty.graph._graph import FactorGraph

__all__ = ["Factor", "Factors"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

NO_DATA: Floats = np.empty(0)
NO_SHAPE: Ints = np.empty(0, np.int32)
LARGEST = 2**31 - 1


class Arrays(NamedTuple):
    """A snapshot of the native arrays that store the factors."""

    kinds: npt.NDArray[np.uint8]
    literals: Ints
    literal_begin: npt.NDArray[np.int64]
    data: Floats
    data_begin: npt.NDArray[np.int64]
    shape: Ints
    shape_begin: npt.NDArray[np.int64]

    @classmethod
    def of(cls, native: Graph) -> Arrays:
        """Copy the arrays of the native graph, read-only."""
        arrays = cls(*(getattr(native, name) for name in cls._fields))
        for array in arrays:
            array.flags.writeable = False
        return arrays


class Factor:
    """A factor of a graph (read-only view).

    Examples
    --------
    >>> from treaty.graph import FactorGraph
    >>> graph = FactorGraph()
    >>> sun, rain = graph.variables([1.2, 0.7], names=["sun", "rain"])
    >>> factor = graph.at_most(1, sun, ~rain)
    >>> factor
    <Factor 0: at_most(sun, ~rain)>
    >>> factor.kind, factor.literals, factor.shape
    ('at_most', (sun, ~rain), array([1], dtype=int32))
    """

    __slots__ = ("graph", "index")

    def __init__(self, graph: FactorGraph, index: int) -> None:
        self.graph = graph
        self.index = index

    @property
    def kind(self) -> str:
        """The name of the method that adds this kind, such as ``"exactly_one"``."""
        return Kind(int(self.graph.arrays.kinds[self.index])).name

    @property
    def codes(self) -> Ints:
        """The literals as integer codes, see `Literal.literal`."""
        arrays = self.graph.arrays
        return arrays.literals[
            arrays.literal_begin[self.index] : arrays.literal_begin[self.index + 1]
        ]

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals in order; an output is last."""
        return tuple(as_literal(self.graph, code) for code in self.codes.tolist())

    @property
    def data(self) -> Floats:
        """Scores, costs and capacity: the floating-point parameters of the factor."""
        arrays = self.graph.arrays
        return arrays.data[arrays.data_begin[self.index] : arrays.data_begin[self.index + 1]]

    @property
    def shape(self) -> Ints:
        """Limits, cardinalities, parents, arcs: the integer parameters of the factor."""
        arrays = self.graph.arrays
        return arrays.shape[arrays.shape_begin[self.index] : arrays.shape_begin[self.index + 1]]

    @property
    def scores(self) -> Floats:
        """The scores of a table factor, one axis per variable."""
        if self.kind != "table":
            raise UsageError(f"{self!r} is not a table; its parameters are in .data")
        return self.data.reshape(self.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Factor):
            return NotImplemented
        return self.index == other.index and self.graph is other.graph

    def __hash__(self) -> int:
        return hash((id(self.graph), "factor", self.index))

    def __repr__(self) -> str:
        literals = self.literals
        shown = ", ".join(literal.name for literal in literals[:8])
        more = f", … {len(literals)} literals" if len(literals) > 8 else ""
        return f"<Factor {self.index}: {self.kind}({shown}{more})>"


class Factors(Sequence[Factor]):
    """The factors of a graph in order of insertion."""

    def __init__(self, graph: FactorGraph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return self._graph.native.factors

    @overload
    def __getitem__(self, index: int) -> Factor: ...
    @overload
    def __getitem__(self, index: slice) -> list[Factor]: ...
    def __getitem__(self, index: int | slice) -> Factor | list[Factor]:
        found = range(len(self))[index]
        if isinstance(found, range):
            return [Factor(self._graph, i) for i in found]
        return Factor(self._graph, found)

    def __iter__(self) -> Iterator[Factor]:
        return (Factor(self._graph, i) for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} factors>"


def as_literal(graph: FactorGraph, code: int) -> Literal:
    """Return the literal with this code."""
    return Literal(graph, code) if code & 1 else Variable(graph, code)


def literal_codes(graph: FactorGraph, things: Iterable[Any]) -> list[int]:
    """Collect the codes of literals given one by one, in iterables, or as categoricals.

    Duplicates are kept: a literal may occur twice in a factor.
    """
    codes: list[int] = []
    for thing in things:
        if isinstance(thing, Literal):
            if thing.graph is not graph:
                check_owner(graph, thing)
            codes.append(thing.literal)
        elif isinstance(thing, Variables) and thing.graph is graph:
            codes += range(2 * thing.first, 2 * (thing.first + thing.size), 2)
        elif isinstance(thing, Iterable) and not isinstance(thing, str | bytes):
            codes += literal_codes(graph, thing)
        else:
            raise UsageError(f"expected a variable or its negation, got {thing!r}")
    return codes


def state_codes(graph: FactorGraph, variables: Iterable[Any]) -> tuple[list[int], list[int]]:
    """Collect the literals of all states in order, and the number of states of each variable.

    A binary literal x counts as a variable with the states (~x, x).
    """
    codes: list[int] = []
    cardinalities: list[int] = []
    for variable in variables:
        if isinstance(variable, Categorical):
            check_owner(graph, variable)
            codes += range(2 * variable.first, 2 * (variable.first + variable.size), 2)
            cardinalities.append(variable.size)
        elif isinstance(variable, Literal):
            check_owner(graph, variable)
            codes += [variable.literal ^ 1, variable.literal]
            cardinalities.append(2)
        else:
            raise UsageError(
                f"expected a categorical variable or a binary literal, got {variable!r}"
            )
    return codes, cardinalities


def why_no_array(error: Exception) -> str:
    """Say why something is no array; where a library wants gradients, which module gives them.

    Examples
    --------
    >>> why_no_array(RuntimeError("Can't call numpy() on Tensor that requires grad."))
    'a tensor that requires grad: give it to a function of treaty.torch, or detach() it'
    """
    if "requires grad" in str(error):
        return "a tensor that requires grad: give it to a function of treaty.torch, or detach() it"
    if "Tracer" in type(error).__name__:
        return "an array that JAX traces: give it to a function of treaty.jax"
    return str(error)


def floats(what: str, values: npt.ArrayLike, shape: tuple[int, ...] | None = None) -> Floats:
    """Convert to an array of doubles of this shape (by default one axis); raise `UsageError`."""
    try:
        array = np.asarray(values, np.float64, order="C")
    except (TypeError, ValueError, RuntimeError) as error:
        raise UsageError(f"{what}: expected numbers ({why_no_array(error)})") from error
    if array.ndim != 1 if shape is None else array.shape != shape:
        expected = "a sequence of numbers" if shape is None else f"an array of shape {shape}"
        raise UsageError(f"{what}: expected {expected}, got one of shape {array.shape}")
    return array


def ascending(
    what: str, values: npt.ArrayLike, n: int, order: int, each: tuple[int, ...] = ()
) -> Floats:
    """Flatten the cells with ascending indices of an array with `order` axes of length `n`.

    They may also be given already flattened. `each` are leading axes.
    """
    array = floats(what, values, np.shape(values))
    cells = math.comb(n, order)
    if array.shape == (*each, cells):
        return array.ravel()
    if array.shape != each + (n,) * order:
        raise UsageError(
            f"{what}: expected an array of shape {each + (n,) * order}, or {(*each, cells)} for "
            f"only its cells with ascending indices; got one of shape {array.shape}"
        )
    index = np.array(list(combinations(range(n), order)), np.intp).reshape(cells, order)
    return array[(..., *index.T)].ravel()


def integer(what: str, value: SupportsIndex, least: int = 0) -> int:
    """Check an integer for the native arrays, or raise `UsageError`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(f"{what}: expected an integer, got {value!r}") from None
    if not least <= number <= LARGEST:
        raise UsageError(f"{what}: expected an integer from {least} to {LARGEST}, got {number}")
    return number


def sequence_scores(
    cardinalities: list[int],
    edges: npt.ArrayLike | Sequence[npt.ArrayLike],
    start: npt.ArrayLike | None,
    stop: npt.ArrayLike | None,
) -> Floats:
    """Concatenate start scores, one table per neighboring pair, and stop scores."""
    if not cardinalities:
        raise UsageError("sequence: requires at least one variable")
    pairs = list(pairwise(cardinalities))
    try:
        tables: list[Any] = [np.asarray(table, np.float64) for table in edges]  # type: ignore[union-attr]
    except (TypeError, ValueError) as error:
        raise UsageError(f"sequence: expected arrays of edge scores ({error})") from error
    if tables and all(
        table.ndim == 1 for table in tables
    ):  # the rows of a single table for all pairs
        tables = [edges] * len(pairs)
    if len(tables) != len(pairs):
        raise UsageError(
            f"sequence: expected {len(pairs)} edge tables, one per neighboring pair of the "
            f"{len(cardinalities)} variables (or a single one for all), got {len(tables)}"
        )
    ends = [
        np.zeros(size) if scores is None else floats(f"sequence: {what} scores", scores, (size,))
        for what, scores, size in (
            ("start", start, cardinalities[0]),
            ("stop", stop, cardinalities[-1]),
        )
    ]
    middle = [
        floats(f"sequence: edge table {i}", table, pair).ravel()
        for i, (table, pair) in enumerate(zip(tables, pairs, strict=True))
    ]
    return np.concatenate([ends[0], *middle, ends[1]])
