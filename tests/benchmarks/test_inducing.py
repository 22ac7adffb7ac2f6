import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "inducing.py"


@pytest.mark.data
def test_searches_are_measured(data_folder):
    assert (data_folder / "treebanks").is_dir()
    command = [sys.executable, str(SCRIPT), "--only", "treebank", "--time-limit", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("nodes/s") == 2


def test_parts_that_are_not_there_are_refused():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--only", "magic"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "magic" in done.stderr
