"""The experiment on threads, on threads small enough for a test."""

import json

import pytest
from tests.label.threads.toy import toy_threads

from research.experiments import threads as experiment
from treaty.text import write_threads


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setattr(experiment, "DATA", tmp_path)
    monkeypatch.setitem(
        experiment.FILES, "toy", {s: f"{s}.jsonl" for s in ("train", "dev", "test")}
    )
    dev = toy_threads(6, seed=1)
    write_threads(toy_threads(30) + dev, tmp_path / "train.jsonl")
    write_threads(dev, tmp_path / "dev.jsonl")
    write_threads(toy_threads(6, seed=2), tmp_path / "test.jsonl")
    experiment.read_split.cache_clear()
    experiment.trained.cache_clear()


def test_what_is_held_out_is_not_learned_from(toy):
    train = {experiment._texts(thread) for thread in experiment.read_split("toy", "train")}
    dev = {experiment._texts(thread) for thread in experiment.read_split("toy", "dev")}
    assert train
    assert dev
    assert not train & dev


def test_a_run_tells_f1_seconds_and_certificates(toy, capsys):
    results = [experiment.run("toy", "2d", method, split="test") for method in ("ad3", "exact")]
    for result in results:
        assert result["low"] <= result["F1"] <= result["high"]
        assert 0 <= result["certificates"] <= 1
        assert result["gap"] >= 0
        assert result["seconds"] > 0
    assert results[1]["bound"] <= results[0]["bound"] + 1e-6
    assert capsys.readouterr().err.count("toy test 2d") == 2
    assert experiment.comparison(*[results[0]["scores"]] * 2)["difference"] == 0.0


def test_the_table_compares_neighbors(toy, capsys, monkeypatch, tmp_path):
    runs = tmp_path / "runs.jsonl"
    arguments = [
        "threads.py",
        "--datasets",
        "toy",
        "--orders",
        "independent,2d",
        "--out",
        str(runs),
    ]
    monkeypatch.setattr("sys.argv", arguments)
    experiment.main()
    assert "| toy dev |" in capsys.readouterr().out
    independent, pairs = (json.loads(line) for line in runs.read_text().splitlines())
    assert "difference" not in independent
    assert pairs["beside"] == "independent"
    assert pairs["difference"] == pytest.approx(pairs["F1"] - independent["F1"], abs=1e-3)
