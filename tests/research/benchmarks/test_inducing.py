import pytest
from tests.research.benchmarks.running import run, runs_of


def test_drawn_corpora_are_proved(tmp_path):
    runs, done = runs_of(tmp_path, "inducing", "--only", "synthetic")
    assert [run["data"] for run in runs] == ["5 sentences", "8 sentences"]
    assert all(run["proved"] == run["corpora"] == 20 for run in runs)
    assert "| 8 sentences | 20 | 20 |" in done.stdout


@pytest.mark.data
def test_searches_are_measured(data_folder, tmp_path):
    assert (data_folder / "treebanks").is_dir()
    runs, done = runs_of(tmp_path, "inducing", "--only", "treebank", "--time-limit", "1")
    assert len(runs) == 2
    assert all(run["bound"] >= run["objective"] for run in runs)
    assert "| 20 sentences of EWT, 3 tags |" in done.stdout


def test_parts_that_are_not_there_are_refused():
    done = run("inducing", "--only", "magic")
    assert done.returncode == 2
    assert "magic" in done.stderr
