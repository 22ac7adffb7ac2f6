"""Solving: the graphs of a part of a file, by a worker of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from treaty.tasks._run import Run

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.solve import Solution

__all__ = ["SolutionFormat", "SolvePart", "solution_text"]

SolutionFormat = Literal["text", "json", "uai"]


def solution_text(
    graph: FactorGraph,
    solution: Solution,
    format: SolutionFormat,  # noqa: A002
    number: int | None = None,
    on_terminal: bool = False,
) -> str:
    """Write a solution, with the number of its graph if there are several."""
    from treaty.show import as_json, as_text, as_uai, rendered, solution_table

    head = f"# graph\t{number}\n" if number is not None and format == "text" else ""
    if format == "text" and on_terminal:
        return head + rendered(solution_table(graph, solution), wrap=True)
    return head + {"json": as_json, "uai": as_uai, "text": as_text}[format](graph, solution)


class SolvePart:
    """Solves the graphs of a part of a run on a cluster.

    Parameters
    ----------
    method, options, shown
        The method and its options; the format of solutions.
    """

    def __init__(self, method: str, options: dict[str, Any], shown: SolutionFormat) -> None:
        self.method, self.options, self.shown = method, options, shown

    def __call__(
        self,
        content: Iterable[tuple[int, FactorGraph]],
        write: Callable[[str], object],
        kind: str = "",
    ) -> dict[str, Any]:
        """Solve graphs that come with their numbers; returns the report."""
        run = Run()
        for number, graph in content:
            (solution,) = run.watched([graph.solve(self.method, **self.options)])
            write(solution_text(graph, solution, self.shown, number))
        return run.report()
