import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "inference.py"


def run(*arguments):
    return subprocess.run(
        [sys.executable, str(SCRIPT), "--quick", *arguments], capture_output=True, text=True
    )


def test_solvers_are_measured_and_compared(tmp_path):
    results, table = tmp_path / "results.json", tmp_path / "results.md"
    done = run("--problems", "ising_30x30", "--json", str(results), "--markdown", str(table))
    assert done.returncode == 0, done.stderr
    [result] = json.loads(results.read_text())
    runs = {run["solver"]: run for run in result["runs"]}
    assert {"treaty ad3", "treaty exact", "highs lp", "highs ilp"} <= set(runs)
    assert abs(result["difference"]) <= 1e-4
    assert runs["treaty exact"]["status"] == runs["highs ilp"]["status"] == "OPTIMAL"
    assert all(run["seconds"] > 0 for run in runs.values())
    assert result["seconds_to"].keys() == {"1e-4", "1e-6"}
    assert "| ising_30x30 |" in table.read_text()
    assert "geometric mean" in done.stdout


def test_an_unknown_solver_is_refused():
    done = run("--solvers", "nonesuch")
    assert done.returncode == 1
    assert "nonesuch" in done.stderr
    assert "treaty ad3" in done.stderr
