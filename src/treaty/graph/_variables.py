"""Variables and literals: the handles that users pass to factors."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, overload

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.graph._graph import FactorGraph

__all__ = ["Categorical", "Literal", "Variable", "Variables"]


class Literal:
    """A binary variable or its negation.

    Made by `FactorGraph.variable` and ``~``, not directly.

    Attributes
    ----------
    graph
        The graph it belongs to.
    literal
        Its code in the native arrays: twice the variable index, plus one if negated.

    Examples
    --------
    >>> from treaty.graph import FactorGraph
    >>> rain = FactorGraph().variable(0.7, name="rain")
    >>> ~rain, ~~rain == rain, (~rain).negated
    (~rain, True, True)
    """

    __slots__ = ("graph", "literal")

    def __init__(self, graph: FactorGraph, literal: int) -> None:
        self.graph = graph
        self.literal = literal

    @property
    def variable(self) -> int:
        """The index of the binary variable."""
        return self.literal >> 1

    @property
    def negated(self) -> bool:
        """Whether this is the negation of the variable."""
        return bool(self.literal & 1)

    @property
    def name(self) -> str:
        """The variable's name, with a ``~`` if negated."""
        return "~" * self.negated + self.graph.name_of(self.variable)

    def state_in(self, values: npt.NDArray[np.int8]) -> bool:
        """Return whether the literal is on, given a value per binary variable."""
        return bool(values[self.variable]) != self.negated

    def __invert__(self) -> Literal:
        flipped = self.literal ^ 1
        return Literal(self.graph, flipped) if flipped & 1 else Variable(self.graph, flipped)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return NotImplemented
        return self.literal == other.literal and self.graph is other.graph

    def __hash__(self) -> int:
        return hash((id(self.graph), self.literal))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self.name} has no truth value before the graph is solved; "
            "read it with solution[x], and add a factor to constrain it"
        )

    def __repr__(self) -> str:
        return self.name


class Variable(Literal):
    """A binary variable; as a literal it means that the variable is on."""

    __slots__ = ()


class Variables(Sequence[Variable]):
    """Binary variables that were added in one call, in order.

    Made by `FactorGraph.variables`. A sequence, to unpack, to index or to pass to a factor.

    Examples
    --------
    >>> from treaty.graph import FactorGraph
    >>> x = FactorGraph().variables([0.5, -0.2, 0.1])
    >>> x[0], ~x[-1], x[1:], len(x)
    (x0, ~x2, [x1, x2], 3)
    >>> x.indices
    array([0, 1, 2])
    """

    __slots__ = ("first", "graph", "size")

    def __init__(self, graph: FactorGraph, first: int, size: int) -> None:
        self.graph = graph
        self.first = first
        self.size = size

    @property
    def indices(self) -> npt.NDArray[np.int64]:
        """Their indices among the binary variables of the graph."""
        return np.arange(self.first, self.first + self.size, dtype=np.int64)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> Variable: ...
    @overload
    def __getitem__(self, index: slice) -> list[Variable]: ...
    def __getitem__(self, index: int | slice) -> Variable | list[Variable]:
        if isinstance(index, slice):
            chosen = range(self.first, self.first + self.size)[index]
            return [Variable(self.graph, 2 * v) for v in chosen]
        place = operator.index(index)
        if not -self.size <= place < self.size:
            raise IndexError(f"there are {self.size} variables, and none at {index}")
        return Variable(self.graph, 2 * (self.first + place % self.size))

    def __iter__(self) -> Iterator[Variable]:
        return (Variable(self.graph, 2 * v) for v in range(self.first, self.first + self.size))

    def __add__(self, other: Sequence[Any]) -> list[Any]:
        return [*self, *other]

    def __radd__(self, other: Sequence[Any]) -> list[Any]:
        return [*other, *self]

    def __mul__(self, times: int) -> list[Variable]:
        return list(self) * times

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variables | list):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


class Categorical:
    """A variable that takes exactly one of several states, each stored as a binary variable.

    Made by `FactorGraph.categorical`. ``c[k]`` is the literal "c is in state k".

    Examples
    --------
    >>> from treaty.graph import FactorGraph
    >>> weather = FactorGraph().categorical([0.1, 0.5, 0.2], name="weather")
    >>> len(weather), weather[1], ~weather[2]
    (3, weather[1], ~weather[2])
    """

    __slots__ = ("first", "graph", "index", "size")

    def __init__(self, graph: FactorGraph, index: int, first: int, size: int) -> None:
        self.graph = graph
        self.index = index
        self.first = first
        self.size = size

    @property
    def name(self) -> str:
        """Its name; ``c0``, ``c1``… where none was given."""
        return self.graph.name_of_categorical(self.index)

    def state_in(self, values: npt.NDArray[np.int8]) -> int:
        """Return the state, given a value per binary variable."""
        return int(np.argmax(values[self.first : self.first + self.size]))

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, state: int) -> Variable:
        k = operator.index(state)
        if not -self.size <= k < self.size:
            raise IndexError(f"{self.name} has the states 0 to {self.size - 1}, not {k}")
        return Variable(self.graph, 2 * (self.first + k % self.size))

    def __iter__(self) -> Iterator[Variable]:
        return (Variable(self.graph, 2 * v) for v in range(self.first, self.first + self.size))

    def __contains__(self, literal: object) -> bool:
        return any(state == literal for state in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Categorical):
            return NotImplemented
        return self.index == other.index and self.graph is other.graph

    def __hash__(self) -> int:
        return hash((id(self.graph), "categorical", self.index))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self.name} has no truth value; read its state with solution[{self.name}]"
        )

    def __repr__(self) -> str:
        return f"{self.name}({self.size} states)"


def check_owner(graph: FactorGraph, thing: object) -> None:
    """Raise `UsageError` for anything but a variable of this graph."""
    if not isinstance(thing, Literal | Categorical):
        raise UsageError(f"expected a variable or its negation, got {thing!r}")
    if thing.graph is not graph:
        raise UsageError(
            f"{thing!r} belongs to another graph; get this graph's variable with "
            "graph[name] or graph[index]"
        )
