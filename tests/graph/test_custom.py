"""A user's own factors, in Python or compiled (their oracles are in test_custom_oracles.py)."""

import ctypes

import numpy as np
import pytest

from treaty.errors import UsageError


class Nothing:
    """Only the empty configuration."""

    def maximize(self, scores):
        return np.zeros(len(scores))


def test_a_python_factor(graph, xs):
    factor = graph.factor(Nothing(), xs[:3])
    assert (factor.kind, factor.literals) == ("custom", tuple(xs[:3]))
    with pytest.raises(UsageError, match="maximize"):
        graph.factor(object(), xs)


def test_a_compiled_factor(graph, xs):
    signature = ctypes.CFUNCTYPE(
        ctypes.c_double, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
    )
    pointer = signature(lambda *_: 0.0)

    class Cfunc:  # what numba's cfunc looks like
        address = ctypes.cast(pointer, ctypes.c_void_p).value

    for function in (pointer, Cfunc(), Cfunc.address):
        assert graph.compiled_factor(function, xs).kind == "custom"
    for wrong in (None, "f", 0, True, print):
        with pytest.raises(UsageError, match="compiled_factor"):
            graph.compiled_factor(wrong, xs)
