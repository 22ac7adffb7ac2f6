"""The state of a search for the optimum of a graph, in a file: open boxes and the best answer.

A file carries a checksum and a hash of its graph; one that was changed, or belongs to another
graph, is refused. The answer is scored again by the checker.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._streams import replacing
from treaty.errors import InputError, UsageError
from treaty.graph import FactorGraph
from treaty.solve import check

__all__ = ["Box", "State", "read_state", "write_state"]

ROUNDING = 1e-6
FAULTS = (ArithmeticError, KeyError, OSError, RecursionError, TypeError, ValueError)
"""Exceptions that reading a damaged file may raise."""


class Box(NamedTuple):
    """A box: minus its bound, to sort by; its bound in the prepared graph; its decisions."""

    rank: float
    inner: float
    decisions: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """State of a search, to continue it.

    Attributes
    ----------
    boxes
        All that is open, with what workers have at hand.
    objective, values
        The best answer; ``-inf`` and nothing if there is none yet.
    pruned
        The highest bound of what was closed without being searched further.
    nodes
        Number of nodes so far.
    """

    boxes: list[Box]
    objective: float
    values: npt.NDArray[np.float64]
    pruned: float
    nodes: int


def write_state(path: str | Path, graph: str, state: State) -> None:
    """Replace the file by the state of a search; `graph` is the hash of its graph."""
    record = {
        "graph": graph,
        "objective": state.objective,
        "values": np.rint(state.values).astype(int).tolist(),
        "pruned": state.pruned,
        "nodes": state.nodes,
        "boxes": [[-box.rank, box.inner, list(box.decisions)] for box in state.boxes],
    }
    text = json.dumps(record).encode()
    with replacing(path) as stream:
        stream.write(hashlib.sha256(text).hexdigest().encode() + b"\n" + text)


def read_state(path: str | Path, key: str, graph: FactorGraph) -> State:
    """Read the state of a search for the optimum of this graph.

    Raises
    ------
    UsageError
        When there is no such file, or it belongs to another graph.
    InputError
        When it was damaged or edited.
    """
    if not Path(path).is_file():
        raise UsageError(f"there is no search to continue in {path}")
    try:
        digest, text = Path(path).read_bytes().split(b"\n", 1)
        if hashlib.sha256(text).hexdigest() != digest.decode("ascii", "replace"):
            raise ValueError("its checksum is wrong")
        record = json.loads(text)
        owner, state = record["graph"], _state(record)
    except FAULTS as error:
        raise InputError(
            f"the state of the search cannot be used ({error}): delete it and start again",
            path=str(path),
        ) from error
    if owner != key:
        raise UsageError(f"{path} is the search of another graph: give another file")
    if state.objective > -math.inf:
        checked = check(graph, state.values.astype(np.int8))
        if abs(checked.objective - state.objective) > ROUNDING * max(1.0, abs(state.objective)):
            raise InputError(
                "the answer in the state of the search does not have its stored score: delete the "
                "file and start again",
                path=str(path),
            )
    return state


def _state(record: dict[str, Any]) -> State:
    boxes = [Box(-float(bound), float(inner), _whole(decisions))
             for bound, inner, decisions in record["boxes"]]  # fmt: skip
    values = np.array(_whole(record["values"]), np.float64)
    numbers = [float(record[name]) for name in ("objective", "pruned")]
    if any(math.isnan(n) for n in (*numbers, *(x for box in boxes for x in box[:2]))):
        raise ValueError("a bound is not a number")
    (nodes,) = _whole([record["nodes"]])
    return State(boxes, numbers[0], values, numbers[1], nodes)


def _whole(numbers: Iterable[Any]) -> tuple[int, ...]:
    values = tuple(numbers)
    if any(type(number) is not int for number in values):
        raise ValueError("expected whole numbers")
    return values
