"""Files are recognized by what they hold, and read from their beginning all the same."""

import gzip
import io
import json
import os
import sys
import threading

import pytest

from treaty.errors import InputError, UsageError
from treaty.text import read_conllu, read_text, recognize
from treaty.text.formats import document_format, format_named, suffix_of

ROW = "1\tCats\t_\tNOUN\t_\t_\t0\troot\t_\t_\n"
CONTENTS = {
    "CONLLU": [
        ROW,
        f"# text = Cats\n\n{ROW}",
        "1-2\tdon't" + "\t_" * 8 + "\n" + ROW,
        ROW.replace("\t_\t_\n", "\t0:root\tSpaceAfter=No\n"),
    ],
    "CONLLX": [ROW.replace("\t_\t_\n", "\t0\troot\n")],
    "COLUMNS": [
        "Rome\tB-LOC\n",
        "# id = 1\nRome\tNNP\tB-LOC\n\n#cute\tX\tO\n",
        "EU NNP I-NP S-ORG\nrejects VBZ B-VP O\n",
        "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\n",
    ],
    "THREADS": ['{"posts": []}\n', '\n{"id": 1, "posts": [{"text": "a"}], "links": []}\n'],
    "COLLECTIONS": [
        '{"documents": ["a"]}\n',
        '{"sentences": ["a"], "references": ["b"]}\n',
        json.dumps({"documents": ["x" * 300_000]}) + "\n",
    ],
    "SUMMARIES": [
        '{"topic": 1, "summary": "a"}\n',
        '{"documents": 3, "summary": ["a"], "sentences": []}\n',
    ],
    "COMPRESSIONS": ['{"source_tokens": ["a"], "keep": [1]}', '{"tokens": ["a"], "kept": [1]}\n'],
    "JSON": ['{"a": 1}\n', "{broken\n", "{" + "[" * 100_000],
    "HTML": ["<!DOCTYPE html>\n<p>a", "  <html><p>a"],
    "TEXT": ["Cats sleep.\n", "# A title\n\nCats sleep.", "Plan O\nis here\n", "1\tA\t_\n"],
    "EMPTY": ["", "\n \n\t\n", "\ufeff"],
}  # fmt: skip
CASES = [(kind, text) for kind, texts in CONTENTS.items() for text in texts if kind != "CONLLX"]


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_content_tells(tmp_path, kind, text):
    for data in (text.encode(), ("\ufeff" + text.lstrip("\ufeff").replace("\n", "\r\n")).encode(),
                 gzip.compress(text.encode())):  # fmt: skip
        path = tmp_path / "file"
        path.write_bytes(data)
        assert recognize(path) == (format_named(kind.lower()), path)
        assert recognize(str(path)).origin == str(path)


def test_a_head_in_the_ninth_column_is_conllx():
    text = CONTENTS["CONLLX"][0]
    found = recognize(io.StringIO(text))
    assert found.format is format_named("conllx")
    (sentence,) = read_conllu(found.origin, format="conllx")
    assert sentence.tokens[0].deps == "0"
    assert recognize(io.StringIO(f"# comment\n{text}")).format is format_named("conllu")


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_streams_are_read_from_the_beginning(kind, text):
    found = recognize(io.StringIO(text))
    assert found.format is format_named(kind.lower())
    assert read_text(found.origin) == text.removeprefix("\ufeff")


def test_standard_input_is_not_lost(monkeypatch):
    text = ROW + "\n" + ROW * 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(text.encode()))))
    found = recognize("-")
    assert (found.format, found.origin.name) == (format_named("conllu"), "<stdin>")
    assert read_text(found.origin) == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_are_read_once(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(ROW,))
    writer.start()
    found = recognize(path)
    assert found.format is format_named("conllu")
    assert read_text(found.origin) == ROW
    writer.join()


class Slow(io.RawIOBase):
    """What a terminal gives: a line at a time, and nobody knows whether there are more."""

    def __init__(self, *lines):
        self.lines = list(lines)

    def read(self, _size=-1):
        if not self.lines:
            pytest.fail("one line too many was asked for")
        return self.lines.pop(0)


def test_the_first_line_that_says_something_is_enough():
    assert recognize(Slow(b"\n", b"# x\n", b"Rome\tB-LOC\n")).format is format_named("columns")
    assert recognize(Slow(b'{"posts', b'": []}\n')).format is format_named("threads")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("damaged.conllu", "CONLLU"),
        ("unlabeled.TSV.gz", "COLUMNS"),
        ("odd.jsonl.xz", "JSON"),
        ("letter.txt", "TEXT"),
    ],
)
def test_names_count_where_content_says_nothing(tmp_path, name, kind):
    (tmp_path / name).write_text("Cats _\n")
    assert recognize(tmp_path / name).format is format_named(kind.lower())
    (tmp_path / name).write_text('{"posts": []}\n')
    assert recognize(tmp_path / name).format is format_named("threads")


def test_what_cannot_be_read_is_an_input_error(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError, match="cannot be read"):
            recognize(path)
    (tmp_path / "broken.gz").write_bytes(gzip.compress(ROW.encode())[:14])
    with pytest.raises(InputError, match="are truncated"):
        recognize(tmp_path / "broken.gz")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.html", "html"), ("a.EML.gz", "email"), ("a.docx", "office"), ("a.conllx", "conllx")],
)
def test_documents_have_the_format_of_their_names(tmp_path, name, kind):
    path = tmp_path / name
    path.write_bytes(b"PK\x03\x04" if kind == "office" else b"Cats sleep.\n")
    assert recognize(path).format is format_named(kind)


def test_an_archive_under_another_name_is_still_an_archive(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"PK\x03\x04")
    assert recognize(path).format is format_named("office")


def test_documents_are_told_apart_by_name_and_then_by_content():
    page = io.BytesIO(b"<p>Cats sleep.")
    assert document_format(page).format is format_named("html")
    page = io.BytesIO(b"<p>Cats sleep.")
    page.name = "a.srt"
    assert document_format(page) == (format_named("subtitles"), page)
    found = document_format(io.BytesIO(b"%PDF-1.4\n"))
    assert (found.format, found.origin.read()) == (format_named("pdf"), b"%PDF-1.4\n")
    assert document_format(io.BytesIO(b'{"posts": []}')).format is format_named("text")


def test_names_that_are_no_format():
    with pytest.raises(UsageError, match=r"no format 'word': there are text, html"):
        format_named("word")
    assert [suffix_of(name) for name in ("A.Txt.XZ", "a", "b.gz", "x/c.tar.gz")] == [
        ".txt", "", "", ".tar",
    ]  # fmt: skip
