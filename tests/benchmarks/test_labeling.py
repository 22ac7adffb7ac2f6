import json
import subprocess
import sys
from pathlib import Path

from treaty.corpus import ColumnSentence, write_columns

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "labeling.py"


def test_chains_are_trained_and_measured(tmp_path):
    cats = ColumnSentence(
        [("Big", "JJ", "B-NP"), ("cats", "NNS", "I-NP"), ("sleep", "VBP", "B-VP")]
    )
    folder = tmp_path / "conll2000"
    folder.mkdir()
    for name in ("train.txt", "test.txt"):
        write_columns([cats] * 10, folder / name, separator="space")
    results, page = tmp_path / "r.json", tmp_path / "r.md"
    arguments = ["--tasks", "chunking", "--data", tmp_path, "--repeat", "1"]
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments, "--json", results, "--markdown", page],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = {row["system"]: row for row in json.loads(results.read_text())}
    ours = rows["treaty"]
    assert ours["f1"] == 100.0 and ours["speed"] > 0 and ours["training"] > 0
    assert ours["training_megabytes"] > 10 and ours["model_bytes"] > 100
    if "crfsuite-ap" in rows:
        assert rows["crfsuite-ap"]["f1"] == 100.0
    else:
        assert "python-crfsuite is not installed" in page.read_text()
    assert "| chunking | treaty |" in page.read_text()
