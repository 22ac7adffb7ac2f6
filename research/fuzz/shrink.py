"""``python -m research.fuzz.shrink HARNESS CASE``: make the JSON case of a finding smaller.

Elements are taken out of lists and objects, and numbers made simple, as long as the same is found.
The case is written over; as Python it is printed.
"""

from __future__ import annotations

import argparse
import copy
import json
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from research.fuzz.__main__ import harnesses
from research.fuzz._recipes import snippet
from research.fuzz._run import Harness, judged

__all__ = ["shrunk"]

HANG = "hang"
SECONDS = 3.0
SIMPLE = (0.0, 1.0, -1.0)


def shrunk(case: Any, is_same: Callable[[Any], bool]) -> Any:
    """Make a case smaller until nothing can be left out.

    Examples
    --------
    >>> shrunk({"a": [3, 1.7], "b": [2.5]}, lambda case: 2.5 in case.get("b", ()))
    {'b': [2.5]}
    """
    goes_on = True
    while goes_on:
        goes_on = False
        for smaller in _smaller(case):
            if is_same(smaller):
                case, goes_on = smaller, True
                break
    return case


def _smaller(case: Any) -> Iterator[Any]:
    """List cases that have one thing less, or a simpler number."""
    for path in _paths(case):
        *above, last = path
        twin = copy.deepcopy(case)
        del _at(twin, above)[last]
        yield twin
    for path in _paths(case):
        number = _at(case, path)
        if isinstance(number, float) and number not in SIMPLE:
            for simple in (*SIMPLE, float(f"{number:.1e}"), float(f"{number:.3g}")):
                if simple in SIMPLE or len(repr(simple)) < len(repr(number)):
                    *above, last = path
                    twin = copy.deepcopy(case)
                    _at(twin, above)[last] = simple
                    yield twin


def _paths(case: Any) -> Iterator[list[Any]]:
    """List the places in a case, the large ones first."""
    level = [[]] if isinstance(case, list | dict) else []
    while level:
        deeper: list[list[Any]] = []
        for path in level:
            node = _at(case, path)
            keys = range(len(node) - 1, -1, -1) if isinstance(node, list) else list(node)
            deeper += [[*path, key] for key in keys]
        yield from deeper
        level = [path for path in deeper if isinstance(_at(case, path), list | dict)]


def _at(case: Any, path: list[Any]) -> Any:
    for key in path:
        case = case[key]
    return case


def found_in(harness: Harness, data: bytes, seconds: float = SECONDS) -> str | None:
    """Say what is found in a case, in a process of its own."""
    context = get_context("fork")
    here, there = context.Pipe()

    def work() -> None:
        warnings.simplefilter("error")
        there.send(judged(harness, data)[1])

    process = context.Process(target=work, daemon=True)
    process.start()
    try:
        there.close()
        if not here.poll(seconds):
            return HANG
        found: str | None = here.recv()
        return found
    except EOFError:
        return "crash"
    finally:
        process.kill()
        process.join()


def main() -> None:
    """Shrink a case."""
    parser = argparse.ArgumentParser(prog="python -m research.fuzz.shrink", description=__doc__)
    parser.add_argument("harness")
    parser.add_argument("case", type=Path)
    given = parser.parse_args()
    harness = next(one for one in harnesses([given.harness]) if one.name == given.harness)
    data = given.case.read_bytes()
    what = found_in(harness, data)
    print(f"# {what}")
    if what is None:
        return
    case = shrunk(json.loads(data), lambda one: found_in(harness, json.dumps(one).encode()) == what)
    given.case.write_text(json.dumps(case))
    print(json.dumps(case))
    print(snippet(case))


if __name__ == "__main__":
    main()
