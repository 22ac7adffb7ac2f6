import pytest
from tests.research.benchmarks.running import run, runs_of

from research.benchmarks._comparisons import answers, contradictions, means


def test_solvers_are_measured_and_compared(tmp_path):
    runs, done = runs_of(tmp_path, "inference", "--quick", "--problems", "ising_30x30")
    own = {run["solver"]: run for run in runs if run["part"] == "run"}
    assert {"treaty ad3", "treaty exact", "highs lp", "highs ilp"} <= set(own)
    assert abs(own["treaty ad3"]["difference"]) <= 1e-4
    assert own["treaty exact"]["status"] == own["highs ilp"]["status"] == "OPTIMAL"
    assert all(run["seconds"] > 0 for run in own.values())
    assert own["treaty ad3"]["seconds to 1e-4"] > 0
    assert "| ising_30x30 |" in done.stdout
    assert "| treaty ad3 | highs lp | all problems |" in done.stdout


def test_an_unknown_solver_is_refused():
    done = run("inference", "--solvers", "nonesuch")
    assert done.returncode == 1
    assert "nonesuch" in done.stderr
    assert "treaty ad3" in done.stderr


def row(problem, solver, seconds, objective=1.0, bound=1.0, **more):
    usual = {"part": "run", "status": "OPTIMAL", "note": "", "is pattern": False}
    return {**usual, "problem": problem, "solver": solver, "seconds": seconds,
            "objective": objective, "bound": bound, **more}  # fmt: skip


def test_means_are_geometric_and_column_generation_counts_apart():
    rows = answers(
        [
            row("a", "highs lp", 2.0),
            row("a", "treaty ad3", 1.0, **{"times faster": 2.0}),
            row("b", "highs lp", 8.0),
            row("b", "treaty ad3", 1.0, **{"times faster": 8.0}),
            row("c", "highs lp", 50.0, note="column generation"),
            row("c", "treaty ad3", 1.0, **{"times faster": 50.0}),
        ]
    )
    found = {(run["beside"], run["over"]): run for run in means(rows)}
    assert found["highs lp", "all problems"]["times faster"] == pytest.approx(4.0)
    assert found["highs lp", "all problems"]["problems"] == 2
    columns = found["column generation", "problems without a compact program"]
    assert columns["times faster"] == pytest.approx(50.0)


def test_an_answer_above_a_bound_is_a_contradiction():
    low = row("a", "highs ilp", 1.0)
    (rows,) = answers([low, row("a", "treaty exact", 1.0, objective=2.0, bound=2.0)])
    (line,) = contradictions(rows)
    assert line.startswith("a: treaty exact has 2.0, but highs ilp excludes more than 1.0")
