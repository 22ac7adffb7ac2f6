"""The script that calibrates confidences, on toy data."""

import sys

from tests.parse.treebank import small_pipeline, treebank

from scripts import calibrate_english
from treaty.corpus import ColumnSentence, write_columns, write_conllu
from treaty.label import EntityLabeler
from treaty.learn import Calibration
from treaty.parse import Pipeline


def test_both_models_are_calibrated_and_a_picture_drawn(tmp_path, monkeypatch, capsys):
    for name in calibrate_english.TREEBANKS:
        folder = tmp_path / "treebanks" / name
        folder.mkdir(parents=True)
        write_conllu(treebank(8, seed=len(name)), folder / "dev.conllu")
    rows = [("Ann", "B-PER"), ("sees", "O"), ("Rome", "B-LOC")]
    odd = [("Ann", "O"), ("sees", "O"), ("Rome", "B-LOC")]
    for name in calibrate_english.NAMES:
        (tmp_path / "ner" / name).mkdir(parents=True)
        every = [ColumnSentence(rows), ColumnSentence(odd)] * 6
        write_columns(every, tmp_path / "ner" / name / "dev.tsv")
    small_pipeline(order="first").save(tmp_path / "trees.treaty")
    labeler = EntityLabeler.train([ColumnSentence(rows)] * 5, tags=False, language_model=None)
    labeler.save(tmp_path / "names.treaty")
    picture, runs = tmp_path / "picture.svg", tmp_path / "runs.jsonl"
    options = ["--model", tmp_path / "trees.treaty", "--entities", tmp_path / "names.treaty"]
    options += ["--data", tmp_path, "--picture", picture, "--runs", runs]
    monkeypatch.setattr(sys, "argv", ["script", *map(str, options)])
    calibrate_english.main()
    assert capsys.readouterr().out.count("calibration error") == 8
    assert picture.exists() and len(runs.read_text().splitlines()) == 8
    assert Pipeline.load(tmp_path / "trees.treaty").tagger.calibration != Calibration.none(1)
    assert EntityLabeler.load(tmp_path / "names.treaty").calibration != Calibration.none(1)
