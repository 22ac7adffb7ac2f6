import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "summarizing.py"


@pytest.mark.data
def test_solvers_are_measured_and_bounds_are_sound(data_folder, tmp_path):
    assert (data_folder / "summarization").is_dir()
    results = tmp_path / "results.json"
    command = [sys.executable, str(SCRIPT), "--topics", "1", "--json", str(results)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    runs = {run["solver"]: run for run in json.loads(results.read_text())}
    assert runs["AD3-1000"]["objective"] >= 0.97 * runs["ILP"]["objective"]
    assert "AD3-200" in done.stdout
