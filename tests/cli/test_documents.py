"""Documents in, documents out: folders, one stream, what exists, what is resumed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.parse.treebank import small_pipeline
from tests.tasks.corpus import NAMES, packed, write

from treaty.cli import _task
from treaty.tasks._sinks import MARK, Folder
from treaty.text import read_columns, read_conllu
from treaty.text._spaces import misc_value, raw_form


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.treaty"
    small_pipeline(order="first").save(path)
    return str(path)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "corpus")
    return tmp_path


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


TARGETS = [
    "a/letter.conllu",
    "b/empty.conllu",
    "b/letter.conllu",
    "b/letter.txt.conllu",
    "b/my letter ü.conllu",
    "c/49960.conllu",
]


def test_a_file_for_each_document(run, model, here):
    code, out, err = run("parse", "corpus", "--model", model, "-o", "out/")
    assert (code, out) == (0, "")
    assert "6 documents written to out" in err
    assert "left out 2 of other kinds" in err
    found = files(here / "out")
    assert list(found) == TARGETS
    code, out, _ = run("parse", "corpus", "--model", model)
    assert (code, out) == (0, "".join(found[name] for name in TARGETS))
    assert out.count("# newdoc id = ") == len(NAMES) - 1  # the empty one has no sentence


def test_an_archive_gives_the_same_files(run, model, here):
    run("parse", "corpus", "--model", model, "-o", "out/")
    packed(here / "c.zip")
    assert run("parse", "c.zip", "--model", model, "-o", "zip/")[0] == 0
    assert files(here / "zip") == files(here / "out")


def test_places_are_those_of_the_files(run, model, here):
    run("tag", "corpus", "--model", model, "-o", "out/")
    for name in ("a/letter", "c/49960"):
        path = here / "corpus" / (name if name[0] == "c" else f"{name}.txt")
        text = path.read_text(encoding="utf-8-sig")
        for sentence in read_conllu(here / "out" / f"{name}.conllu"):
            for form, misc in sentence.surface():
                start, end = map(int, misc_value(misc, "TokenRange").split(":"))
                assert text[start:end] == raw_form(form, misc)


def test_json_of_several_files(run, model, here):
    code, out, _ = run(
        "parse", "corpus/a/letter.txt", "corpus/b/letter.txt", "--model", model, "--format", "json"
    )
    records = [json.loads(line) for line in out.splitlines()]
    assert (code, {record["document"] for record in records}) == (
        0,
        {"a/letter.txt", "b/letter.txt"},
    )
    for record in records:
        text = Path(record["source"]).read_text(encoding="utf-8-sig")
        assert text[record["start"] : record["end"]] == record["text"]
        for token in record["tokens"]:
            assert text[token["start"] : token["end"]] in (token["form"], "don't")


def test_one_text_is_no_collection(run, model, stdin):
    code, out, _ = run("parse", "corpus/a/letter.txt", "--model", model)
    assert (code, "newdoc" in out, "sent_id" in out, "TokenRange" in out) == (
        0,
        False,
        False,
        False,
    )
    stdin("Cats sleep.")
    assert "newdoc" not in run("parse", "--model", model)[1]
    two = run("parse", "Cats sleep.", "Dogs bark.", "--model", model)[1]
    assert two.count("# newdoc id = text-") == 2


def test_labels_have_places(run, here):
    code, out, _ = run("label", "corpus", "--format", "json")
    assert code == 0
    for record in map(json.loads, out.splitlines()):
        name = record["source"]
        if name.endswith(".html"):
            continue
        text = Path(name).read_text(encoding="utf-8-sig")
        assert text[record["start"] : record["end"]] == record["text"]
        for entity in record["entities"]:
            assert text[entity["start"] : entity["end"]] == entity["text"]
    assert run("label", "corpus", "-o", "out/")[0] == 0
    (first, *_) = read_columns(here / "out/b/letter.txt.tsv")
    assert first.comments[:4] == [
        "# newdoc id = b/letter.txt",
        "# sent_id = b:letter.txt-1",
        "# text = It rained in Paris.",
        "# start_char = 4",
    ]


@pytest.mark.parametrize("kind", ["messages", "tokens"])
def test_lines_have_places(run, here, kind):
    (here / "m").mkdir()
    text = "Ann is here .\n\n  Bob left Rome .\n"
    (here / "m/1.txt").write_text(text)
    code, out, _ = run("label", "m", "--input-format", kind, "--format", "json")
    records = [json.loads(line) for line in out.splitlines()]
    assert (code, [record["text"] for record in records]) == (
        0,
        ["Ann is here .", "Bob left Rome ."],
    )
    assert all(text[r["start"] : r["end"]] == r["text"] for r in records)


def test_columns_are_labeled_again(run, here):
    write(here / "t", {"x.tsv": b"# id = 1\nAnn\tPRP\tO\n\nRome\tNN\tO\n", "y.tsv": b"Bob\tO\n"})
    code, out, _ = run("label", "t")
    assert (code, out.count("# newdoc id"), "# id = 1" in out, "PRP" in out) == (0, 2, True, True)


def test_summaries_of_each(run, here):
    code, out, err = run("summarize", "corpus", "--each", "--model", "simple")
    assert code == 3
    assert "b/empty.txt: the file has no words" in err
    assert out.count("# newdoc id = ") == 5
    code, out, err = run("summarize", "corpus", "--model", "simple", "--format", "json")
    assert ("newdoc" in out, "b/empty.txt: the file has no words" in err) == (False, True)
    assert json.loads(out)["documents"] == 5  # those behind the faulty one, too
    code, out, err = run("summarize", "corpus", "--model", "simple", "-o", "out/")
    assert (code, "give --each" in err) == (2, True)
    run("summarize", "corpus", "--each", "--model", "simple", "-o", "out/", "--format", "json")
    record = json.loads((here / "out/a/letter.jsonl").read_text())
    assert (record["document"], record["source"]) == ("a/letter.txt", "corpus/a/letter.txt")


def test_compressions(run, here):
    code, out, _ = run("compress", "corpus", "--model", "simple", "--format", "json")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {record["document"] for record in records} == set(NAMES) - {"b/empty.txt"}


def test_a_faulty_document_is_named_and_the_rest_goes_on(run, model, here):
    (here / "corpus/a/bad.txt").write_bytes(b"caf\xe9")
    code, _, err = run("parse", "corpus", "--model", model, "-o", "out/")
    assert code == 3
    assert "corpus/a/bad.txt:1: not UTF-8 (byte 0xE9); give its encoding, such as --encoding" in err
    assert list(files(here / "out")) == TARGETS
    code, _, err = run(
        "parse", "corpus", "--model", model, "-o", "out/", "--resume", "--encoding", "latin-1"
    )
    assert (code, "1 document written to out; 6 were there before" in err) == (0, True)


def test_a_single_text_names_the_option_too(run, model, here):
    (here / "l.txt").write_bytes("Café ist offen.".encode("latin-1"))
    code, _, err = run("parse", "l.txt", "--model", model)
    assert (code, "--encoding latin-1" in err) == (3, True)
    code, out, _ = run("parse", "l.txt", "--model", model, "--encoding", "latin-1")
    assert (code, "# text = Café ist offen." in out) == (0, True)
    code, _, err = run("parse", "l.txt", "--model", model, "--encoding", "ascii")
    assert (code, "l.txt: is not ascii" in err) == (3, True)
    code, _, err = run("parse", "l.txt", "--model", model, "--encoding", "latin-99")
    assert (code, "there is no encoding 'latin-99'" in err) == (2, True)


def test_nothing_is_replaced_without_force(run, model, here):
    (here / "out/a").mkdir(parents=True)
    (here / "out/a/letter.conllu").write_text("mine")
    code, _, err = run("parse", "corpus", "--model", model, "-o", "out")
    assert (code, "a/letter.conllu exists: give --force" in err) == (2, True)
    assert files(here / "out") == {"a/letter.conllu": "mine"}
    assert run("parse", "corpus", "--model", model, "-o", "out", "--force")[0] == 0
    assert files(here / "out")["a/letter.conllu"] != "mine"


def test_a_run_that_stops_goes_on(run, model, here, monkeypatch):
    whole = run("parse", "corpus", "--model", model, "-o", "whole/")[0]
    monkeypatch.setattr(_task, "Folder", type("Stops", (Folder,), {"write": stopping(3)}))
    assert run("parse", "corpus", "--model", model, "-o", "out/")[0] == 130
    assert len(files(here / "out")) == 4  # three, and the mark of the run
    monkeypatch.undo()
    monkeypatch.chdir(here)
    code, _, err = run("tag", "corpus", "--model", model, "-o", "out/", "--resume")
    assert (code, "had another" in err) == (2, True)
    code, _, err = run("parse", "corpus", "--model", model, "-o", "out/", "--resume")
    assert (whole, code) == (0, 0)
    assert "3 documents written to out; 3 were there before" in err
    assert files(here / "out") == files(here / "whole")
    assert run("parse", "corpus", "--model", model, "-o", "out/", "--resume")[0] == 0


def stopping(after):
    """A method that writes some documents, then is interrupted as by Ctrl-C."""
    done = []

    def write(self, document, texts):
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(document)
        Folder.write(self, document, texts)

    return write


def test_a_killed_run_of_many_files_goes_on(model, here):
    texts = {f"{n % 7}/{n:04}.txt": b"The cat sees a dog." for n in range(2000)}
    many = write(here / "many", texts)
    command = [sys.executable, "-m", "treaty", "parse", str(many), "--model", model, "-o", "out/"]
    process = subprocess.Popen([*command, "--quiet"], stderr=subprocess.PIPE)
    end = time.monotonic() + 300
    while time.monotonic() < end and process.poll() is None:
        if len(list(here.glob("out/0/*.conllu"))) >= 3:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=300)
    before = files(here / "out")
    assert process.returncode in (143, 0)  # 0: it was quicker
    assert not [name for name in before if name.endswith(".part")]
    assert (MARK in before) == (process.returncode == 143)
    done = subprocess.run([*command, "--resume"], capture_output=True, check=True, text=True)
    after = files(here / "out")
    assert len(after) == 2000
    assert f"{len(before.keys() - {MARK}):,} were there before" in done.stderr
    assert len(before) > 3
    bodies = {text.split("# text", 1)[1] for text in after.values()}
    assert len(bodies) == 1


def test_a_folder_is_not_written_into_itself(run, model, here):
    code, _, err = run("parse", "corpus", "--model", model, "-o", "corpus/")
    assert (code, "among the input" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "out/", "--force", "--resume"], "choose one"),
        (["--force"], "--force goes with -o folder/"),
        (["--resume"], "also with -o folder/"),
        (["-o", "out/", "--cluster", "local:1"], "give -o FILE, not a folder"),
        (["--id", "key"], "give --field"),
    ],
)
def test_options_that_do_not_go_together(run, model, arguments, message):
    code, _, err = run("parse", "corpus", "--model", model, *arguments)
    assert (code, message in err) == (2, True)


def test_a_folder_for_commands_without_documents(run, here):
    (here / "out").mkdir()
    code, _, err = run("link", "corpus/a/letter.txt", "-o", "out/")
    assert (code, "cannot write out/: it is a directory" in err.lower()) == (3, True)


def test_a_file_that_cannot_be_read(run, model, here):
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (here / "corpus/a/letter.txt").chmod(0)
    code, out, err = run("parse", "corpus", "--model", model)
    assert (code, "corpus/a/letter.txt: cannot be read" in err) == (3, True)
    assert "b/letter.txt" in out


def test_pages_of_each_document(run, model, here):
    assert run("parse", "corpus", "--model", model, "-o", "out/", "--format", "html")[0] == 0
    found = files(here / "out")
    assert found["a/letter.html"].startswith("<!DOCTYPE html>")
    assert found["b/empty.html"] == ""
