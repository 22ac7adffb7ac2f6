"""``treaty evaluate`` as a user meets it: what it prints where, and how it exits."""

import gzip

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


def test_standard_input_compression_conllx_and_output(run, stdin, files, tmp_path):
    stdin(files["system"].read_bytes())
    packed, result = tmp_path / "gold.gz", tmp_path / "scores.txt"
    packed.write_bytes(gzip.compress(files["gold"].read_bytes()))
    code, out, _ = run("evaluate", packed, "-", "--input-format", "conllx", "-o", result)
    assert (code, out) == (0, "")
    assert table(result.read_text())["UAS"][0] == "90.00"


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["-", "-"], "only one file can be standard input"),
        (["x", "-", "--against", "-"], "only one file can be standard input"),
        (["x", "y", "--by", "color"], "'--by'"),
        (["x", "y", "-o", "text"], "did you mean --format text?"),
        (["x"], "give SYSTEM, a file of predictions, or --model"),
    ],
)
def test_usage_exits_with_2(run, options, cause):
    code, out, err = run("evaluate", *options)
    assert (code, out) == (2, "")
    assert cause in err
