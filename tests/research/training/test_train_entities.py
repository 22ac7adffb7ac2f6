"""The script of the model of entities, on corpora that are made up."""

from __future__ import annotations

import lzma
import re

import pytest

from research.training import train_entities
from treaty.label import EntityLabeler

TEXT = "in\tO\nRome\tB-LOC\n\nAnn\tB-PER\nLee\tI-PER\nsleeps\tO\n\n"
TREE = "1\tRome\t_\t_\tNNP\t_\t0\troot\t_\tEntity=(1-place-new-n-cf1-1-sgl-Rome)\n\n"


@pytest.fixture
def data(tmp_path):
    for corpus in ("btc", "tweebank_ner", "gum_open"):
        (tmp_path / "ner" / corpus).mkdir(parents=True)
        for part, times in (("train", 10), ("dev", 1), ("test", 1)):
            (tmp_path / "ner" / corpus / f"{part}.tsv").write_text(TEXT * times)
    for name in ("wikigold/all", "uner_ewt/dev", "crossner/ai_train"):
        path = tmp_path / "ner" / f"{name}.tsv"
        path.parent.mkdir()
        path.write_text(TEXT.replace("PER", "person") * 5 if "cross" in name else TEXT * 5)
    treebank = tmp_path / "treebanks" / "english-gum-open"
    treebank.mkdir(parents=True)
    (treebank / "dev.conllu").write_text(TREE)
    (treebank / "train.conllu.xz").write_bytes(lzma.compress(TREE.encode()))
    (tmp_path / "ner" / "gazetteers").mkdir()
    lists = b"geonames/city\tRome\nfreebase/film\tAnn\n"
    (tmp_path / "ner" / "gazetteers" / "gazetteers.tsv.xz").write_bytes(lzma.compress(lists))
    (tmp_path / "clusters.tsv").write_text("01\trome\n10\tann\n")
    return tmp_path


def run(monkeypatch, data, *options):
    command = [
        "train", "--data", data, "--clusters", data / "clusters.tsv", "--out",
        data / "models" / "m.treaty", "--epochs", 3, "--made-up", 1, *options,
    ]  # fmt: skip
    monkeypatch.setattr("sys.argv", [str(word) for word in command])
    train_entities.main()


def test_the_model_is_trained_scored_and_kept(data, monkeypatch, capsys):
    run(monkeypatch, data, "--test")
    printed, _ = capsys.readouterr()
    assert re.search(r"test, micro F1, tweebank_ner +\d", printed)
    model = EntityLabeler.load(data / "models" / "m.treaty")
    assert {"geonames/city", "given", "club"} <= set(model.features.gazetteers.names)
    assert "freebase/film" not in model.features.gazetteers.names
    assert model.features.clusters.paths == {"rome": "01", "ann": "10"}
    assert model.types == ["LOC", "MISC", "ORG", "PER"]
    assert {"micro F1, btc", "micro F1, gum", "micro F1, news"} <= set(model.info["scores"])


def test_folds_leave_out_what_they_score(data):
    whole = train_entities.Data(data)
    parts = [train_entities.Data(data, fold) for fold in range(train_entities.FOLDS)]
    assert not whole.held_wikigold
    assert sum(len(part.held_wikigold) for part in parts) == len(whole.wikigold)
    assert all(len(p.held_ewt) + len(p.ewt) == len(whole.ewt) for p in parts)
