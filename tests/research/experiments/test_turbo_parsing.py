import json
import subprocess
import sys

from tests.parse.treebank import treebank

from research.experiments._treebanks import (
    Treebank,
    read_treebank,
    retagged,
    tag_accuracy,
    treebank_names,
)
from research.report import ROOT
from research.report.tables import turbo_parsing as tables
from treaty.text import Sentence, Token, write_conllu


def a_run(treebank="danish-ddt", order="first", **changes):
    return {
        "treebank": treebank,
        "order": order,
        "epochs": 10,
        "seed": 1,
        "sentences": None,
        "tags": "gold",
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
    third = a_run("english-ewt", "third", UAS=0.91234, dev={"UAS": 0.92, "LAS": 0.9})
    runs = [third, a_run("english-ewt", "first")]
    head, _, row = tables.by_treebank(runs).splitlines()
    assert head == "| treebank | split | first UAS | tokens/s | third UAS | tokens/s | third LAS |"
    assert row == "| english-ewt | official | 88.00 | 12,346 | 91.23 | 12,346 | 80.00 |"
    row = "| english-ewt | third | 92.00 | 90.00 | 91.23 | 80.00 | 90.00 | 12,346 |"
    assert row in tables.english(runs)


def test_an_order_that_was_not_run_leaves_its_place_empty():
    runs = [a_run(order="first"), a_run("english-ewt", "third")]
    assert "| danish-ddt | CoNLL-2006 | 88.00 | 12,346 |  |  |  |" in tables.by_treebank(runs)
    assert tables.splits(runs) == "- danish-ddt: corrected since"


def test_scores_stand_beside_the_paper_s():
    text = tables.beside_the_paper([a_run(order="first"), a_run(order="second+")])
    assert "| danish-ddt | first | 90.00 | 89.42 | +0.58 | 85.00 | 12,346 | 4,110 |" in text
    assert "| danish-ddt | second+ | 90.00 |  |  | 85.00 | 12,346 |  |" in text


def test_the_latest_run_counts_and_trials_are_called_so():
    runs = [a_run(epochs=5, UAS=0.5, sentences=7), a_run(UAS=0.7)]
    assert "| danish-ddt | first | 70.00 |" in tables.all_runs(runs)
    assert "trial" not in tables.splits(runs)
    assert "trial" in tables.splits(runs[:1])


def test_tags_of_a_tagger_stand_beside_gold_tags_of_the_same_run():
    own = a_run(tags="jackknifed", UAS=0.8, sentences=9, **{"tag accuracy": {"upos": 0.95}})
    runs = [a_run(UAS=0.7), a_run(UAS=0.85, sentences=9), own]
    (row,) = tables.jackknifed(runs).splitlines()[2:]
    assert row.startswith("| danish-ddt | first | 9 | 85.00 | 80.00 | 80.00 | 80.00 | 90.00 |")
    assert row.endswith("| 95.00 |")
    assert tables.jackknifed(runs[:1]) == "*Not run yet.*"
    assert "| danish-ddt | first | 70.00 |" in tables.all_runs(runs)


def test_what_is_missing_is_named():
    text = tables.missing([a_run(order=order) for order in tables.ORDERS])
    assert text.splitlines() == ["Not run yet:", "", "- jackknifed tags, ten epochs: danish-ddt"]
    text = tables.missing([a_run(order="first"), a_run(order="third", epochs=3)])
    assert "- gold tags, ten epochs: danish-ddt (second, second+, third)" in text


def test_a_treebank_is_tagged_by_a_tagger_that_has_not_seen_it():
    bank = treebank(12)
    gold = Treebank("toy", bank[:10], bank[10:11], bank[11:])
    tagged = retagged(gold, 1, 1)
    assert tagged.test == gold.test and len(tagged.train) == 10
    assert [s.heads for s in tagged.train] == [s.heads for s in gold.train]
    assert tagged.train != gold.train  # with so few sentences there are errors
    assert tag_accuracy(gold) == {}
    right = [a.upos == b.upos for a, b in zip(gold.test[0], tagged.tagged[0], strict=True)]
    assert tag_accuracy(tagged)["upos"] == sum(right) / len(right)


def test_empty_columns_are_not_tagged():
    sleeps = Token("sleeps", upos="VERB")
    bank = [Sentence([Token(word, upos="NOUN"), sleeps]) for word in ("cat", "dog")]
    tagged = retagged(Treebank("toy", bank, [], bank), 1, 1)
    assert set(tag_accuracy(tagged)) == {"upos"}


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
        command = [sys.executable, "-m", "research.experiments.turbo_parsing", "--epochs", "1"]
        command += ["--data", tmp_path, "--out", runs, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        return done

    call("--orders", "first")
    assert "third" in call("--orders", "first,third").stderr
    first, third = (json.loads(line) for line in runs.read_text().splitlines())
    assert (first["order"], third["order"]) == ("first", "third")
    assert first["UAS"] == first["optimal"] == first["pruner recall"] == 1.0
    assert 1.0 <= first["candidates per word"] <= 2.0
    assert first["tokens per second"] > first["tokens per second with loading"] > 0.0
    assert first["command"].startswith("python -m research.experiments.turbo_parsing --epochs 1")
