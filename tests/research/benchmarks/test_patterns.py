import pytest
from tests.research.benchmarks.running import run, runs_of

from research.benchmarks.patterns import contradictions, means


@pytest.mark.data
def test_decoders_are_measured_and_compared(data_folder, tmp_path):
    assert (data_folder / "patterns").is_dir()
    runs, done = runs_of(tmp_path, "patterns", "--problems", "pos_skip_N50*", "--repeat", "1")
    methods = {run["method"]: run for run in runs if run["part"] == "decoder"}
    assert methods["two-slave"]["bound"] == pytest.approx(methods["highs lp"]["bound"], rel=1e-2)
    cuts = [run for run in runs if run["part"] == "cuts"]
    assert [cut["style"] for cut in cuts] == ["tight", "paper", "released"]
    assert all(cut["cold seconds"] > 0 and cut["warm seconds"] > 0 for cut in cuts)
    assert "| warm cuts | cold cuts |" in done.stdout


def test_problems_that_are_not_there_are_named():
    done = run("patterns", "--problems", "nothing*")
    assert done.returncode == 1
    assert "nothing*" in done.stderr


def decoded(problem, method, seconds, bound=1.0, status="OPTIMAL"):
    return {"part": "decoder", "problem": problem, "method": method, "seconds": seconds,
            "bound": bound, "objective": 1.0, "status": status}  # fmt: skip


def test_the_faster_proof_counts_and_problems_without_one_do_not():
    runs = [
        decoded("skip_1", "highs ilp", 8.0),
        decoded("skip_1", "ad3", 1.0, status="FRACTIONAL"),
        decoded("skip_1", "exact", 2.0),
        decoded("grid_1", "highs ilp", 9.0),
        decoded("grid_1", "ad3", 1.0),
        decoded("grid_1", "exact", 1.0),
    ]
    (mean,) = means(runs)
    assert (mean["times faster"], mean["problems"]) == (pytest.approx(4.0), 1)


def test_a_bound_below_an_answer_is_a_contradiction():
    runs = [decoded("a", "ad3", 1.0), decoded("a", "exact", 1.0, bound=0.5)]
    assert contradictions(runs) == ["a: the bound 0.5 of exact lies below 1.0"]
