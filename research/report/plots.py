"""How figures look, and files that are the same for the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GRAY = "#666666"
# Okabe & Ito's colors, which the color-blind can tell apart.
BLUE, ORANGE, GREEN, PURPLE, YELLOW = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#E69F00"


def panels(count: int = 1, size: tuple[float, float] = (7, 4)) -> tuple[Figure, list[Axes]]:
    """Open a figure with axes side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    found = figure.subplots(1, count, squeeze=False)[0]
    for axes in found:
        axes.grid(color="#e4e4e4", lw=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", colors=GRAY, length=0)
    return figure, list(found)


def save(figure: Any, path: Path) -> None:
    """Write a figure without a date and random names."""
    import matplotlib as mpl

    path.parent.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"svg.hashsalt": "treaty", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
