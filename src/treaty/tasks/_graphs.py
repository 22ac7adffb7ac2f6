"""Small factor graphs as JSON, in the words of `FactorGraph`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from treaty.errors import UsageError
from treaty.tasks._request import Option, Record

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.graph import Literal as GraphLiteral

__all__ = ["FactorRecord", "GraphRecord", "VariableRecord", "graph_of"]

COUNTED = ("at_most", "exactly", "at_least")
WITH_OUTPUT = ("xor_with_output", "or_with_output", "and_with_output")
MOST = 1e12


@dataclass(frozen=True, kw_only=True)
class VariableRecord(Record):
    """A variable that is on or off."""

    name: Annotated[str, Option("The name.", shortest=1, longest=100)]
    score: Annotated[float, Option("The score if it is on.", least=-MOST, most=MOST)] = 0.0
    fixed: Annotated[bool | None, Option("Whether it must be on, or must be off.")] = None


@dataclass(frozen=True, kw_only=True)
class FactorRecord(Record):
    """A factor. ``~name`` is the negation of a variable; an output comes last."""

    kind: Annotated[
        Literal[
            "exactly_one", "at_most_one", "at_least_one", "implies", "xor_with_output",
            "or_with_output", "and_with_output", "at_most", "exactly", "at_least", "knapsack",
            "reward",
        ],
        Option("The method of `FactorGraph`."),
    ]  # fmt: skip
    of: Annotated[tuple[str, ...], Option("The names of variables.", shortest=1)]
    k: Annotated[
        int | None, Option("at_most, exactly, at_least: the number.", least=0, most=2**31 - 1)
    ] = None
    score: Annotated[
        float | None, Option("reward: the score if all are on.", least=-MOST, most=MOST)
    ] = None
    costs: Annotated[
        tuple[float, ...] | None,
        Option("knapsack: the cost of each.", least=-MOST, most=MOST),
    ] = None
    capacity: Annotated[
        float | None, Option("knapsack: the most that they may cost.", least=-MOST, most=MOST)
    ] = None


@dataclass(frozen=True, kw_only=True)
class GraphRecord(Record):
    """Variables and factors."""

    variables: Annotated[tuple[VariableRecord, ...], Option("The variables.", shortest=1)]
    factors: Annotated[tuple[FactorRecord, ...], Option("The factors.")] = ()


def graph_of(record: GraphRecord) -> FactorGraph:
    """Make a graph.

    Raises
    ------
    UsageError
        For a factor that names an unknown variable, or lacks something.

    Examples
    --------
    >>> tea, coffee = VariableRecord(name="tea", score=1), VariableRecord(name="coffee", score=2)
    >>> rule = FactorRecord(kind="at_most_one", of=("tea", "coffee"))
    >>> graph_of(GraphRecord(variables=(tea, coffee), factors=(rule,))).solve().values.tolist()
    [0, 1]
    """
    from treaty.graph import FactorGraph

    graph = FactorGraph()
    names = [variable.name for variable in record.variables]
    variables = graph.variables([variable.score for variable in record.variables], names)
    known = dict(zip(names, variables, strict=True))
    for number, factor in enumerate(record.factors, 1):
        literals = [_literal(name, known, number) for name in factor.of]
        _add(graph, factor, literals, number)
    for variable in record.variables:
        if variable.fixed is not None:
            graph.fix(known[variable.name], variable.fixed)
    return graph


def _literal(name: str, known: dict[str, Any], number: int) -> GraphLiteral:
    plain = name.removeprefix("~").strip()
    if plain not in known:
        raise UsageError(f"factor {number}: there is no variable {plain[:100]!r}")
    literal: GraphLiteral = ~known[plain] if name.startswith("~") else known[plain]
    return literal


def _add(graph: FactorGraph, factor: FactorRecord, literals: list[Any], number: int) -> None:
    needs = {
        "k": factor.kind in COUNTED,
        "score": factor.kind == "reward",
        "costs": factor.kind == "knapsack",
        "capacity": factor.kind == "knapsack",
    }
    for name, is_needed in needs.items():
        if is_needed != (getattr(factor, name) is not None):
            problem = "needs" if is_needed else "has no"
            raise UsageError(f"factor {number}: {factor.kind} {problem} {name!r}")
    if factor.kind in COUNTED:
        getattr(graph, factor.kind)(factor.k, literals)
    elif factor.kind in WITH_OUTPUT:
        getattr(graph, factor.kind)(literals[:-1], literals[-1])
    elif factor.kind == "knapsack":
        graph.knapsack(literals, list(factor.costs or ()), factor.capacity or 0.0)
    elif factor.kind == "reward":
        graph.reward(literals, score=factor.score)
    else:
        getattr(graph, factor.kind)(literals)
