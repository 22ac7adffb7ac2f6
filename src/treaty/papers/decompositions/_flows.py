"""The model as a linear or integer program with flow constraints for trees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.papers.decompositions._linear import LinearProgram
from treaty.papers.decompositions._logic import (
    Arcs,
    add_automaton,
    add_grandparents,
    add_heads,
    add_multi_commodity_flow,
)

if TYPE_CHECKING:
    from treaty.papers.decompositions._model import SiblingModel

__all__ = ["FlowSolution", "flow_program"]


@dataclass(frozen=True, eq=False)
class FlowSolution:
    """The solution of a flow program."""

    value: float
    """The optimum; ``-inf`` if there is no tree."""
    arcs: npt.NDArray[np.float64]
    """The value of each arc in the solution, a row for each head."""

    @property
    def integral(self) -> bool:
        """Whether every arc has the value 0 or 1."""
        return bool(np.abs(self.arcs - self.arcs.round()).max(initial=0.0) < 1e-6)


def flow_program(
    model: SiblingModel,
    commodities: Literal["single", "multi"] = "multi",
    *,
    integral: bool = False,
) -> FlowSolution:
    """Solve a model as a linear or integer program with flow constraints for trees.

    Parameters
    ----------
    model
        The scores.
    commodities
        ``"multi"``: a flow for each word, whose relaxation is exact for trees. ``"single"``: one
        flow for all, smaller but looser. If `integral`, both allow exactly the trees.
    integral
        Whether to restrict arcs to 0 and 1.

    Returns
    -------
    FlowSolution
        The optimum.

    Examples
    --------
    >>> from treaty.papers.decompositions import SiblingModel, flow_program
    >>> model = SiblingModel([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    >>> flow_program(model, "single", integral=True).value
    3.0
    """
    if commodities not in ("single", "multi"):
        raise UsageError(f"commodities: expected 'single' or 'multi', got {commodities!r}")
    program = LinearProgram()
    arcs = {
        arc: program.variable(float(model.arcs[arc]), integral=integral) for arc in model.candidates
    }
    add_heads(program, model, arcs)
    add_flow = add_single_commodity_flow if commodities == "single" else add_multi_commodity_flow
    add_flow(program, model, arcs)
    for side in model.sides():
        add_automaton(program, side, arcs)
        add_grandparents(program, side, arcs)
    value, point = program.solve()
    answer = np.zeros_like(model.arcs)
    for arc, variable in arcs.items():
        answer[arc] = point[variable]
    return FlowSolution(value, answer)


def add_single_commodity_flow(program: LinearProgram, model: SiblingModel, arcs: Arcs) -> None:
    """Send one unit of flow to every word in a single flow (Gormley & Eisner 2013, eqs. 5-7)."""
    n = model.words
    flow = {arc: program.variable(upper=float(n)) for arc in arcs}
    from_root = [flow[h, m] for h, m in arcs if h == 0]
    program.row(float(n), from_root, [1.0] * len(from_root), float(n))  # (5)
    for word in range(1, n + 1):
        entering = [flow[h, m] for h, m in arcs if m == word]
        leaving = [flow[h, m] for h, m in arcs if h == word]
        signs = [1.0] * len(entering) + [-1.0] * len(leaving)
        program.row(1.0, entering + leaving, signs, 1.0)  # (6)
    for arc, variable in arcs.items():
        program.row(-math.inf, [flow[arc], variable], [1.0, -float(n)], 0.0)  # (7)
