"""The plot of a search for a grammar."""

import math

import numpy as np
import pytest

from treaty.errors import UsageError
from treaty.induce import Corpus, Induced, Moment, viterbi_em
from treaty.show import plot_bounds
from treaty.show._convergence import ANSWER, BOUND
from treaty.solve import Certificate, Status


def made_up(trace):
    return Induced(
        Certificate(
            Status.FEASIBLE,
            objective=trace[-1].objective if trace else -math.inf,
            bound=trace[-1].bound if trace else 0.0,
            iterations=len(trace),
            seconds=trace[-1].seconds if trace else 0.0,
        ),
        grammar=None,
        heads=np.zeros(0, np.int32),
        counts=None,
        method="branch-and-bound",
        trace=trace,
    )


def curve(panel, color):
    (line,) = [line for line in panel.lines if line.get_color() == color]
    return line.get_ydata()


def test_answer_bound_and_gap_are_drawn(tmp_path):
    trace = [Moment(0.1, -math.inf, 0.0), Moment(0.2, -10.0, -2.0), Moment(0.4, -8.0, -6.0)]
    figure = plot_bounds(made_up(trace), tmp_path / "plot.svg", title="five sentences")
    above, below = figure.axes
    assert curve(above, BOUND).tolist() == [0.0, -2.0, -6.0]
    assert np.isnan(curve(above, ANSWER)[0]) and curve(above, ANSWER)[-1] == -8.0
    assert below.lines[0].get_ydata()[-1] == pytest.approx(25.0)
    assert figure.get_suptitle().strip() == "five sentences"
    assert any("gap 25.00%" in text.get_text() for text in above.texts)
    first = (tmp_path / "plot.svg").read_bytes()
    plot_bounds(made_up(trace), tmp_path / "plot.svg", title="five sentences")
    assert (tmp_path / "plot.svg").read_bytes() == first


@pytest.mark.parametrize(("last", "scale"), [(0.5, "linear"), (500.0, "log")])
def test_long_runs_get_a_logarithmic_axis(last, scale):
    trace = [Moment(0.1, -10.0, 0.0), Moment(last, -10.0, -9.0)]
    assert plot_bounds(made_up(trace)).axes[0].get_xscale() == scale


def test_a_local_search_has_no_bound_to_draw():
    found = viterbi_em(Corpus.from_tags([["N", "V"], ["V"]]), restarts=2)
    assert len(plot_bounds(found).axes) == 1


def test_what_cannot_be_drawn_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no trace"):
        plot_bounds(made_up([]))
    with pytest.raises(UsageError, match="cannot draw"):
        plot_bounds(made_up([Moment(1.0, -1.0, 0.0)]), tmp_path / "plot.bmp")
