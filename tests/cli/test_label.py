"""``treaty label``, ``treaty train labeler`` and the scores of entities."""

import json

import pytest

from treaty.corpus import read_columns, write_columns
from treaty.solve import Certificate

TRAIN = [("Ann", "sleeps", "B-PER O"), ("in", "Rome", "O B-LOC"), ("see", "Bob", "O B-PER")]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "train.tsv"
    blocks = []
    for *words, labels in TRAIN * 10:
        rows = zip(words, labels.split(), strict=True)
        blocks.append("".join(f"{word}\t{label}\n" for word, label in rows))
    path.write_text("# id = 1\n" + "\n".join(blocks))
    return path


@pytest.fixture(scope="module")
def model(data):
    from treaty.cli import main

    path = data.with_name("model.treaty")
    assert main(["train", "labeler", "--train", str(data), "-o", str(path), "--quiet"]) == 0
    return path


def test_a_labeler_is_trained_and_told_of(run, data, tmp_path):
    out = tmp_path / "chain.treaty"
    clusters, lists = tmp_path / "clusters.tsv", tmp_path / "lists.tsv"
    clusters.write_text("01\trome\t5\n")
    lists.write_text("city\tRome\n")
    code, printed, told = run(
        "train", "labeler", "--train", data, "--dev", data, "-o", out, "--order", "chain",
        "--scheme", "BILOU", "--clusters", clusters, "--gazetteers", lists, "--epochs", 3,
        "--language-model", "none", "--language", "en", "--license", "CC0-1.0",
    )  # fmt: skip
    assert (code, printed) == (0, "")
    assert "entities, epoch 3 of 3: micro F1 100.00 %" in told
    assert not out.with_name("chain.treaty.checkpoint").exists()
    code, printed, _ = run("info", out, "--format", "json")
    record = json.loads(printed)
    assert record["info"]["license"] == "CC0-1.0"
    assert (record["task"], record["types"]) == ("entities", ["LOC", "PER"])


def test_columns_in_columns_out(run, data, model, tmp_path):
    found = tmp_path / "found.tsv"
    assert run("label", data, "--model", model, "-o", found)[0] == 0
    sentences = list(read_columns(found))
    assert sentences[0].rows == [("Ann", "B-PER"), ("sleeps", "O")]
    assert sentences[0].comments[0] == "# id = 1"
    assert "# status = OPTIMAL" in sentences[0].comments
    code, printed, _ = run("evaluate", data, found)
    assert code == 0
    assert "micro  100.00  100.00 to 100.00" in printed
    code, printed, _ = run("evaluate", data, found, "--against", found, "--format", "json")
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
        (["train", "labeler", "--train", "nothing.tsv", "-o", "x"], 3, "nothing.tsv"),
        (["evaluate", "nothing.tsv", "nothing.tsv"], 3, "nothing.tsv"),
        (["evaluate", "DATA", "DATA", "--by", "label"], 2, "--by: only for trees, and"),
    ],
)
def test_mistakes(run, data, model, tmp_path, monkeypatch, arguments, code, cause):
    monkeypatch.chdir(tmp_path)
    found, printed, told = run(*({"MODEL": model, "DATA": data}.get(a, a) for a in arguments))
    assert (found, printed) == (code, "")
    assert cause in told


def test_files_with_other_words_are_not_compared(run, data, tmp_path):
    other = tmp_path / "other.tsv"
    sentences = list(read_columns(data))
    sentences[1].rows[0] = ("out", "O")
    write_columns(sentences, other)
    code, _, told = run("evaluate", data, other)
    assert code == 3
    assert "other.tsv: system: sentence 2 has other words than gold" in told
