import json
import subprocess
import sys
from pathlib import Path

from treaty.corpus import Sentence, write_conllu

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "parsing.py"


def test_parsers_are_trained_and_measured(tmp_path):
    cats = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0], ["nsubj", "root"])
    treebank, results, page = tmp_path / "t.conllu", tmp_path / "r.json", tmp_path / "r.md"
    write_conllu([cats] * 20, treebank)
    arguments = ["--train", treebank, "--train-sentences", "10", "--repeat", "1"]
    done = subprocess.run(
        [sys.executable, SCRIPT, treebank, *arguments, "--json", results, "--markdown", page],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    rows = {row["run"]: row for row in json.loads(results.read_text())}
    parsing = [rows[f"treaty, {order}"] for order in ("first", "second", "third")]
    assert all(row["words"] == 40 for row in parsing)
    assert all(row["seconds"] > row["loaded"] > 0 for row in parsing)
    assert all(row["megabytes"] > 10 and row["model_bytes"] > 1000 for row in parsing)
    assert rows["training, third, one epoch on 10 sentences"]["words"] == 20
    assert "| treaty, third | 40 |" in page.read_text()
