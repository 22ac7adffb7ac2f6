"""``treaty evaluate`` as a user meets it: what it prints where, and how it exits."""

import gzip
import json

import pytest

from treaty.corpus import Sentence, write_conllu

ROWS = [
    ("I", "PRON", 2, "nsubj"),
    ("slept", "VERB", 0, "root"),
    ("in", "ADP", 4, "case"),
    ("trains", "NOUN", 2, "obl"),
    (".", "PUNCT", 2, "punct"),
]


def sentence(**changes):
    made = Sentence.from_words([row[0] for row in ROWS])
    for token, (_, upos, head, deprel) in zip(made, ROWS, strict=True):
        token.upos, token.head, token.deprel = upos, head, deprel
        for name, value in changes.get(token.form, {}).items():
            setattr(token, name, value)
    return made


@pytest.fixture
def files(tmp_path):
    """Write a gold file and a system's, which has a wrong head, label and tag."""
    wrong = sentence(trains={"deprel": "obl:in"}, I={"upos": "NOUN"}, **{".": {"head": 4}})
    sides = {"gold": [sentence(), sentence()], "system": [wrong, sentence()]}
    paths = {name: tmp_path / f"{name}.conllu" for name in sides}
    for name, sentences in sides.items():
        write_conllu(sentences, paths[name])
    return paths


def table(out):
    return {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}


def test_tables_by_default(run, files):
    code, out, err = run("evaluate", files["gold"], files["system"])
    rows = table(out)
    assert (code, err) == (0, "")
    assert rows["words"] == ["10", "8"]
    assert rows["UAS"][:2] == ["90.00", "100.00"]
    assert rows["LAS"][:2] == ["80.00", "87.50"]
    assert rows["UPOS"] == ["90.00"]


def test_json(run, files):
    code, out, err = run("evaluate", files["gold"], files["system"], "--format", "json")
    record = json.loads(out)
    assert (code, err, out.count("\n")) == (0, "", 1)
    assert (record["uas"], record["las"], record["punctuation"]) == (0.9, 0.8, True)
    assert record["tags"]["upos"]["value"] == 0.9


def test_what_counts_can_be_chosen(run, files):
    paths = files["gold"], files["system"], "--format", "json"
    assert json.loads(run("evaluate", *paths, "--no-punctuation")[1])["uas"] == 1
    assert json.loads(run("evaluate", *paths, "--no-subtypes")[1])["las"] == 0.9


def test_tables_by_label_and_by_length(run, files):
    _, out, _ = run("evaluate", files["gold"], files["system"], "--by", "label", "--by", "length")
    assert table(out)["obl:in"] == ["0", "1", "0", "0.00", "-", "0.00"]
    assert table(out)["3-6"] == ["2", "1", "1", "100.00", "50.00", "66.67"]


def test_two_systems_are_compared(run, files):
    _, out, _ = run("evaluate", files["gold"], files["gold"], "--against", files["system"])
    assert "difference" in out
    assert [row.split()[1] for row in out.splitlines() if row.startswith("UAS")] == [
        "100.00",
        "+10.00",
    ]


def test_known_words_apart(run, files):
    _, out, _ = run("evaluate", files["gold"], files["system"], "--train", files["gold"])
    assert table(out)["UPOS"] == ["90.00", "90.00", "-"]


def test_other_tokens_are_aligned(run, files, tmp_path):
    path = tmp_path / "other.conllu"
    write_conllu([Sentence.from_words(["I", "sleptin", "trains", "."])] * 2, path)
    code, out, _ = run("evaluate", files["gold"], path, "--aligned")
    assert code == 0
    assert table(out)["tokens"][:3] == ["10", "8", "6"]


def test_a_tagger_is_scored_without_trees(run, files, tmp_path):
    path = tmp_path / "tagged.conllu"
    write_conllu([sentence().with_tree([-1] * 5, ["_"] * 5)] * 2, path)
    code, out, err = run("evaluate", files["gold"], path)
    assert (code, "UAS" in out, table(out)["UPOS"]) == (0, False, ["100.00"])
    assert err == "treaty: note: the system has no heads: only tags are scored\n"
    assert run("evaluate", files["gold"], path, "--quiet")[2] == ""


def test_standard_input_compression_conllx_and_output(run, stdin, files, tmp_path):
    stdin(files["system"].read_bytes())
    packed, result = tmp_path / "gold.gz", tmp_path / "scores.txt"
    packed.write_bytes(gzip.compress(files["gold"].read_bytes()))
    code, out, _ = run("evaluate", packed, "-", "--input-format", "conllx", "-o", result)
    assert (code, out) == (0, "")
    assert table(result.read_text())["UAS"][0] == "90.00"


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        ([], "other.conllu: the file is empty"),
        ([sentence()], "gold has sentence 2, but system ends before it"),
        ([sentence(trains={"form": "cars"})], "token 4: gold has 'trains', system 'cars'"),
        ([sentence(I={"head": -1})] * 2, "token 1 ('I'): system has no head"),
    ],
)
def test_files_that_do_not_belong_together_exit_with_3(run, files, tmp_path, other, cause):
    path = tmp_path / "other.conllu"
    path.write_text("".join(s.to_conllu() for s in other))
    code, out, err = run("evaluate", files["gold"], path)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert cause in err
    assert run("evaluate", files["gold"], files["system"], "--against", path)[0] == 3


def test_the_other_system_is_named_when_it_does_not_fit(run, files, tmp_path):
    path = tmp_path / "other.conllu"
    path.write_text(sentence().to_conllu())
    _, _, err = run("evaluate", files["gold"], files["system"], "--against", path)
    assert "--against: gold has sentence 2" in err


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["-", "-"], "only one file can be standard input"),
        (["x", "-", "--against", "-"], "only one file can be standard input"),
        (["x", "y", "--by", "color"], "'--by'"),
        (["x", "y", "-o", "text"], "did you mean --format text?"),
        (["x"], "give SYSTEM, a file, or --model"),
    ],
)
def test_usage_exits_with_2(run, options, cause):
    code, out, err = run("evaluate", *options)
    assert (code, out) == (2, "")
    assert cause in err
