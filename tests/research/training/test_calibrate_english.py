"""The script that calibrates confidences, on toy data."""

import sys

from tests.parse.treebank import small_pipeline, treebank

from research.training import calibrate_english
from treaty.learn import Calibration
from treaty.parse import Pipeline
from treaty.text import write_conllu


def test_the_model_is_calibrated_and_a_picture_drawn(tmp_path, monkeypatch, capsys):
    for name in calibrate_english.TREEBANKS:
        folder = tmp_path / name
        folder.mkdir(parents=True)
        write_conllu(treebank(8, seed=len(name)), folder / "dev.conllu")
    small_pipeline(order="first").save(tmp_path / "trees.treaty")
    picture, runs = tmp_path / "picture.svg", tmp_path / "runs.jsonl"
    options = ["--model", tmp_path / "trees.treaty"]
    options += ["--data", tmp_path, "--picture", picture, "--runs", runs]
    monkeypatch.setattr(sys, "argv", ["script", *map(str, options)])
    calibrate_english.main()
    assert capsys.readouterr().out.count("calibration error") == 6
    assert picture.exists() and len(runs.read_text().splitlines()) == 6
    assert Pipeline.load(tmp_path / "trees.treaty").tagger.calibration != Calibration.none(1)
