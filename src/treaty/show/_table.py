"""Solutions as tables in the terminal.

Rich is imported when something is drawn: the command line starts, and writes to pipes, without it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from treaty.show._arcs import visible
from treaty.show._plain import assignment, short

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

    from treaty.graph import FactorGraph
    from treaty.solve import Solution

__all__ = ["certificate", "rendered", "solution_table"]

MEANING = {
    "OPTIMAL": ("green", "proved: there is no better answer"),
    "FRACTIONAL": ("yellow", "the relaxation is solved; the answer is rounded"),
    "FEASIBLE": ("yellow", "stopped at a limit, with the best answer so far"),
    "INFEASIBLE": ("red", "proved: no assignment satisfies every factor"),
    "UNKNOWN": ("red", "no answer was found, and infeasibility is not proved"),
}


def solution_table(graph: FactorGraph, solution: Solution) -> Group:
    """Show a solution and its certificate.

    Parameters
    ----------
    graph, solution
        A graph and its solution.

    Returns
    -------
    rich.console.Group
        Renderable for a rich console.

    Examples
    --------
    >>> from rich.console import Console
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([1.0, 1.5], names=["tea", "coffee"]))
    >>> Console(width=60).print(solution_table(graph, graph.solve()))  # doctest: +ELLIPSIS
         on  coffee
    <BLANKLINE>
     status  OPTIMAL (proved: there is no better answer)
    ...
    """
    from rich.console import Group

    return Group(_answer(graph, solution), "", certificate(solution))


def certificate(solution: Solution) -> Table:
    """Show the certificate of an answer."""
    from rich.text import Text

    color, meaning = MEANING[solution.status]
    if solution.status == "FRACTIONAL" and not math.isfinite(solution.objective):
        meaning = "the relaxation is solved, but rounding it found no answer"
    spent = "nodes" if solution.method in ("exact", "junction") else "iterations"
    return _rows(
        {
            "status": Text.assemble((solution.status, f"bold {color}"), f" ({meaning})"),
            "objective": short(solution.objective),
            "bound": short(solution.bound),
            "gap": short(solution.gap),
            "method": f"{solution.method}, {solution.iterations} {spent}, "
            f"{solution.seconds:.3g} seconds",
        }
    )


def _answer(graph: FactorGraph, solution: Solution) -> Table:
    """List the binary variables that are on, and the states of the categorical ones."""
    from rich.text import Text

    categorical = {c.name for c in graph.categoricals}
    answer = list(assignment(graph, solution))
    on = [name for name, value in answer if value and name not in categorical]
    states = [f"{name}={value}" for name, value in answer if name in categorical]
    rows: dict[str, RenderableType] = {}
    if on or not states:
        rows["on"] = (
            Text(visible(" ".join(on))) if on else Text("none" if answer else "no answer", "dim")
        )
    if states:
        rows["states"] = Text(visible(" ".join(states)))
    return _rows(rows)


def _rows(rows: dict[str, RenderableType]) -> Table:
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="dim", min_width=10)
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def rendered(drawing: Any, *, wrap: bool = False) -> str:
    """Draw something of rich's as text, with colors where standard output has them."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=not wrap)
    with console.capture() as capture:
        console.print(drawing)
    return capture.get()
