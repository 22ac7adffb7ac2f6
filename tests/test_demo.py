"""``make demo``: the tour of Treaty runs to its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parent.parent / "examples" / "demo.py"


def test_the_demo_runs_to_its_end(tmp_path):
    done = subprocess.run(
        [sys.executable, DEMO], cwd=tmp_path, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert "treaty solve examples/map.uai" in done.stdout
    assert "The page: all of this in a browser" in done.stdout.partition("1. Parse text")[0]
    assert "treaty serve" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"demo-convergence.png", "demo-trees.svg"}
