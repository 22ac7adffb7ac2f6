"""Small factor graphs as JSON, in the words of `FactorGraph`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.graph import Literal as GraphLiteral

__all__ = ["FactorRecord", "GraphRecord", "VariableRecord", "graph_of"]

Score = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=100)]
COUNTED = ("at_most", "exactly", "at_least")
WITH_OUTPUT = ("xor_with_output", "or_with_output", "and_with_output")


class VariableRecord(BaseModel):
    """A variable that is on or off."""

    model_config = ConfigDict(extra="forbid")
    name: Name
    score: Score = 0.0
    fixed: bool | None = Field(None, description="Whether it must be on, or must be off.")


class FactorRecord(BaseModel):
    """A factor. ``~name`` is the negation of a variable; an output comes last."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal[
        "exactly_one", "at_most_one", "at_least_one", "implies", "xor_with_output",
        "or_with_output", "and_with_output", "at_most", "exactly", "at_least", "knapsack", "reward",
    ]  # fmt: skip
    of: list[Name] = Field(min_length=1)
    k: int | None = Field(
        None, ge=0, le=2**31 - 1, description="at_most, exactly, at_least: how many."
    )
    score: Score | None = Field(None, description="reward: the score if all are on.")
    costs: list[Score] | None = Field(None, description="knapsack: the cost of each.")
    capacity: Score | None = Field(None, description="knapsack: the most that they may cost.")


class GraphRecord(BaseModel):
    """Variables and factors."""

    model_config = ConfigDict(extra="forbid")
    variables: list[VariableRecord] = Field(min_length=1)
    factors: list[FactorRecord] = []


def graph_of(record: GraphRecord) -> FactorGraph:
    """Make a graph.

    Raises
    ------
    UsageError
        For a factor that names an unknown variable, or lacks something.

    Examples
    --------
    >>> tea, coffee = VariableRecord(name="tea", score=1), VariableRecord(name="coffee", score=2)
    >>> rule = FactorRecord(kind="at_most_one", of=["tea", "coffee"])
    >>> graph_of(GraphRecord(variables=[tea, coffee], factors=[rule])).solve().values.tolist()
    [0, 1]
    """
    graph = FactorGraph()
    names = [variable.name for variable in record.variables]
    made = graph.variables([variable.score for variable in record.variables], names)
    known = dict(zip(names, made, strict=True))
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
        raise UsageError(f"factor {number}: there is no variable {plain!r}")
    found: GraphLiteral = ~known[plain] if name.startswith("~") else known[plain]
    return found


def _add(graph: FactorGraph, factor: FactorRecord, literals: list[Any], number: int) -> None:
    needs = {
        "k": factor.kind in COUNTED,
        "score": factor.kind == "reward",
        "costs": factor.kind == "knapsack",
        "capacity": factor.kind == "knapsack",
    }
    for name, is_needed in needs.items():
        if is_needed != (getattr(factor, name) is not None):
            what = "needs" if is_needed else "has no"
            raise UsageError(f"factor {number}: {factor.kind} {what} {name!r}")
    if factor.kind in COUNTED:
        getattr(graph, factor.kind)(factor.k, literals)
    elif factor.kind in WITH_OUTPUT:
        getattr(graph, factor.kind)(literals[:-1], literals[-1])
    elif factor.kind == "knapsack":
        graph.knapsack(literals, factor.costs or [], factor.capacity or 0.0)
    elif factor.kind == "reward":
        graph.reward(literals, score=factor.score)
    else:
        getattr(graph, factor.kind)(literals)
