"""The script that makes the model of threads, on a few threads."""

import runpy
from pathlib import Path

from tests.label.threads.toy import toy_threads

from treaty.label.threads import ThreadLinker
from treaty.text import write_threads

SCRIPT = Path(__file__).parents[3] / "research" / "training" / "train_threads.py"


def test_a_model_is_trained_saved_and_scored(tmp_path, monkeypatch, capsys):
    write_threads(toy_threads(30), tmp_path / "conversations_train.jsonl.xz")
    write_threads(toy_threads(6, seed=1), tmp_path / "conversations_dev.jsonl")
    out = tmp_path / "m.treaty"
    arguments = ["--data", tmp_path, "--out", out, "--threads", 20, "--epochs", 2, "--order", "2d"]
    monkeypatch.setattr("sys.argv", [str(SCRIPT), *map(str, arguments)])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert "dev, F1 of links" in capsys.readouterr().out
    linker = ThreadLinker.load(out)
    assert linker.info["license"] == "CC BY 4.0"
    assert linker.info["training"]["threads"] == 20
    assert not (tmp_path / "m.treaty.checkpoint").exists()
