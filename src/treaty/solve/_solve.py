"""One function for all solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Unpack

from treaty._native import solve as native
from treaty._native.graph import Graph, GraphError, Hold
from treaty._threads import spread
from treaty.errors import UsageError, check_threads
from treaty.progress import Progress
from treaty.solve._deadline import Deadline
from treaty.solve._dual import LARGEST
from treaty.solve._judge import judged
from treaty.solve._methods import SolveOptions, method_named
from treaty.solve._solution import Solution

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["options_of", "solve", "solve_many"]


def solve(graph: FactorGraph, method: str = "ad3", **options: Unpack[SolveOptions]) -> Solution:
    """Find the best assignment of a graph, with a certificate.

    Parameters
    ----------
    graph
        The problem.
    method
        One of `METHODS`: ``"ad3"`` (the default), ``"exact"``, ``"ilp"`` and others.
    **options
        Limits (``iterations``, ``time_limit``, ``gap``), ``trace=True``, ``progress`` and the other
        options of the method, see `SolveOptions`. One that the method does not have raises a
        `UsageError`.

    Returns
    -------
    Solution
        The answer and its certificate.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> tea, coffee = graph.variables([1.0, 1.5])
    >>> _ = graph.at_most_one(tea, coffee)
    >>> solution = solve(graph)
    >>> solution.status.value, solution.objective, solution[coffee]
    ('OPTIMAL', 1.5, True)
    """
    return _answer(_solver(method, frozenset(options)), graph.native, options)


def solve_many(
    graphs: Iterable[FactorGraph],
    method: str = "ad3",
    *,
    threads: int | None = None,
    **options: Unpack[SolveOptions],
) -> list[Solution]:
    """Solve many graphs in parallel threads.

    Parameters
    ----------
    graphs
        The problems.
    method, **options
        As for `solve`, the same for all.
    threads
        Number of threads; all cores by default. Results do not depend on it.

    Returns
    -------
    list of Solution
        The solutions, in the order of the graphs.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graphs = [FactorGraph() for _ in range(3)]
    >>> for k, graph in enumerate(graphs):
    ...     _ = graph.variables([k - 1.0])
    >>> [solution.objective for solution in solve_many(graphs)]
    [0.0, 0.0, 1.0]
    """
    solver = _solver(method, frozenset(options))
    if threads is not None:
        check_threads(threads)
    cancel = options.get("cancel") or native.Cancel()
    if "cancel" in options_of(method):
        options["cancel"] = cancel
    return spread(
        lambda graph: _answer(solver, graph.native, options), graphs, threads, on_stop=cancel.set
    )


def options_of(method: str) -> tuple[str, ...]:
    """List the options of a method.

    Examples
    --------
    >>> "time_limit" in options_of("exact"), "time_limit" in options_of("exhaustive")
    (True, False)
    """
    return tuple(method_named(method).options)


def _answer(solver: Callable[..., Solution], graph: Graph, options: Mapping[str, Any]) -> Solution:
    """Solve a graph, with the penalties that no optimum pays as hard constraints.

    A level that has an answer is proved by it: no assignment outside the level scores as much.
    """
    if options.get("time_limit") is not None:  # an integer may be too large for a float
        options = {**options, "time_limit": min(options["time_limit"], LARGEST)}
    try:
        scale = native.handy_scale(graph)
        if scale == 1.0:
            return _held(solver, graph, options)
        with Hold(graph):
            scaled = native.rescaled(graph, scale)
            solution = _held(solver, scaled, _scaled_options(options, scale))
            return judged(graph, solution.divided(scale))
    except GraphError as error:  # about the answers of a custom factor
        raise UsageError(str(error)) from error


def _at_level(options: Mapping[str, Any], level: native.Hardened) -> dict[str, Any]:
    """Report progress as of the whole graph: what the level excludes scores up to its limit."""

    def of_whole(scores: dict[str, float]) -> dict[str, float]:
        bound = max(scores["bound"] + level.constant, level.limit)
        return {"objective": scores["objective"] + level.constant, "bound": bound}

    return _reporting(options, of_whole)


def _reporting(
    options: Mapping[str, Any], change: Callable[[dict[str, float]], dict[str, float]]
) -> dict[str, Any]:
    """Change the scores that progress reports."""
    progress = options.get("progress")
    if progress is None:
        return dict(options)

    def report(event: Progress) -> object:
        return progress(replace(event, scores={**event.scores, **change(dict(event.scores))}))

    return {**options, "progress": report}


def _scaled_options(options: Mapping[str, Any], scale: float) -> dict[str, Any]:
    scaled = _reporting(
        options, lambda scores: {name: scores[name] / scale for name in ("objective", "bound")}
    )
    if options.get("gap"):
        scaled["gap"] = min(options["gap"], LARGEST) * scale
    return scaled


def _held(solver: Callable[..., Solution], graph: Graph, options: Mapping[str, Any]) -> Solution:
    with Hold(graph):  # other threads, and custom factors, must not change it
        deadline = Deadline(options.get("time_limit"))
        levels = native.harden(graph, seconds=deadline.seconds(), cancel=options.get("cancel"))
        for level in levels:
            at_level = _at_level(_left(options, deadline), level)
            solution = judged(level.graph, solver(level.graph, **at_level))
            if solution.objective + level.constant >= level.limit:
                return judged(graph, solution.shifted(level.constant))
        return judged(graph, solver(graph, **_left(options, deadline)))


def _left(options: Mapping[str, Any], deadline: Deadline) -> Mapping[str, Any]:
    """Return the options with the time that is left."""
    if not (options.get("time_limit") is not None and options["time_limit"] >= 0.0):
        return options  # no limit, or one that the method refuses
    return {**options, "time_limit": deadline.left()}


@cache
def _solver(method: str, options: frozenset[str]) -> Callable[..., Solution]:
    """Return the function of a method, after checking these options."""
    known = options_of(method)
    if unknown := sorted(options.difference(known)):
        raise UsageError(
            f"method {method!r} has no option {', '.join(map(repr, unknown))}: "
            f"choose from {', '.join(known)}"
        )
    return method_named(method).function
