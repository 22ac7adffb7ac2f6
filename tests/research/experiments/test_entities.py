"""The experiment on entities, on data that are made up."""

import json
import lzma

import pytest

from research.experiments import entities

TEXT = "# id = {0}\nin\tO\nRome\tB-LOC\n\n# id = {1}\nAnn\tB-PER\nsleeps\tO\n\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    for name in ("tweebank_ner", "msm2013", "clusters", "gazetteers"):
        (tmp_path / name).mkdir()
    for folder in ("tweebank_ner", "msm2013"):
        for part in ("train", "dev", "test"):
            blocks = [TEXT.format(2 * i, 2 * i + 1) for i in range(10 if part == "train" else 2)]
            (tmp_path / folder / f"{part}.tsv").write_text("".join(blocks))
    folds = "".join(f"{i}\t{i // 2}\n" for i in range(20))
    (tmp_path / "msm2013" / "folds.tsv").write_text(f"id\tfold\n{folds}")
    clusters, lists = b"01\trome\t9\n", b"city\tRome\n"
    (tmp_path / "clusters" / "50mpaths2.tsv.xz").write_bytes(lzma.compress(clusters))
    (tmp_path / "gazetteers" / "gazetteers.tsv.xz").write_bytes(lzma.compress(lists))
    monkeypatch.setattr(entities, "DATA", tmp_path)
    for cached in (entities.resources, entities.trained):
        cached.cache_clear()
    yield tmp_path
    for cached in (entities.resources, entities.trained):
        cached.cache_clear()


def test_a_run_tells_scores_seconds_and_certificates(data):
    result = entities.run("tweebank", "global", seed=2)
    assert result["micro F1"] == result["macro F1"] == 1.0
    assert result["certified"] == 1.0
    assert (result["system"], result["method"], result["seed"]) == ("global", "auto", 2)
    assert result["scores"].all.gold == 4
    assert "micro 100.00 (100.00 to 100.00)" in entities.report(result)


def test_folds_hold_other_messages_than_their_training_data(data):
    train, held_out = entities.read("msm2013", "dev", 3)
    assert [message.comments for message in held_out] == [["# id = 6"], ["# id = 7"]]
    assert len(train) == 18


def test_systems_are_compared(data, monkeypatch, capsys):
    out = data / "runs.jsonl"
    command = f"entities tweebank --part test --orders chain,global --out {out}"
    monkeypatch.setattr("sys.argv", command.split())
    entities.main()
    assert "| Tweebank-NER | 100.00 | 100.00 | +0.00 |  |" in capsys.readouterr().out
    chain, groups, difference = (json.loads(line) for line in out.read_text().splitlines())
    assert (chain["system"], groups["system"], groups["micro F1"]) == ("chain", "global", 1.0)
    assert (difference["beside"], difference["difference"]) == ("chain", 0.0)
