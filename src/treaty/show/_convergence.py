"""Plot of a solver's run: objective and bound, and the residuals below.

Matplotlib is optional; it is imported when something is drawn.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treaty._streams import replacing
from treaty.errors import OutputError, UsageError
from treaty.show._arcs import visible

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treaty.solve import Solution, Trace

    Floats = npt.NDArray[np.float64]

__all__ = ["check_plot", "plot_convergence"]

# The suffixes, and the metadata that would make the same plot differ from run to run.
DATES: dict[str, dict[str, None]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
# Colors of Okabe & Ito, which color-blind people can distinguish.
BOUND, ANSWER, PRIMAL, DUAL = "#0072B2", "#D55E00", "#009E73", "#AA4499"
SHADE, GREY = "#56B4E9", "#666666"
FEW = 20  # up to this many points are marked individually


def check_plot(path: str | Path) -> None:
    """Raise an error for a plot that cannot be made: unknown suffix, or no matplotlib."""
    if Path(path).suffix.lower() not in DATES:
        raise UsageError(
            f"cannot draw {path}: expected a file name that ends in {', '.join(DATES)}"
        )
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("plots require matplotlib: pip install 'treaty[plot]'")
    try:
        importlib.import_module("matplotlib")
    except OSError as error:  # it needs a folder to write to, and says how to give it one
        raise OutputError(path, error) from error


def plot_convergence(
    solution: Solution, path: str | Path | None = None, *, title: str = ""
) -> Figure:
    """Plot the objective, the bound and the residuals of a run by iteration.

    Parameters
    ----------
    solution
        A solution made with ``trace=True``.
    path
        File to write, ``.png``, ``.svg`` or ``.pdf``; none by default.
    title
        The name of the problem.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> graph = FactorGraph()
    >>> a, b, c = graph.variables([1.0, 1.1, 1.2])
    >>> for pair in [(a, b), (b, c), (c, a)]:
    ...     _ = graph.at_most_one(*pair)
    >>> len(plot_convergence(graph.solve(trace=True), title="three rivals").axes)
    2
    """
    if solution.trace is None:
        raise UsageError("the solution has no trace to draw: solve with trace=True")
    check_plot("figure.png" if path is None else path)
    from matplotlib.figure import Figure

    trace = solution.trace
    has_residuals = bool(np.any(trace.primal_residual > 0) or np.any(trace.dual_residual > 0))
    figure = Figure(figsize=(8, 5.6 if has_residuals else 4), dpi=150, layout="constrained")
    panels = figure.subplots(
        1 + has_residuals, 1, sharex=True, squeeze=False, height_ratios=[2, 1][: 1 + has_residuals]
    )[:, 0]
    draw_head(figure, title or "Convergence", _summary(solution))
    _draw_answer_and_bound(panels[0], solution, trace)
    if has_residuals:
        _draw_residuals(panels[1], trace)
    for panel in panels:
        _tidy(panel, last=solution.iterations)
    panels[-1].set_xlabel(
        "node" if solution.method in ("exact", "junction") else "iteration", color=GREY
    )
    if path is not None:
        save(figure, Path(path))
    return figure


def _summary(solution: Solution) -> str:
    return (
        f"{solution.status} by {solution.method}:   objective {solution.objective:.8g}   "
        f"bound {solution.bound:.8g}   gap {solution.gap:.3g}   {solution.seconds:.3g} seconds"
    )


def draw_head(figure: Figure, title: str, summary: str) -> None:
    """Draw a title, and the certificate below it."""
    # The empty second line leaves room for the certificate, which is smaller and starts there.
    head = figure.suptitle(
        f"{visible(title)}\n",
        x=0.01,
        ha="left",
        fontsize=13,
        fontweight="bold",
        parse_math=False,
    )
    line = figure.axes[0].annotate(summary, (0, 0.12), xycoords=head, fontsize=9, color=GREY)
    line.set_in_layout(False)


def _draw_answer_and_bound(panel: Axes, solution: Solution, trace: Trace) -> None:
    # The run may have ended between two records of the trace: the certificate is the last point.
    iteration = np.append(trace.iteration, solution.iterations)
    answer = finite(np.append(trace.objective, solution.objective))
    bound = finite(np.append(trace.bound, solution.bound))
    marker = "o" if len(iteration) <= FEW else ""
    panel.fill_between(iteration, answer, bound, step="post", color=SHADE, alpha=0.18, lw=0)
    for values, color in ((bound, BOUND), (answer, ANSWER)):
        panel.plot(
            iteration, values, color=color, drawstyle="steps-post", marker=marker, markersize=3.5
        )
    fit_frame(panel, answer, bound)
    label(panel, bound[-1], f"bound {bound[-1]:.6g}", BOUND, above=True)
    label(panel, answer[-1], f"objective {answer[-1]:.6g}", ANSWER, above=False)
    panel.set_ylabel("score", color=GREY)


def fit_frame(panel: Axes, answer: Floats, bound: Floats) -> None:
    """Fit the frame to the run, except for initial steps that are far off."""
    answer, bound = (values[np.isfinite(values)] for values in (answer, bound))
    low, high = (answer if len(answer) else bound), (bound if len(bound) else answer)
    if not len(low):
        return
    bottom, top = low.min(), high.max()
    most = np.quantile(low, 0.05, method="lower"), np.quantile(high, 0.95, method="higher")
    if top - bottom > 3 * (most[1] - most[0]):
        bottom, top = most
    room = 0.1 * (top - bottom) or 0.1 * abs(top) or 1.0
    panel.set_ylim(bottom - room, top + room)


def _draw_residuals(panel: Axes, trace: Trace) -> None:
    panel.set_yscale("log")
    residuals = [
        ("primal", np.where(trace.primal_residual > 0, trace.primal_residual, np.nan), PRIMAL),
        ("dual", np.where(trace.dual_residual > 0, trace.dual_residual, np.nan), DUAL),
    ]
    marker = "o" if len(trace) <= FEW else ""
    highest = np.nanmax([values[-1] for _, values, _ in residuals] + [0.0])
    for name, values, color in residuals:
        panel.plot(trace.iteration, values, color=color, lw=1.2, marker=marker, markersize=3.5)
        label(panel, values[-1], name, color, above=values[-1] == highest)
    panel.set_ylabel("residual", color=GREY)


def finite(values: Floats) -> Floats:
    """Leave gaps where there is no objective or bound yet."""
    return np.where(np.isfinite(values), values, np.nan)


def label(panel: Axes, height: float, text: str, color: str, *, above: bool) -> None:
    """Label a curve at its end, to the right of the frame."""
    if np.isfinite(height):
        panel.annotate(
            text,
            (1, height),
            xycoords=("axes fraction", "data"),
            xytext=(5, 1 if above else -1),
            textcoords="offset points",
            va="bottom" if above else "top",
            color=color,
            fontsize=9,
        )


def _tidy(panel: Axes, last: int) -> None:
    from matplotlib.ticker import MaxNLocator

    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.ticklabel_format(axis="x", style="plain")
    panel.set_xlim(0, 1.01 * max(last, 1))
    panel.grid(color="#e4e4e4", lw=0.7)
    panel.set_axisbelow(True)
    panel.tick_params(which="both", colors=GREY, labelsize=9, length=0)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color("#bbbbbb")


def save(figure: Figure, path: Path) -> None:
    import matplotlib

    suffix = path.suffix.lower()
    with (
        _without_font_messages(),
        matplotlib.rc_context({"svg.hashsalt": "treaty"}),
        replacing(path) as stream,
    ):
        figure.savefig(stream, format=suffix[1:], metadata=DATES[suffix])


@contextmanager
def _without_font_messages() -> Iterator[None]:
    """Say nothing of fonts of mathematics that an old cache of Matplotlib lists: none is needed."""
    logger = logging.getLogger("matplotlib.font_manager")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)
