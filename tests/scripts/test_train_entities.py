"""The script of the model of entities, on corpora that are made up."""

from __future__ import annotations

import lzma
import re

from scripts import train_entities
from treaty.corpus import ColumnSentence
from treaty.label import EntityLabeler


def rows(text):
    pairs = (piece.rpartition("/") for piece in text.split())
    return ColumnSentence([(word, label) for word, _, label in pairs])


def test_signs_are_joined_users_are_no_entities_and_other_types_are_left_out():
    message = rows("RT/O @/B-PER ann/B-PER :/O #/O Rome/B-LOC The/B-MISC Who/I-MISC Bob/B-PER")
    assert train_entities.unified(message).rows == [
        ("RT", "O"),
        ("@ann", "O"),
        (":", "O"),
        ("#Rome", "B-LOC"),
        ("The", "O"),
        ("Who", "O"),
        ("Bob", "B-PER"),
    ]


def test_a_sign_by_itself_is_left_alone():
    assert train_entities.unified(rows("@/O ,/O #/O")).words == ["@", ",", "#"]


def test_the_model_is_trained_scored_and_kept(tmp_path, monkeypatch, capsys):
    text = "in\tO\nRome\tB-LOC\n\nAnn\tB-PER\nsleeps\tO\n\n"
    for corpus in train_entities.CORPORA:
        (tmp_path / corpus).mkdir()
        for part, times in (("train", 10), ("dev", 1), ("test", 1)):
            (tmp_path / corpus / f"{part}.tsv").write_text(text * times)
    (tmp_path / "gazetteers").mkdir()
    lists = b"geonames/city\tRome\nfreebase/film\tAnn\n"
    (tmp_path / "gazetteers" / "gazetteers.tsv.xz").write_bytes(lzma.compress(lists))
    command = f"train --data {tmp_path} --out {tmp_path}/models/m.treaty --epochs 5 --test"
    monkeypatch.setattr("sys.argv", command.split())
    train_entities.main()
    printed, told = capsys.readouterr()
    assert "40 messages to learn from, 4 to score on" in told
    assert re.search("test, micro F1, tweebank_ner +100.00", printed)
    model = EntityLabeler.load(tmp_path / "models" / "m.treaty")
    assert model.features.gazetteers.names == ["geonames/city"]
    assert model.info["license"] == "CC BY 4.0"
    assert model.info["scores"] == {"micro F1, btc": 1.0, "micro F1, tweebank_ner": 1.0}
