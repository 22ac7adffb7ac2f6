import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "patterns.py"


def run(*arguments):
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True)


@pytest.mark.data
def test_decoders_are_measured_and_compared(data_folder, tmp_path):
    assert (data_folder / "patterns").is_dir()
    results = tmp_path / "results.json"
    done = run("--problems", "pos_skip_N50*", "--repeat", "1", "--json", str(results))
    assert done.returncode == 0, done.stderr
    records = json.loads(results.read_text())
    runs = {run["method"]: run for run in records["runs"]}
    assert runs["two-slave"]["bound"] == pytest.approx(runs["highs lp"]["bound"], rel=1e-2)
    assert all(cut["cold"] > 0 and cut["warm"] > 0 for cut in records["cuts"])
    assert "warm cuts are" in done.stdout


def test_problems_that_are_not_there_are_named():
    done = run("--problems", "nothing*")
    assert done.returncode == 1
    assert "nothing*" in done.stderr
