"""Base class of the factor families of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from treaty._native.graph import Graph, GraphError, Kind
from treaty.errors import UsageError
from treaty.graph._factors import NO_DATA, NO_SHAPE, Factor, Floats, Ints, literal_codes

if TYPE_CHECKING:
    from treaty.graph._graph import FactorGraph


class Base:
    """The native graph, and the method through which all factors are added to it."""

    def __init__(self) -> None:
        self.native = Graph()
        self._oracles: dict[int, Any] = {}  # of a user's own factors, by their index

    @property
    def _self(self) -> FactorGraph:
        return cast("FactorGraph", self)

    def _codes(self, literals: Iterable[Any]) -> list[int]:
        return literal_codes(self._self, literals)

    def _add(
        self, kind: Kind, codes: list[int], data: Floats = NO_DATA, shape: Ints = NO_SHAPE
    ) -> Factor:
        return self._added(self.native.add, kind, np.array(codes, np.int32), data, shape)

    def _added(self, add: Callable[..., int], *arguments: Any) -> Factor:
        try:
            return Factor(self._self, add(*arguments))
        except GraphError as error:
            raise UsageError(str(error)) from error
