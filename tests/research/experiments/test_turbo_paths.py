import json
import subprocess
import sys

from tests.research.experiments.test_turbo_parsing import write_treebank

from research.experiments.turbo_paths import by_kind, kinds_of
from research.report import ROOT
from research.report.tables import turbo_paths as tables
from treaty.text import Sentence


def tree(*heads):
    words = [f"w{i}" for i in range(len(heads))]
    return Sentence.from_words(words).with_tree(list(heads), ["x"] * len(heads))


def a_run(order, **changes):
    return {
        "treebank": "danish-ddt",
        "order": order,
        "epochs": 3,
        "seed": 1,
        "sentences": 9,
        "held out": 3,
        "UAS": 0.8,
        "LAS": 0.7,
        "optimal": 0.5,
        "tokens per second": 99.6,
        "training seconds": 12.0,
        "predicted non-projective": 4,
        "groups": {kind: {"1": [10, 5]} for kind in tables.KINDS},
        "right sentences": "010",
        **changes,
    }


def test_words_are_grouped_by_their_place_in_the_gold_tree():
    # 4 hangs from 2 across 3, which hangs from 1.
    gold = tree(0, 1, 1, 2)
    assert list(kinds_of(gold, "projective")) == ["yes", "yes", "yes", "no"]
    assert list(kinds_of(gold, "length")) == ["root", "1", "2", "2"]
    assert list(kinds_of(gold, "depth")) == ["1", "2", "2", "3"]
    assert list(kinds_of(gold, "siblings")) == ["0", "1", "1", "0"]
    chain = tree(0, *range(1, 20))
    assert list(kinds_of(chain, "depth"))[5:] == ["6"] + ["7+"] * 14
    far = tree(0, *[1] * 19)
    assert list(kinds_of(far, "length"))[4:12] == ["4", "5"] + ["6–10"] * 5 + ["11+"]


def test_right_heads_are_counted_by_group():
    found = by_kind([tree(0, 1, 1, 2)], [tree(0, 1, 2, 2)], "length")
    assert found == {"root": [1, 1], "1": [1, 1], "2": [2, 1]}


def test_orders_are_compared_where_both_were_run():
    better = {kind: {"1": [10, 7]} for kind in tables.KINDS}
    runs = [a_run("full", groups=better, **{"right sentences": "110"}), a_run("second")]
    assert "| siblings | 1 | 10 | 50.00 | 70.00 | 20.00 |" in tables.errors(runs)
    assert "| danish-ddt | 1 | 1 | 0 | 1 |" in tables.sentences(runs)
    assert tables.missing(runs) == "Not run: danish-ddt second+."
    first, second = tables.accuracy(runs).splitlines()[2:]
    assert first.startswith("| danish-ddt | second (G+CS) | 80.00 | 70.00 | 0 of 0 | 4 | 50.00 |")
    assert "full" in second
    alone = [a_run("full")]
    assert len(tables.errors(alone).splitlines()) == 2


def test_what_is_done_is_not_done_again(tmp_path):
    words = [f"w{i}" for i in range(6)]
    write_treebank(tmp_path, "toy", train=words, dev=words)
    out = tmp_path / "runs.jsonl"
    command = [
        sys.executable,
        "-m",
        "research.experiments.turbo_paths",
        "--epochs",
        "1",
        "--data",
        tmp_path,
    ]
    command += ["--treebanks", "toy", "--orders", "full", "--out", out]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
    (line,) = out.read_text().splitlines()
    run = json.loads(line)
    assert run["UAS"] == 1.0 and run["right sentences"] == "1" * 6
    assert run["groups"]["length"] == {"1": [6, 6], "root": [6, 6]}
