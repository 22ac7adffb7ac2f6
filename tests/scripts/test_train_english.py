"""The script of the English model, on a treebank that is made up."""

from __future__ import annotations

import json
import lzma

import pytest
from tests.parse.treebank import treebank

from scripts import train_english
from treaty.corpus import write_conllu
from treaty.parse import Pipeline


def test_all_parts_are_trained_scored_and_kept(tmp_path, monkeypatch, capsys):
    text = "".join(sentence.to_conllu() for sentence in treebank(30))
    (tmp_path / "train.conllu.xz").write_bytes(lzma.compress(text.encode()))
    write_conllu(treebank(5, seed=4), tmp_path / "dev.conllu")
    (tmp_path / "vectors.tsv").write_text("0\tcat\n1\tsees\n")
    options = "--order second --epochs 1 --tagger-epochs 1 --bits 12 --sentences 25 --jackknife 2"
    options += f" --runs {tmp_path}/runs.jsonl --vector-clusters {tmp_path}/vectors.tsv"
    command = f"train --data {tmp_path} --out {tmp_path}/models/m.treaty {options}"
    monkeypatch.setattr("sys.argv", command.split())
    train_english.main()
    printed, told = capsys.readouterr()
    assert "25 sentences to learn from, 5 to score on" in told
    assert "dev, UAS, own tags" in printed and "MB" in printed
    (run,) = (json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines())
    model = Pipeline.load(tmp_path / "models" / "m.treaty")
    assert model.info["license"] == "CC BY-SA 4.0"
    assert "release 2.16" in model.info["data"]
    scores = model.info["scores"]
    assert 0.5 < scores["words, raw text"] <= 1.0
    assert scores["UAS, own tags"] == pytest.approx(
        model.evaluate(treebank(5, seed=4))["UAS"], abs=1e-4
    )
    percent = {name: round(100 * score, 2) for name, score in scores.items()}
    assert (run["model"], run["part"], run["scores"]) == ("english", "dev", percent)
    assert model.tagger.columns == ("upos", "xpos", "feats")
    assert model.tagger.vector_clusters.paths == {"cat": "0", "sees": "1"}
    assert model.info.keys() >= {"vector clusters", "vector clusters source"}


def test_paragraphs_are_parted_by_blank_lines():
    first, second, third = treebank(3)
    third.comments.insert(0, "# newpar id = 2")
    text = train_english.raw_text([first, second, third])
    assert text == f"{first.text} {second.text} \n\n{third.text}"


def test_data_are_needed(monkeypatch):
    monkeypatch.setattr("sys.argv", ["train"])
    with pytest.raises(SystemExit):
        train_english.main()
