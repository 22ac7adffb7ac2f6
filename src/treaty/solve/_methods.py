"""The solvers by name, and the types of all their options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, TypedDict, get_type_hints

from treaty._native.solve import Cancel
from treaty.errors import UsageError
from treaty.progress import OnProgress
from treaty.solve._solution import Solution

__all__ = ["METHODS", "Limits", "Method", "MethodOption", "SolveOptions", "method_named"]


@dataclass(frozen=True)
class MethodOption:
    """An option of a solver.

    Attributes
    ----------
    name
        The keyword.
    type
        The type of its values, as annotated.
    default
        Its value if it is not given.
    """

    name: str
    type: Any
    default: Any


@dataclass(frozen=True)
class Method:
    """A solver: its name, its purpose, and where its function is.

    Attributes
    ----------
    name
        The name that `solve` takes.
    summary
        The algorithm in one line.
    module, function_name
        The module below ``treaty.solve``, imported on first use, and its function of a native graph
        and keyword options.
    for_patterns
        Whether it solves pattern problems only.

    Examples
    --------
    >>> METHODS["junction"].for_patterns
    True
    >>> METHODS["ilp"].options["time_limit"]
    MethodOption(name='time_limit', type=float | None, default=None)
    """

    name: str
    summary: str
    module: str
    function_name: str
    for_patterns: bool = False

    @cached_property
    def function(self) -> Callable[..., Solution]:
        """The function of a native graph and the options."""
        module = import_module(f"treaty.solve.{self.module}")
        function: Callable[..., Solution] = getattr(module, self.function_name)
        return function

    @cached_property
    def options(self) -> Mapping[str, MethodOption]:
        """The options by name, with types and defaults, from the signature of the function."""
        types = get_type_hints(self.function)
        _, *options = inspect.signature(self.function).parameters.values()  # the graph is first
        return MappingProxyType(
            {one.name: MethodOption(one.name, types[one.name], one.default) for one in options}
        )


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("ad3", "Alternating directions dual decomposition.", "_dual", "solve_ad3"),
        Method("subgradient", "Subgradient dual decomposition.", "_dual", "solve_subgradient"),
        Method("two-slave", "A tree and a minimum cut.", "_two_slave", "solve_two_slave", True),
        Method("naive", "Spanning trees and patterns.", "_two_slave", "solve_naive", True),
        Method("lp", "The linear relaxation, by HiGHS.", "_lp", "solve_lp"),
        Method("ilp", "The integer program, by HiGHS.", "_ilp", "solve_ilp"),
        Method("exact", "Branch and bound on dual bounds.", "_exact", "solve_exact"),
        Method("junction", "Slices of bounded treewidth.", "_junction", "solve_junction", True),
        Method("exhaustive", "All assignments, one by one.", "_exhaustive", "exhaustive"),
    )
}
"""All solvers by name."""


def method_named(name: str) -> Method:
    """Return a method; raise `UsageError` if there is none of this name."""
    if name not in METHODS:
        raise UsageError(f"there is no method {name!r}: choose one of {', '.join(METHODS)}")
    return METHODS[name]


class Limits(TypedDict, total=False):
    """When a solver stops, and how it reports before that."""

    iterations: int
    """Stop after this many iterations, or nodes of a search."""
    time_limit: float | None
    """Stop after this many seconds, preparation included."""
    gap: float
    """Stop as soon as bound and objective differ by at most this."""
    cancel: Cancel | None
    """Stop when this is set; used by `solve_many`."""
    progress: OnProgress | None
    """Called with a `treaty.Progress` event; the solver stops if it returns False."""
    progress_every: int
    """Iterations or nodes between two events."""
    trace: bool
    """Whether to record objective, bound and residuals in ``solution.trace``."""


class SolveOptions(Limits, total=False):
    """Options of all solvers; each takes some of them, see `Method.options`.

    Other keywords, and those that belong to another method, raise a `UsageError`.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> _ = graph.variables([1.0, -2.0])
    >>> quick: SolveOptions = {"time_limit": 1.0, "gap": 0.1}
    >>> graph.solve("exact", **quick).objective
    1.0
    """

    tolerance: float
    """``ad3``, ``two-slave``, ``naive``: the precision with which the relaxation is solved."""
    penalty: float | None
    """``ad3``: initial weight of the quadratic term, relative to the size of the scores."""
    adapt_penalty: bool
    """``ad3``: whether to balance primal and dual residuals by adapting the penalty."""
    projection_rounds: int | None
    """``ad3``: maximum number of configurations that change in one projection of a factor."""
    polish: bool
    """``ad3``: whether to improve the final answer by local search."""
    warm_start: Solution | None
    """``ad3``: an earlier solution of the same or a similar graph to start from."""
    step_rule: str
    """``subgradient``, ``two-slave``, ``naive``: the rule for the size of steps."""
    step: float
    """``subgradient``, ``two-slave``, ``naive``: initial step, relative to the scores."""
    style: str
    """``two-slave``: how negative patterns are rewritten."""
    warm_cut: bool
    """``two-slave``: whether each minimum cut starts from the one before it."""
    table_cells: int
    """``junction``: maximum size of the tables of elimination."""
    solver: str
    """``lp``: ``"dual"`` or ``"primal"`` simplex, or ``"ipm"``."""
    limit: int
    """``exhaustive``: refuse graphs with more assignments than this."""
