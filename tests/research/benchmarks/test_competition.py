"""The benchmark on the competition's problems: its pieces, on a small file of our own."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from tests.research.benchmarks.running import runs_of

from research.benchmarks import _competitors
from research.benchmarks._competitors import SOLVERS, missing, read, toulbar2_bound
from research.benchmarks.competition import contradictions
from research.report.tables import competition as tables
from treaty.solve import solve

SMALL = """MARKOV
4
2 3 2 2
4
2 0 1
2 1 2
2 0 2
2 2 3
6 0.5 2 1 3 0.25 1
6 1 4 2 0.5 0.125 8
4 1 3 3 1
4 2 0 1 5
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.uai"
    path.write_text(SMALL)
    path.with_name("small.uai.evid").write_text("1 3 1")
    return path


def test_all_solvers_agree(small, tmp_path):
    expected = solve(read(small), "exhaustive").objective
    runs, done = runs_of(tmp_path, "competition", small, "--time-limit", "10")
    assert [run["solver"] for run in runs] == [name for name in SOLVERS if not missing(name)]
    for run in runs:
        assert run["status"] == "OPTIMAL", run
        assert run["objective"] == pytest.approx(expected, abs=1e-6)
        assert run["bound"] == pytest.approx(expected, abs=1e-4)
        assert run["seconds"] > 0
    assert "| small |" in done.stdout


def test_evidence_is_read_and_nothing_is_none(small):
    assert (read(small).evidence >= 0).any()
    small.with_name("small.uai.evid").write_text("0")
    assert not (read(small).evidence >= 0).any()


def test_the_program_of_cp_sat_has_whole_coefficients_only():
    fractions = SimpleNamespace(priced={}, coefficient=np.array([0.5]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_competitors, "linear_relaxation", lambda graph: fractions)
        with pytest.raises(_competitors.RunError, match="whole"):
            _competitors.cp_sat_model(None, None)


def test_the_bound_of_toulbar2_is_relative_to_its_best_answer():
    output = (
        "Initial lower and upper bounds: [100, 900] 80%\n"
        "New solution: 50000000 energy: 5.0\n"
        "Optimality gap: [20000000, 50000000] 60 %\n"
    )
    assert toulbar2_bound(output, -5.0) == pytest.approx(-2.0)
    assert toulbar2_bound("", 1.0) == math.inf


def row(solver, objective, bound, status="FEASIBLE", tuned=False):
    return {"part": "run", "problem": "Grids_1", "family": "Grids", "reference": 10.0,
            "tuned": tuned, "solver": solver, "objective": objective, "bound": bound,
            "seconds": 1.0, "status": status}  # fmt: skip


def test_tables_count_what_was_not_tuned_on():
    runs = [row("a", 10.0, 10.0, "OPTIMAL"), row("b", 9.95, 12.0), row("c", None, None)]
    table = tables.by_family(runs)
    assert "| Grids | 1 | a | 1 | 1 | 1 | 0.0 % | 1.000 |" in table
    assert "|  |  | b | 0 | 1 | 0 | 20.6 % | 1.000 |" in table
    assert "|  |  | c | 0 | 0 | 0 | – | 1.000 |" in table
    assert "Grids" not in tables.by_family([{**run, "tuned": True} for run in runs])
    assert "Grids_1 (tuned on)" in tables.by_problem([row("a", 1.0, 1.0, tuned=True)])
    assert "a has the best answer of these solvers on 1 of 1 problems, and proves 1." in (
        tables.findings(runs)
    )


def test_an_answer_above_a_bound_is_a_contradiction():
    (line,) = contradictions([row("a", 10.0, 10.0), row("b", 9.0, 9.5)])
    assert line == "Grids_1: a has 10.0, but b excludes more than 9.5"
