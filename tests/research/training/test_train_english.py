"""The script of the English model, on treebanks that are made up."""

from __future__ import annotations

import json

import pytest
from tests.parse.treebank import small_pipeline, treebank

from research.training import english_treebanks, train_english
from treaty.parse import Pipeline
from treaty.text import write_conllu


@pytest.fixture(name="data")
def _data(tmp_path):
    for seed, (name, (split, _)) in enumerate(english_treebanks.SOURCES.items()):
        (tmp_path / name).mkdir()
        sentences = treebank(25, seed)
        for number, sentence in enumerate(sentences):
            sentence.comments.insert(0, f"# newdoc id = {number}")
        write_conllu(sentences, tmp_path / name / f"{split}.conllu")
        write_conllu(treebank(5, seed + 40), tmp_path / name / "dev.conllu")
    (tmp_path / "vectors.tsv").write_text("0\tcat\n1\tsees\n")
    (tmp_path / "lexicon.tsv").write_text("1000000000\tcat\n0001000011\tsees\n")
    small_pipeline(order="first").save(tmp_path / "old.treaty")
    return tmp_path


def test_tagger_and_parser_are_trained_scored_and_kept(data, monkeypatch, capsys):
    options = "--order second --epochs 1 --tagger-epochs 1 --bits 12 --sentences 15 --jackknife 2"
    options += f" --runs {data}/runs.jsonl --vector-clusters {data}/vectors.tsv"
    options += f" --lexicon {data}/lexicon.tsv --parts-of {data}/old.treaty --tagger-seeds 1"
    options += " --jackknife-epochs 1 --seeds 1 --short 0.2"
    command = f"train --data {data} --out {data}/models/m.treaty {options}"
    monkeypatch.setattr("sys.argv", command.split())
    train_english.main()
    printed, told = capsys.readouterr()
    assert "sentences to learn from, 5 to score on" in told
    assert "english-ewt dev, UAS, own tags" in printed and "MB" in printed
    runs = [json.loads(line) for line in (data / "runs.jsonl").read_text().splitlines()]
    assert [run["part"] for run in runs] == [f"{name} dev" for name in english_treebanks.DEV]
    model, old = Pipeline.load(data / "models" / "m.treaty"), Pipeline.load(data / "old.treaty")
    assert model.info["license"] == "CC BY-SA 4.0"
    assert "EWT 2.16" in model.info["data"] and "CHILDES" in model.info["data"]
    scores = model.info["scores"]
    assert 0.5 < scores["words, raw text"] <= 1.0
    gold = treebank(5, seed=40)
    assert scores["UAS, own tags"] == pytest.approx(model.evaluate(gold)["UAS"], abs=1e-4)
    percent = {name: round(100 * score, 2) for name, score in scores.items()}
    assert (runs[0]["model"], runs[0]["scores"]) == ("english", percent)
    assert model.tagger.columns == ("upos", "xpos", "feats")
    assert model.tagger.vector_clusters.paths == {"cat": "0", "sees": "1"}
    assert model.tagger.lexicon.paths.keys() == {"cat", "sees"}
    assert model.info.keys() >= {"vector clusters", "vector clusters source", "lexicon"}
    for part in ("tokenizer", "lemmatizer"):
        assert getattr(model, part).to_bytes() == getattr(old, part).to_bytes()


def test_paragraphs_are_parted_by_blank_lines():
    first, second, third = treebank(3)
    third.comments.insert(0, "# newpar id = 2")
    text = english_treebanks.raw_text([first, second, third])
    assert text == f"{first.text} {second.text} \n\n{third.text}"


def test_data_are_needed(monkeypatch):
    monkeypatch.setattr("sys.argv", ["train"])
    with pytest.raises(SystemExit):
        train_english.main()
