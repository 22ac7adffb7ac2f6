"""The convergence plot, for every kind of run."""

import math
from pathlib import Path

import numpy as np
import pytest

from treaty.errors import OutputError, UsageError
from treaty.graph import FactorGraph
from treaty.show import plot_convergence
from treaty.show._convergence import ANSWER, BOUND, save
from treaty.solve import Certificate, Solution, Status, Trace

MAP = Path(__file__).parents[2] / "examples" / "map.uai"


def made_up(
    objective, bound, *, residual=(), status=Status.FEASIBLE, method="ad3", iterations=None
) -> Solution:
    steps = len(objective)
    trace = Trace(
        iteration=10 * np.arange(1, steps + 1),
        seconds=np.linspace(0, 1, steps),
        objective=np.array(objective, float),
        bound=np.array(bound, float),
        primal_residual=np.array(residual or [0.0] * steps),
        dual_residual=np.array(residual or [0.0] * steps),
    )
    return Solution(
        Certificate(
            status,
            objective[-1] if objective else -math.inf,
            bound[-1] if bound else math.inf,
            10 * steps if iterations is None else iterations,
            1.0,
        ),
        values=np.zeros(1, np.int8),
        method=method,
        trace=trace,
    )


def curve(figure, color):
    (line,) = [line for line in figure.axes[0].lines if line.get_color() == color]
    return line.get_xdata(), line.get_ydata()


@pytest.mark.parametrize("method", ["ad3", "subgradient"])
def test_answer_bound_and_residuals_are_drawn(tmp_path, method):
    solution = FactorGraph.load(MAP).solve(method, trace=True)
    figure = plot_convergence(solution, tmp_path / "plot.png", title="map.uai")
    above, below = figure.axes
    assert len(above.lines) == len(below.lines) == 2
    assert below.get_yscale() == "log"
    assert below.get_xlabel() == "iteration"
    assert figure.get_suptitle().strip() == "map.uai"
    texts = " ".join(text.get_text() for text in above.texts)
    assert f"{solution.status} by {method}" in texts
    assert f"bound {solution.bound:.6g}" in texts
    iteration, bound = curve(figure, BOUND)
    np.testing.assert_array_equal(bound, [*solution.trace.bound, solution.bound])
    assert iteration[-1] == solution.iterations


def test_branch_and_bound_has_no_residuals(tmp_path):
    solution = FactorGraph.load(MAP).solve("exact", trace=True)
    figure = plot_convergence(solution, tmp_path / "plot.svg")
    assert len(figure.axes) == 1
    assert figure.axes[0].get_xlabel() == "node"


def test_there_is_no_curve_before_the_first_answer():
    figure = plot_convergence(made_up([-math.inf, -math.inf, 1, 2], [math.inf, 5, 4, 3]))
    _, answer = curve(figure, ANSWER)
    np.testing.assert_array_equal(answer, [np.nan, np.nan, 1, 2, 2])
    _, bound = curve(figure, BOUND)
    np.testing.assert_array_equal(bound, [np.nan, 5, 4, 3, 3])


@pytest.mark.parametrize(
    "solution",
    [
        made_up([1.0], [1.0], status=Status.OPTIMAL),
        made_up([0.0], [0.0], residual=[1e-300], status=Status.OPTIMAL),
        made_up([], []),
        made_up([-math.inf], [5.0], status=Status.UNKNOWN),
        made_up([-math.inf], [-math.inf], status=Status.INFEASIBLE),
        made_up([-math.inf] * 2, [math.inf] * 2, residual=[0.1, 0.0], status=Status.UNKNOWN),
        made_up([1e9, 1e9], [1e9 + 1e-7, 1e9], residual=[1.0, 0.0], status=Status.OPTIMAL),
        made_up([-1e300, 1.0], [1e300, 1.0], iterations=0),
    ],
    ids=["one point", "zero", "no point", "no answer", "infeasible", "nothing", "large", "huge"],
)
def test_odd_runs_can_be_drawn(tmp_path, solution):
    target = tmp_path / "plot.png"
    plot_convergence(solution, target, title="no $mathematics_{$ here")
    assert target.stat().st_size > 1000


def test_first_steps_far_off_do_not_dwarf_the_rest():
    bound = [1e6, 1e5, *np.linspace(12, 10, 98)]
    figure = plot_convergence(made_up([*np.linspace(7, 9, 100)], bound))
    bottom, top = figure.axes[0].get_ylim()
    assert 5 < bottom < 7.5
    assert 11 < top < 15


def test_the_same_run_gives_the_same_bytes(tmp_path):
    solution = made_up([1.0, 2.0], [4.0, 3.0], residual=[0.1, 0.01])
    for suffix in ("svg", "pdf"):
        first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
        plot_convergence(solution, first)
        plot_convergence(solution, second)
        assert first.read_bytes() == second.read_bytes()


def test_what_cannot_be_drawn_is_refused(tmp_path):
    graph = FactorGraph.load(MAP)
    with pytest.raises(UsageError, match="trace=True"):
        plot_convergence(graph.solve())
    with pytest.raises(UsageError, match=r"ends in \.png, \.svg, \.pdf"):
        plot_convergence(graph.solve(trace=True), tmp_path / "plot.xls")
    with pytest.raises(OutputError, match="cannot write"):
        plot_convergence(graph.solve(trace=True), tmp_path / "no" / "plot.png")


def test_fonts_that_are_not_there_are_no_news(caplog, tmp_path):
    """As with a cache of fonts that another environment left."""
    from matplotlib import font_manager

    figure = plot_convergence(made_up([1.0, 2.0], [3.0, 2.0]))
    figure.axes[0].set_title("x", fontfamily="No Such Font")
    before = font_manager._log.level
    save(figure, tmp_path / "x.svg")
    assert not caplog.records
    assert font_manager._log.level == before
