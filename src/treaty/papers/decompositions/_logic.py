"""Trees and head automata as small constraints, for both factor graphs and linear programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from treaty.papers.decompositions._model import SiblingModel, Side

__all__ = ["add_automaton", "add_grandparents", "add_heads", "add_multi_commodity_flow"]

Arcs = dict[tuple[int, int], Any]


class Program(Protocol):
    """The common interface of factor graphs and linear programs."""

    def variable(self, score: float = 0.0, /) -> Any: ...
    def fix(self, variable: Any, value: bool, /) -> None: ...
    def exactly_one(self, variables: Any, /) -> Any: ...
    def xor_with_output(self, inputs: Any, output: Any, /) -> Any: ...
    def implies(self, antecedent: Any, consequent: Any, /) -> Any: ...
    def reward(self, one: Any, other: Any, /, *, score: float) -> Any: ...


def add_heads(program: Program, model: SiblingModel, arcs: Arcs) -> None:
    """Require one head for every word, and one modifier of the root if it is single."""
    for word in range(1, model.words + 1):
        program.exactly_one([arc for (_, m), arc in arcs.items() if m == word])
    if model.single_root and model.words:
        program.exactly_one([arc for (h, _), arc in arcs.items() if h == 0])


def add_multi_commodity_flow(program: Program, model: SiblingModel, arcs: Arcs) -> None:
    """Send a separate unit of flow from the root to every word, along arcs that are on.

    Projected on the arcs, this is the polytope of spanning trees (Magnanti & Wolsey 1994; Martins,
    Smith & Xing 2009). All values are 0 or 1 and can be read as logic: "the arc carries the unit of
    word k" and "word j is on the path from the root to word k".
    """
    words = range(1, model.words + 1)
    for k in words:
        carries = {
            (h, m): arc for (h, m), arc in arcs.items() if m == k
        }  # the unit that enters k ends there
        for (h, m), arc in arcs.items():
            if k not in (h, m):
                carries[h, m] = program.variable()
                program.implies(carries[h, m], arc)
        program.exactly_one([unit for (h, _), unit in carries.items() if h == 0])
        for j in words:
            if j != k:
                on_path = program.variable()
                entering = [unit for (_, m), unit in carries.items() if m == j]
                leaving = [unit for (h, _), unit in carries.items() if h == j]
                program.xor_with_output(entering, on_path)
                program.xor_with_output(leaving, on_path)


def add_automaton(program: Program, side: Side, arcs: Arcs) -> None:
    """Add the automaton of a head's modifiers (Martins et al. 2011, appendix F, eqs. 37-42).

    ``last[a]`` is omega in the paper: a is the last modifier up to i that is on. START is modifier
    0, and END one more modifier that is on.
    """
    start, end = program.variable(), program.variable()
    program.fix(start, True)
    program.fix(end, True)
    modifiers = [arcs[side.head, m] for m in side.modifiers]
    last = [start]
    for i, modifier in enumerate([*modifiers, end]):  # from position i to i + 1
        next_sibling = [part(program, side.siblings[a, i]) for a in range(i + 1)]
        still_last = [program.variable() for _ in last]
        for a in range(i + 1):
            program.xor_with_output([still_last[a], next_sibling[a]], last[a])  # (39)
        program.xor_with_output(next_sibling, modifier)  # (40)
        last = [*still_last, modifier]  # (37)
        program.exactly_one(last)  # (38)


def add_grandparents(program: Program, side: Side, arcs: Arcs) -> None:
    """Add a score for every pair of an arc to the head and an arc from it."""
    for g, scores in zip(side.grandparents, side.grandparent_scores, strict=True):
        for m, score in zip(side.modifiers, scores, strict=True):
            if score:
                program.reward(arcs[g, side.head], arcs[side.head, m], score=float(score))


def part(program: Program, score: float) -> Any:
    """Add a variable with a score, fixed off if that is ``-inf``."""
    if score > -math.inf:
        return program.variable(float(score))
    variable = program.variable()
    program.fix(variable, False)
    return variable
