"""The script that makes the summarizer, on a few words."""

import json
import runpy
from pathlib import Path

import pytest

from treaty.summarize import Summarizer
from treaty.text import Sentence, write_conllu

SCRIPT = Path(__file__).parents[3] / "research" / "training" / "train_summarizer.py"
TOPIC = {
    "topic": "boats",
    "documents": ["Ada sells big boats in Lisbon. Bo was there on Monday, too, they say."] * 2,
    "references": ["Ada sells big boats."],
}
COMPRESSION = {
    "source_tokens": ["Ada", "sells", "boats", "gladly"], "keep": [1, 1, 1, 0], "split": "train"
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_model_is_trained_and_saved(tmp_path, monkeypatch, capsys):
    files = {
        "summarization/multiling2011/en.jsonl": [TOPIC],
        "summarization/opinosis/opinosis.jsonl": [TOPIC] * 6,
        "summarization/gum_open/train.jsonl": [TOPIC],
        "compression/simplewiki.jsonl": [COMPRESSION, {**COMPRESSION, "split": "test"}],
    }
    for name, records in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    words = Sentence.from_words(["Ada", "sells", "boats"])
    tree = words.with_tree([2, 0, 2], ["nsubj", "root", "obj"])
    for token, tag in zip(tree, ["PROPN", "VERB", "NOUN"], strict=True):
        token.upos = tag
    treebank = tmp_path / "treebanks" / "english-ewt"
    treebank.mkdir(parents=True)
    write_conllu([tree] * 5, treebank / "train.conllu")
    out = tmp_path / "m.treaty"
    arguments = ["--data", tmp_path, "--out", out, "--epochs", 1]
    monkeypatch.setattr("sys.argv", [str(SCRIPT), *map(str, arguments)])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert "MB" in capsys.readouterr().out
    made = Summarizer.load(out)
    assert made.info["license"].startswith("CC BY-SA 4.0")
    assert made.info["training"]["topics"] == 4
    assert made.frames.totals == {"sells/VERB/t": 5, "boats/NOUN": 5}
    assert made.info["training"]["compressions"] == 1
    assert not (tmp_path / "m.treaty.checkpoint").exists()
