"""Benchmarks run as they are by hand: modules, in the project's folder."""

import json
import subprocess
import sys

from research.report import ROOT


def run(name, *arguments):
    """Run a benchmark; what it said."""
    command = [sys.executable, "-m", f"research.benchmarks.{name}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def runs_of(tmp_path, name, *arguments):
    """Run a benchmark that must end well; its run lines, and what it printed."""
    out = tmp_path / "runs.jsonl"
    done = run(name, *arguments, "--out", out)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in out.read_text().splitlines()], done
