"""``treaty compress``."""

import json

import pytest

from treaty.solve import Certificate

SIMPLE = ("--model", "simple")


def test_sentences_are_compressed(run, stdin):
    text = "However, the old man, who was tired, closed the door on Monday."
    code, printed, told = run("compress", text, *SIMPLE)
    assert (code, printed, told) == (0, "The man closed the door.\n", "")
    assert run("compress", text, "--safe", *SIMPLE)[1] == printed
    stdin(text + " He slept until noon.")
    code, printed, _ = run("compress", "--show-cuts", *SIMPLE)
    assert len(printed.splitlines()) == 2
    assert "[However,]" in printed
    record = json.loads(run("compress", text, "--format", "json", *SIMPLE)[1])
    assert sum(record["kept"]) >= 3
    assert list(record["certificate"]) == list(Certificate.exact(0.0).to_dict())
    assert {"text": "However", "kind": "connectives"} in record["cuts"]
    assert record["second_look"]["same"] is True


def test_limits_that_safe_cuts_cannot_reach(run):
    text = "However, the old man, who was tired, closed the door on Monday."
    code, printed, told = run("compress", text, "--words", 4, *SIMPLE)
    assert (code, printed) == (4, "The man closed the door.\n")
    assert told.startswith("treaty: note: 1 of 1 are longer than requested: more would not be safe")
    code, printed, told = run("compress", text, "--words", 4, "--short", "-q", *SIMPLE)
    assert (code, printed, told) == (4, "The man closed the door.\n", "")
    assert run("compress", text, "--words", 12, *SIMPLE)[0] == 0
    assert run("compress", text, "--rate", 0.1, *SIMPLE)[0] == 4


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["nothing.txt"], 3, "no such file"),
        (["a b", "--rate", "2"], 2, "--rate"),
        (["a b", "--rules", "none.toml"], 3, "none.toml"),
    ],
)
def test_mistakes(run, tmp_path, monkeypatch, arguments, code, cause):
    monkeypatch.chdir(tmp_path)
    found, printed, told = run("compress", *arguments, *SIMPLE)
    assert (found, printed) == (code, "")
    assert cause in told


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_nothing_in_nothing_out(run, tmp_path, text):
    path = tmp_path / "empty.txt"
    path.write_text(text)
    told = "treaty: note: nothing to compress: the input is empty\n"
    assert run("compress", path, *SIMPLE) == (0, "", told)


def test_compressions_go_in_and_out(run, tmp_path):
    gold, found = tmp_path / "gold.jsonl", tmp_path / "found.jsonl"
    words = ["The", "old", "man", "slept", "in", "his", "chair", "by", "the", "fire", "."]
    line = {"source_tokens": words, "keep": [1] * 4 + [0] * 6 + [1]}
    gold.write_text(json.dumps(line) + "\n")
    assert run("compress", gold, "--format", "json", "-o", found, *SIMPLE)[0] == 0
    code, out, _ = run("evaluate", gold, found, "--format", "json")
    assert (code, json.loads(out)["words"]["total"]) == (0, len(words))
