import json
import subprocess
import sys
from pathlib import Path

import pytest

from _runs import append_run, fill, read_runs
from _tables import markdown
from _treebanks import read_treebank, treebank_names
from treaty.corpus import Sentence, write_conllu

SCRIPT = Path(__file__).resolve().parents[2] / "experiments" / "turbo_parsing.py"


def a_run(treebank="danish-ddt", order="first", **changes):
    return {
        "treebank": treebank,
        "order": order,
        "epochs": 10,
        "seed": 1,
        "sentences": None,
        "official": treebank == "english-ewt",
        "note": "corrected since" if treebank == "danish-ddt" else "",
        "train words": 1000,
        "single root": True,
        "training seconds": 90.0,
        "dev": {},
        "test words": 100,
        "UAS": 0.88,
        "LAS": 0.8,
        "UAS without punctuation": 0.9,
        "LAS without punctuation": 0.85,
        "tokens per second": 12345.6,
        "tokens per second with loading": 5000.0,
        "optimal": 1.0,
        "pruner recall": 0.99,
        "candidates per word": 3.21,
        "model bytes": 2_500_000,
        "commit": "abc",
        "machine": "a loom",
        "date": "1801-01-01",
        **changes,
    }


def sentence(word):
    return Sentence.from_words([word, "sleeps"]).with_tree([2, 0], ["nsubj", "root"])


def write_treebank(folder, name, **parts):
    (folder / name).mkdir()
    for part, words in parts.items():
        form = "conllx" if name == "spanish-cast3lb" else "conllu"
        path = folder / name / f"{part}.conllu"
        write_conllu([sentence(word) for word in words], path, format=form)


def words_of(sentences):
    return [s.tokens[0].form for s in sentences]


def test_orders_stand_side_by_side():
    text = markdown(
        [
            a_run("english-ewt", "third", UAS=0.91234, dev={"UAS": 0.92, "LAS": 0.9}),
            a_run("english-ewt", "first"),
        ]
    )
    assert "| treebank | split | first UAS | tokens/s | third UAS | tokens/s | third LAS |" in text
    assert "| english-ewt | official | 88.00 | 12,346 | 91.23 | 12,346 | 80.00 |" in text
    assert "| english-ewt | third | 92.00 | 90.00 | 91.23 | 80.00 | 90.00 | 12,346 |" in text
    assert "commit: `abc`, 1801-01-01" in text


def test_an_order_that_was_not_run_leaves_its_place_empty():
    text = markdown([a_run(order="first"), a_run("english-ewt", "third")])
    assert "| danish-ddt | CoNLL-2006 | 88.00 | 12,346 |  |  |  |" in text
    assert "- danish-ddt: corrected since" in text


def test_scores_stand_beside_the_paper_s():
    text = markdown([a_run(order="first"), a_run(order="second+")])
    assert "| danish-ddt | first | 90.00 | 89.42 | +0.58 | 85.00 | 12,346 | 4,110 |" in text
    assert "| danish-ddt | second+ | 90.00 |  |  | 85.00 | 12,346 |  |" in text


def test_the_latest_run_counts_and_trials_are_called_so():
    text = markdown([a_run(epochs=5, UAS=0.5, sentences=7), a_run(UAS=0.7)])
    assert "| danish-ddt | CoNLL-2006 | 70.00 |" in text
    assert "trial" not in text
    assert "trial" in markdown([a_run(sentences=7)])


def test_runs_are_appended_and_read(tmp_path):
    path = tmp_path / "runs.jsonl"
    assert read_runs(path) == []
    for score in (0.1, 0.2):
        append_run(path, a_run(UAS=score))
    append_run(path, a_run(seed=2))
    assert [run["UAS"] for run in read_runs(path)] == [0.2, 0.88]


def test_a_page_is_filled_between_its_marks(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- begin x -->\nold\n<!-- end x -->\nafter\n")
    for _ in range(2):
        fill(page, "x", r"new \1")
    assert page.read_text() == "before\n<!-- begin x -->\n\nnew \\1\n\n<!-- end x -->\nafter\n"
    with pytest.raises(SystemExit, match="no marks"):
        fill(page, "y", "new")


def test_splits_are_those_of_the_shared_task(tmp_path):
    numbers = [f"w{i}" for i in range(210)]
    write_treebank(tmp_path, "spanish-cast3lb", train=["a"], test=numbers)
    write_treebank(tmp_path, "danish-ddt", train=["a"], dev=["b"], test=["c"])
    write_treebank(tmp_path, "ptb-sample", all=numbers[:10])
    write_treebank(tmp_path, "danish-ddt-ud-devtest", dev=["b"], test=["c"])
    assert treebank_names(tmp_path) == ["danish-ddt", "ptb-sample", "spanish-cast3lb"]
    spanish = read_treebank(tmp_path, "spanish-cast3lb")
    assert words_of(spanish.test) == numbers[:206]
    assert words_of(spanish.train) == ["a", *numbers[206:]]
    danish = read_treebank(tmp_path, "danish-ddt")
    assert (words_of(danish.train), danish.dev, words_of(danish.test)) == (["a", "b"], [], ["c"])
    sample = read_treebank(tmp_path, "ptb-sample")
    assert [len(part) for part in (sample.train, sample.dev, sample.test)] == [8, 1, 1]
    assert not sample.is_official


def test_what_is_done_is_not_done_again(tmp_path):
    words = [f"w{i}" for i in range(6)]
    write_treebank(tmp_path, "toy", train=words, dev=words, test=words)
    runs = tmp_path / "runs.jsonl"

    def call(*arguments):
        command = [sys.executable, SCRIPT, "--data", tmp_path, "--out", runs, "--epochs", "1"]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done

    call("--orders", "first")
    assert "third" in call("--orders", "first,third").stderr
    first, third = (json.loads(line) for line in runs.read_text().splitlines())
    assert (first["order"], third["order"]) == ("first", "third")
    assert first["UAS"] == first["optimal"] == first["pruner recall"] == 1.0
    assert 1.0 <= first["candidates per word"] <= 2.0
    assert first["tokens per second"] > first["tokens per second with loading"] > 0.0
    assert "| toy | official | 100.00 |" in call("--table").stdout
