"""Plot of a search for a grammar: objective and bound over time, and the gap below."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from treaty.errors import UsageError
from treaty.show._convergence import (
    ANSWER,
    BOUND,
    DUAL,
    FEW,
    GREY,
    SHADE,
    check_plot,
    draw_head,
    finite,
    fit_frame,
    label,
    save,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treaty.induce import Induced

    Floats = npt.NDArray[np.float64]

__all__ = ["plot_bounds"]

DECADES = 30.0  # ratio of times above which the axis is logarithmic


def plot_bounds(result: Induced, path: str | Path | None = None, *, title: str = "") -> Figure:
    """Plot the objective and the bound of a search over time, and the gap between them.

    Parameters
    ----------
    result
        The result of a search, with its trace. A local search has no bound: only its objective is
        drawn.
    path
        File to write, ``.png``, ``.svg`` or ``.pdf``; none by default.
    title
        The name of the corpus.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Examples
    --------
    >>> from treaty.induce import Corpus, branch_and_bound
    >>> result = branch_and_bound(Corpus.from_tags([["N", "V"], ["V"]]))
    >>> len(plot_bounds(result, title="two sentences").axes)
    2
    """
    if not result.trace:
        raise UsageError("there is no trace to draw: the search ended before its first step")
    check_plot("figure.png" if path is None else path)
    from matplotlib.figure import Figure

    seconds, answer, bound = (
        np.array([getattr(moment, name) for moment in result.trace], dtype=np.float64)
        for name in ("seconds", "objective", "bound")
    )
    answer, bound = finite(answer), finite(bound)
    has_gap = bool(np.any(np.isfinite(bound - answer)))
    figure = Figure(figsize=(8, 5.2 if has_gap else 3.8), dpi=150, layout="constrained")
    panels = figure.subplots(
        1 + has_gap, 1, sharex=True, squeeze=False, height_ratios=[5, 2][: 1 + has_gap]
    )[:, 0]
    draw_head(figure, title or "Bounds over time", _summary(result))
    _draw_answer_and_bound(panels[0], seconds, answer, bound)
    if has_gap:
        _draw_gap(panels[1], seconds, answer, bound)
    for panel in panels:
        _tidy(panel, seconds)
    panels[-1].set_xlabel("seconds", color=GREY)
    if path is not None:
        save(figure, Path(path))
    return figure


def _summary(result: Induced) -> str:
    gap = (
        f"   bound {result.bound:.6g}   gap {result.relative_gap:.2%}"
        if np.isfinite(result.bound)
        else ""
    )
    return (
        f"{result.status} by {result.method}:   log-likelihood {result.objective:.6g}{gap}   "
        f"{result.iterations:,} nodes in {result.seconds:.3g} seconds"
    )


def _draw_answer_and_bound(panel: Axes, seconds: Floats, answer: Floats, bound: Floats) -> None:
    panel.fill_between(seconds, answer, bound, step="post", color=SHADE, alpha=0.18, lw=0)
    panel.plot(seconds, bound, color=BOUND, **_style(seconds))
    panel.plot(seconds, answer, color=ANSWER, **_style(seconds))
    fit_frame(panel, answer, bound)
    label(panel, bound[-1], f"bound {bound[-1]:.5g}", BOUND, above=True)
    label(panel, answer[-1], f"answer {answer[-1]:.5g}", ANSWER, above=False)
    panel.set_ylabel("log-likelihood", color=GREY)


def _style(seconds: Floats) -> dict[str, Any]:
    """Draw steps, with a marker at the end, or at each if there are few."""
    marked = slice(None) if len(seconds) <= FEW else [len(seconds) - 1]
    style = {"drawstyle": "steps-post", "lw": 1.4, "marker": "o", "markersize": 3.5}
    return {**style, "markevery": marked, "clip_on": False}


def _draw_gap(panel: Axes, seconds: Floats, answer: Floats, bound: Floats) -> None:
    gap = 100.0 * np.maximum(bound - answer, 0.0) / np.maximum(np.abs(answer), 1e-12)
    panel.plot(seconds, gap, color=DUAL, **_style(seconds))
    panel.set_ylim(0.0, 1.1 * max(float(np.nanmax(gap)), 1e-9))
    label(panel, gap[-1], f"{gap[-1]:.3g}%", DUAL, above=True)
    panel.set_ylabel("gap (%)", color=GREY)


def _tidy(panel: Axes, seconds: Floats) -> None:
    last = float(seconds[-1])
    first = float(min(seconds[seconds > 0], default=last))
    if last > DECADES * first:
        panel.set_xscale("log")
        panel.set_xlim(first, last)
        panel.xaxis.set_major_formatter("{x:g}")
    else:
        panel.set_xlim(0.0, 1.01 * last or 1.0)
    panel.grid(color="#e4e4e4", lw=0.7)
    panel.set_axisbelow(True)
    panel.tick_params(which="both", colors=GREY, labelsize=9, length=0)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color("#bbbbbb")
