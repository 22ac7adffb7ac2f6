import pytest
from tests.research.benchmarks.running import runs_of


@pytest.mark.data
def test_solvers_are_measured_and_bounds_are_sound(data_folder, tmp_path):
    assert (data_folder / "summarization").is_dir()
    runs, done = runs_of(tmp_path, "summarizing", "--topics", "1")
    by_solver = {run["solver"]: run for run in runs}
    assert by_solver["AD3-1000"]["objective"] >= 0.97 * by_solver["ILP"]["objective"]
    assert "| AD3-200 |" in done.stdout
