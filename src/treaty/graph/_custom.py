"""A user's own factors."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np

from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor
from treaty.graph._pickling import COMPILED
from treaty.graph._variables import Literal

__all__ = ["CustomFactors"]


class CustomFactors(Base):
    """Factors defined by an oracle: a function that finds their best configuration."""

    def factor(self, oracle: Any, literals: Iterable[Literal]) -> Factor:
        """Add a factor of your own, written in Python.

        Parameters
        ----------
        oracle
            An object with a method ``maximize(scores)`` that returns the factor's best
            configuration for given scores of its literals: 0 or 1 for each, or a pair of those and
            the configuration's own score. A method ``evaluate(configuration)`` that returns the own
            score of any configuration (``-inf``: not allowed) is optional.
        literals
            The literals of the factor, in the order of the scores.

        See Also
        --------
        compiled_factor : the same for a compiled function.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> class AllOrNone:
        ...     def maximize(self, scores):
        ...         return [float(sum(scores) > 0)] * len(scores)
        >>> graph = FactorGraph()
        >>> graph.factor(AllOrNone(), graph.variables([0.5, -0.2]))
        <Factor 0: custom(x0, x1)>
        """
        if not callable(getattr(oracle, "maximize", None)):
            raise UsageError(f"factor: {oracle!r} has no method maximize(scores)")
        codes = np.array(self._codes((literals,)), np.int32)
        added = self._added(self.native.add_python_oracle, codes, oracle)
        self._oracles[added.index] = oracle
        return added

    def compiled_factor(
        self, function: Any, literals: Iterable[Literal], user_data: int = 0
    ) -> Factor:
        """Add a factor of your own as a compiled function, with no Python in the solver's loop.

        Parameters
        ----------
        function
            Its address, a ctypes function pointer, or an object with an ``address`` such as a numba
            ``cfunc``. Its signature is ``double (const double* scores, int64_t degree, uint8_t*
            configuration, void* user_data)``: it fills in the best configuration and returns that
            configuration's own score. It is kept alive with the graph.
        literals
            The literals of the factor.
        user_data
            An address that is passed to the function.
        """
        codes = np.array(self._codes((literals,)), np.int32)
        add = self.native.add_compiled_oracle
        added = self._added(add, codes, address_of(function), user_data, function)
        self._oracles[added.index] = COMPILED
        return added


def address_of(function: Any) -> int:
    """Find the address of a compiled function."""
    address = getattr(function, "address", function)
    if hasattr(function, "argtypes"):  # a ctypes function pointer; ctypes hides their common class
        address = ctypes.cast(function, ctypes.c_void_p).value
    if not isinstance(address, int) or isinstance(address, bool) or address <= 0:
        raise UsageError(
            "compiled_factor: expected an address, a ctypes function pointer or a numba cfunc, "
            f"got {function!r}"
        )
    return address
