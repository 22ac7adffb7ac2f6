"""``treaty tag``."""

import json

import pytest


def tags(conllu):
    return [line.split("\t")[1:4:2] for line in conllu.splitlines() if line[:1].isdigit()]


def test_text_is_tagged(run, tag_model):
    code, out, err = run("tag", "--model", tag_model, "Dogs don't sleep. Cats sleep.")
    assert (code, err) == (0, "")
    assert "# text = Dogs don't sleep.\n" in out
    assert tags(out)[:5] == [
        ["Dogs", "NOUN"], ["don't", "_"], ["do", "AUX"], ["n't", "PART"], ["sleep", "VERB"],
    ]  # fmt: skip


def test_files_are_tagged_by_their_suffix(run, tag_model, tag_folder):
    text = tag_folder / "text.txt"
    text.write_text("Cats sleep.\n\nDogs sleep.\n", encoding="utf-8")
    _, out, _ = run("tag", "--model", tag_model, text, tag_folder / "train.conllu")
    assert out.count("\n\n") == 2 + 40


def test_json_has_an_object_a_line(run, tag_model):
    _, out, _ = run("tag", "--model", tag_model, "--format", "json", "Cats sleep. Dogs sleep.")
    first, second = map(json.loads, out.splitlines())
    assert first["text"] == "Cats sleep."
    assert second["tokens"][0] == {"id": 1, "form": "Dogs", "upos": "NOUN"}


def test_tokens_come_from_standard_input(run, stdin, tag_model):
    stdin("Cats sleep .\nDogs do n't sleep .\n")
    code, out, _ = run("tag", "--model", tag_model, "--input-format", "tokens", "--threads", "2")
    assert code == 0
    assert len(tags(out)) == 8


def test_results_go_to_a_file(run, tag_model, tag_folder):
    code, out, _ = run("tag", "--model", tag_model, "Cats sleep.", "-o", tag_folder / "out.conllu")
    assert (code, out) == (0, "")
    assert tags((tag_folder / "out.conllu").read_text(encoding="utf-8"))[0] == ["Cats", "NOUN"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--model", "nowhere", "Cats sleep."], 5, "there is no model 'nowhere': choose one of"),
        (["--model", "nowhere.treaty", "Cats sleep."], 5, "nowhere.treaty: cannot be read"),
        (["--model", "{model}", "nowhere.txt"], 3, "nowhere.txt: there is no such file"),
        (
            ["--model", "{model}", "--input-format", "conllu", "Cats sleep"],
            3,
            "expected 10 columns",
        ),
        (
            ["--model", "{train}", "Cats sleep."],
            5,
            "not a model file, or the Treaty header is missing",
        ),
        (["--model", "{model}", "a b", "-o", "/no/file"], 3, "cannot write /no/file"),
    ],
)
def test_errors_say_the_way_out(run, tag_model, tag_folder, arguments, code, message):
    names = {"model": str(tag_model), "train": str(tag_folder / "train.conllu")}
    found, out, err = run("tag", *[a.format(**names) for a in arguments])
    assert (found, out) == (code, "")
    assert message in err


def test_confidences_are_written_if_asked_for(run, tag_model):
    _, out, _ = run("tag", "--model", tag_model, "--confidences", "Cats sleep.")
    assert out.count("TagConfidence=") == 3
