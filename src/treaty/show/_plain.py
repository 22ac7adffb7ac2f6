"""Solutions as text for other programs: tab-separated lines, or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.solve import Solution, Trace

__all__ = ["as_csv", "as_json", "as_text", "as_uai", "assignment"]

CERTIFICATE = ("status", "objective", "bound", "gap", "iterations", "seconds", "method")


def assignment(graph: FactorGraph, solution: Solution) -> Iterator[tuple[str, int]]:
    """Yield every variable's name and its value, 0 or 1, or the state of a categorical one.

    Yields nothing if the solution has no answer.
    """
    if not math.isfinite(solution.objective):
        return
    for variable in graph.whole_variables:
        yield variable.name, int(solution[variable])


def short(number: float) -> str:
    """Format a number for people."""
    return format(number + 0.0, ".10g")  # + 0.0: no negative zero


def as_text(graph: FactorGraph, solution: Solution) -> str:
    r"""Write a solution for ``grep`` and ``cut``: the certificate in comments, then the variables.

    Parameters
    ----------
    graph, solution
        A graph and its solution.

    Returns
    -------
    str
        ``# status<TAB>OPTIMAL`` and so on, then ``name<TAB>value`` for every variable.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([1.0, 1.5], names=["tea", "coffee"]))
    >>> as_text(graph, graph.solve()).splitlines()[-2:]
    ['tea\t0', 'coffee\t1']
    """
    shown = {name: getattr(solution, name) for name in CERTIFICATE}
    lines = [
        f"# {name}\t{short(value) if isinstance(value, float) else value}"
        for name, value in shown.items()
    ]
    lines += [f"{name}\t{value}" for name, value in assignment(graph, solution)]
    return "\n".join(lines) + "\n"


def as_uai(graph: FactorGraph, solution: Solution) -> str:
    r"""Write a solution as in the UAI competitions: ``MPE``, the number of variables, their states.

    Only ``MPE`` is written if there is no answer.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.categorical([0.1, 0.7, 0.2]), graph.variable(1.0)
    >>> as_uai(graph, graph.solve())
    'MPE\n2 1 1\n'
    """
    states = [str(state) for _, state in assignment(graph, solution)]
    if not states and not math.isfinite(solution.objective):
        return "MPE\n"
    return f"MPE\n{' '.join([str(len(states)), *states])}\n"


def as_json(graph: FactorGraph, solution: Solution) -> str:
    """Write a solution as one line of JSON.

    Parameters
    ----------
    graph, solution
        A graph and its solution.

    Returns
    -------
    str
        ``method``, ``values`` (0 or 1 per binary variable, or null when there is no answer),
        ``certificate``, ``names`` (of the variables) and ``categoricals`` (the state of each by
        name).

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.categorical([0.5, 1.5], name="drink")
    >>> record = json.loads(as_json(graph, graph.solve()))
    >>> record["certificate"]["status"], record["values"], record["names"], record["categoricals"]
    ('OPTIMAL', [0, 1], ['drink[0]', 'drink[1]'], {'drink': 1})
    """
    answered = math.isfinite(solution.objective)
    record = solution.to_dict() | {
        "names": graph.names,
        "categoricals": {c.name: solution[c] for c in graph.categoricals} if answered else None,
    }
    return json.dumps(record, allow_nan=False) + "\n"


def as_csv(trace: Trace) -> str:
    """Write a trace as comma-separated values, a column for each of its fields.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([1.0, 1.5]))
    >>> as_csv(graph.solve(trace=True).trace).splitlines()[0]
    'iteration,seconds,objective,bound,primal_residual,dual_residual'
    """
    columns = ",".join(field.name for field in fields(trace))
    return "\n".join([columns, *(",".join(map(repr, row)) for row in trace.rows())]) + "\n"
