"""``treaty label``."""

import json

import pytest

from treaty.solve import Certificate
from treaty.text import read_columns


@pytest.fixture(scope="module")
def model(entity_file):
    from treaty.cli import main

    path = entity_file.with_name("model.treaty")
    assert main(["train", "labeler", "--train", str(entity_file), "-o", str(path), "--quiet"]) == 0
    return path


def test_columns_in_columns_out(run, entity_file, model, tmp_path):
    found = tmp_path / "found.tsv"
    assert run("label", entity_file, "--model", model, "-o", found)[0] == 0
    sentences = list(read_columns(found))
    assert sentences[0].rows == [("Ann", "B-PER"), ("sleeps", "O")]
    assert sentences[0].comments[0] == "# id = 1"
    assert "# status = OPTIMAL" in sentences[0].comments
    code, printed, _ = run("evaluate", entity_file, found)
    assert code == 0
    assert "micro  100.00  100.00 to 100.00" in printed
    code, printed, _ = run("evaluate", entity_file, found, "--against", found, "--format", "json")
    record = json.loads(printed)
    assert record["by_type"]["PER"]["f1"] == 1.0
    assert record["against"]["micro"]["p_value"] == 1.0


def test_other_columns_survive_and_labels_may_be_of_any_scheme(run, model, tmp_path):
    path = tmp_path / "more.bio"
    path.write_text("Ann NNP O\nsleeps VBZ O\n")
    code, printed, _ = run("label", path, "--model", model, "--scheme", "BIESO", "--chain-only")
    assert code == 0
    assert printed.splitlines()[-3:] == ["Ann\tNNP\tS-PER", "sleeps\tVBZ\tO", ""]


def test_text_as_json_with_places(run, model):
    code, printed, _ = run("label", "see Bob in Rome .", "--model", model, "--format", "json")
    record = json.loads(printed)
    assert code == 0
    assert record["certificate"] == {**record["certificate"], "status": "OPTIMAL", "gap": 0.0}
    assert list(record["certificate"]) == list(Certificate.exact(0.0).to_dict())
    for entity in record["entities"]:
        assert record["text"][entity["start"] : entity["end"]] == entity["text"]
        assert 0 < entity["confidence"] <= 1


@pytest.mark.parametrize(
    ("kind", "text", "lines"),
    [
        ("messages", "Ann sleeps!\n\nsee @bob\n", ["Ann", "sleeps", "!", "", "see", "@bob", ""]),
        ("tokens", "Ann sleeps!\n\nsee @bob\n", ["Ann", "sleeps!", "", "see", "@bob", ""]),
        ("text", "Ann sleeps.\nSee Rome.", ["Ann", "sleeps", ".", "", "See", "Rome", ".", ""]),
    ],
)
def test_what_stdin_holds(run, stdin, model, kind, text, lines):
    stdin(text)
    code, printed, _ = run("label", "--model", model, "--input-format", kind)
    assert code == 0
    rows = [line for line in printed.splitlines() if not line.startswith("# ")]
    assert [row.split("\t")[0] for row in rows] == lines


def test_a_page_shows_what_texts_hold_and_does_not_interpret_it(run, model):
    code, printed, _ = run(
        "label", "Ann <script>alert(1)</script> & Rome", "--model", model, "--format", "html"
    )
    assert code == 0
    assert "<script>" not in printed
    assert "&lt;" in printed
    assert "prefers-color-scheme: dark" in printed


def test_colors_for_the_terminal(run, model):
    code, printed, _ = run("label", "Ann sleeps", "--model", model, "--format", "text")
    assert code == 0
    assert "Ann" in printed
    assert "PER" in printed


def test_faulty_parts_are_told_and_the_rest_is_labeled(run, model, tmp_path):
    path = tmp_path / "bad.tsv"
    path.write_text("Ann\tO\n\nbad\n\nBob\tO\n")
    code, printed, told = run("label", path, "--model", model)
    assert code == 3
    assert "bad.tsv:3: no tab" in told
    assert "1 faulty part" in told
    assert [row.split("\t")[0] for row in printed.splitlines() if "\t" in row] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["label", "nothing.txt", "--model", "MODEL"], 3, "no such file"),
        (["label", "a b", "--model", "nothing.treaty"], 5, "cannot be read"),
        (
            ["label", "a b", "--model", "MODEL", "--method", "magic"],
            2,
            "'magic' is not one of 'ad3', ",
        ),
        (["label", "a b", "--model", "english"], 5, "expected 'entities'"),
    ],
)
def test_mistakes(run, model, tmp_path, monkeypatch, arguments, code, cause):
    monkeypatch.chdir(tmp_path)
    found, printed, told = run(*({"MODEL": model}.get(a, a) for a in arguments))
    assert (found, printed) == (code, "")
    assert cause in told


def test_rules_are_evidence(run, model, tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[rule]]\nphrase = "sleeps"\ntype = "PER"\n[[rule]]\nphrase = "Ann"\ntype = "O"\n'
    )
    options = ("--model", model, "--input-format", "tokens", "--rules", rules)
    code, printed, _ = run("label", "Ann sleeps", *options)
    assert code == 0
    assert printed.splitlines()[-3:] == ["Ann\tO", "sleeps\tB-PER", ""]
    assert "# status = OPTIMAL" in printed
    rules.write_text('[[rule]]\nphrase = "Ann"\ntype = "XYZ"\n')
    code, _, errors = run("label", "Ann sleeps", *options)
    assert code == 3
    assert "rules.toml:1: the model has no type 'XYZ'" in errors


def test_names_below_the_threshold_are_left_out(run, model):
    options = ("--model", model, "--input-format", "tokens", "--format", "json")
    records = [
        json.loads(run("label", "Ann sleeps", *options, "--threshold", p)[1]) for p in (0, 1)
    ]
    assert [len(record["entities"]) for record in records] == [1, 0]
    assert records[1]["labels"] == ["O", "O"]
    assert run("label", "Ann sleeps", *options, "--threshold", 1.5)[0] == 2
