"""``treaty evaluate`` on trees and tags."""

import json

import pytest
from tests.cli.data import sentence, table

from treaty.text import Sentence, write_conllu


def test_tables_by_default(run, tree_files):
    code, out, err = run("evaluate", tree_files["gold"], tree_files["system"])
    rows = table(out)
    assert (code, err) == (0, "")
    assert rows["words"] == ["10", "8"]
    assert rows["UAS"][:2] == ["90.00", "100.00"]
    assert rows["LAS"][:2] == ["80.00", "87.50"]
    assert rows["UPOS"] == ["90.00"]


def test_json(run, tree_files):
    code, out, err = run("evaluate", tree_files["gold"], tree_files["system"], "--format", "json")
    record = json.loads(out)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert (record["uas"], record["las"], record["punctuation"]) == (0.9, 0.8, True)
    assert record["tags"]["upos"]["value"] == 0.9


def test_what_counts_can_be_chosen(run, tree_files):
    paths = tree_files["gold"], tree_files["system"], "--format", "json"
    assert json.loads(run("evaluate", *paths, "--no-punctuation")[1])["uas"] == 1
    assert json.loads(run("evaluate", *paths, "--no-subtypes")[1])["las"] == 0.9


def test_tables_by_label_and_by_length(run, tree_files):
    _, out, _ = run(
        "evaluate", tree_files["gold"], tree_files["system"], "--by", "label", "--by", "length"
    )
    assert table(out)["obl:in"] == ["0", "1", "0", "0.00", "-", "0.00"]
    assert table(out)["3-6"] == ["2", "1", "1", "100.00", "50.00", "66.67"]


def test_two_systems_are_compared(run, tree_files):
    _, out, _ = run(
        "evaluate", tree_files["gold"], tree_files["gold"], "--against", tree_files["system"]
    )
    assert "difference" in out
    assert [row.split()[1] for row in out.splitlines() if row.startswith("UAS")] == [
        "100.00",
        "+10.00",
    ]


def test_known_words_apart(run, tree_files):
    _, out, _ = run(
        "evaluate", tree_files["gold"], tree_files["system"], "--train", tree_files["gold"]
    )
    assert table(out)["UPOS"] == ["90.00", "90.00", "-"]


def test_other_tokens_are_aligned(run, tree_files, tmp_path):
    path = tmp_path / "other.conllu"
    write_conllu([Sentence.from_words(["I", "sleptin", "trains", "."])] * 2, path)
    code, out, _ = run("evaluate", tree_files["gold"], path, "--aligned")
    assert code == 0
    assert table(out)["tokens"][:3] == ["10", "8", "6"]


def test_a_tagger_is_scored_without_trees(run, tree_files, tmp_path):
    path = tmp_path / "tagged.conllu"
    write_conllu([sentence().with_tree([-1] * 5, ["_"] * 5)] * 2, path)
    code, out, err = run("evaluate", tree_files["gold"], path)
    assert (code, "UAS" in out, table(out)["UPOS"]) == (0, False, ["100.00"])
    assert err == "treaty: note: the system has no heads: only tags are scored\n"
    assert run("evaluate", tree_files["gold"], path, "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        ([], "other.conllu: the file is empty"),
        ([sentence()], "gold has sentence 2, but system ends before it"),
        ([sentence(trains={"form": "cars"})], "token 4: gold has 'trains', system 'cars'"),
        ([sentence(I={"head": -1})] * 2, "token 1 ('I'): system has no head"),
    ],
)
def test_files_that_do_not_belong_together_exit_with_3(run, tree_files, tmp_path, other, cause):
    path = tmp_path / "other.conllu"
    path.write_text("".join(s.to_conllu() for s in other))
    code, out, err = run("evaluate", tree_files["gold"], path)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert cause in err
    assert run("evaluate", tree_files["gold"], tree_files["system"], "--against", path)[0] == 3


def test_the_other_system_is_named_when_it_does_not_fit(run, tree_files, tmp_path):
    path = tmp_path / "other.conllu"
    path.write_text(sentence().to_conllu())
    _, _, err = run("evaluate", tree_files["gold"], tree_files["system"], "--against", path)
    assert "--against: gold has sentence 2" in err


def test_options_that_do_not_go_together(run, tree_files):
    paths = tree_files["gold"], tree_files["system"]
    for options in (["--by", "label"], ["--undirected"], ["--train", tree_files["gold"]]):
        code, _, err = run("evaluate", *paths, "--aligned", *options)
        assert (code, "--aligned goes with none of" in err) == (2, True)
