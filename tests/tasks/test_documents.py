"""Documents of folders, archives, mailboxes and tables: names, order, faults."""

import zipfile

import pytest
from tests.tasks.corpus import FILES, NAMES, packed, write

from treaty.errors import InputError
from treaty.tasks._documents import (
    Documents,
    Wanted,
    expanded,
    is_collection,
    is_several,
    with_sentences,
)
from treaty.tasks._sources import SENTENCES, Text
from treaty.text import Sentence

BOX = "From ann@x.org Mon Mar  4 10:00:00 2024\n{}\n\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "corpus")
    return tmp_path


def documents(*sources, errors=None, **fields):
    report = pytest.fail if errors is None else errors.append
    found = Documents(sources, Wanted(SENTENCES, **fields), report)
    return {one.id: one for one in found.read(found)}


def texts(*sources, errors=None, **fields):
    return {name: one.text for name, one in documents(*sources, errors=errors, **fields).items()}


def test_a_folder_is_read_with_all_folders_in_it_in_the_order_of_names():
    found = documents("corpus")
    assert list(found) == NAMES
    assert [one.source for one in found.values()] == [f"corpus/{name}" for name in NAMES]
    assert found["b/letter.txt"].text == "\n\n  It rained\tin Paris.\nBob was there.\n"
    assert found["b/letter.html"].text == "It snowed.\n\nNobody came."
    assert found["b/my letter ü.txt"].text == "Spaces are fine."
    assert found["b/empty.txt"].text == ""


def test_what_is_left_out_is_said():
    found = Documents(["corpus"], Wanted(SENTENCES), pytest.fail)
    assert found.note() is None
    assert [entry.id for entry in found] == NAMES
    assert found.left_out == ["corpus/a/picture.png", "corpus/a/program"]
    assert "left out 2 of other kinds: corpus/a/picture.png" in found.note()


@pytest.mark.parametrize("name", ["c.zip", "c.tar", "c.tar.gz", "c.tar.xz"])
def test_archives_have_the_same_documents(folder, name):
    packed(folder / name)
    expected = texts("corpus")
    found = texts(name)
    assert found == expected
    if name == "c.zip":
        assert list(found) == sorted(FILES)
    both = texts("corpus", name)
    assert both == {
        **{f"corpus/{one}": text for one, text in expected.items()},
        **{f"{name}/{one}": text for one, text in expected.items()},
    }


def test_names_in_archives_lead_nowhere_else(folder):
    packed(folder / "c.zip", {"../../up.txt": b"Up.", "/root.txt": b"Root.", "x\\y.txt": b"Back."})
    assert texts("c.zip") == {"up.txt": "Up.", "root.txt": "Root.", "x/y.txt": "Back."}


def test_equal_names_do_not_collide(folder):
    for name in ("x", "y"):
        packed(folder / f"{name}.zip", {"a.txt": name.encode()})
    with zipfile.ZipFile(folder / "twice.zip", "w") as archive:
        archive.writestr("a.txt", "1")
        archive.writestr("./a.txt", "2")
        archive.writestr("A.txt", "3")
    assert texts("x.zip", "y.zip") == {"x.zip/a.txt": "x", "y.zip/a.txt": "y"}
    assert sorted(texts("twice.zip")) == ["A.txt", "a.txt", "a.txt-2"]
    assert list(texts("corpus/a/letter.txt", "corpus/b/letter.txt")) == [
        "a/letter.txt",
        "b/letter.txt",
    ]
    assert list(texts("corpus/a/letter.txt")) == ["letter.txt"]


@pytest.mark.parametrize(("name", "keep"), [("bad.zip", 200), ("bad.tar.gz", 100), ("no.zip", 0)])
def test_a_damaged_archive_is_reported_and_the_rest_goes_on(folder, name, keep):
    path = packed(folder / name.replace("no", "bad"))
    path = path.rename(folder / name)
    path.write_bytes(path.read_bytes()[:keep])
    errors = []
    found = texts(name, "corpus/c/49960", errors=errors)
    assert any(one.endswith("49960") for one in found)
    assert name in str(errors[0])


def test_a_damaged_member_is_reported_by_its_name(folder):
    path = packed(
        folder / "c.zip", {"a.txt": b"Good.", "b.txt": b"Damaged text.", "d.txt": b"Too."}
    )
    path.write_bytes(path.read_bytes().replace(b"Damaged", b"Damager"))
    errors = []
    assert texts("c.zip", errors=errors) == {"a.txt": "Good.", "d.txt": "Too."}
    assert "c.zip/b.txt: cannot be unpacked" in str(errors[0])


def test_mails_are_documents(folder):
    attachment = (
        'Content-Type: multipart/mixed; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nSee this.\n"
        "--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\nAAEC\n--b--\n"
    )
    text = BOX.format("Subject: Rain\n\nIt rained.") + BOX.format(attachment)
    (folder / "in.mbox").write_text(text)
    (folder / "corpus" / "b" / "in.mbox").write_text(text)
    (folder / "no-suffix").write_text(text)
    expected = ["It rained.", "See this."]
    found = documents("in.mbox")
    assert {name: one.text.strip() for name, one in found.items()} == dict(
        zip("12", expected, strict=True)
    )
    assert found["1"].article.title == "Rain"
    assert [text.strip() for text in texts("no-suffix").values()] == expected
    inside = texts("corpus")
    assert [inside[f"b/in.mbox/{n}"].strip() for n in "12"] == expected


def test_rows_are_documents(folder):
    (folder / "t.csv").write_text(
        'id,text\nhttp://x/1,"Cats,\r\nsleep."\n..,Dogs.\n,None.\nk,K\nk,L\n'
    )
    assert texts("t.csv", field="text") == {
        "http:__x_1": "Cats,\nsleep.",
        "..": "Dogs.",
        "3": "None.",
        "k": "K",
        "k-2": "L",
    }
    (folder / "t.jsonl").write_text('{"key": 1, "text": "Cats."}\n{"key": 2, "text": "Dogs."}\n')
    assert texts("t.jsonl", field="text", id_field="key") == {"1": "Cats.", "2": "Dogs."}
    assert list(texts("t.jsonl", "t.csv", field="text"))[:3] == [
        "t.jsonl/1",
        "t.jsonl/2",
        "t.csv/http:__x_1",
    ]


def test_a_table_without_a_field_is_refused(folder):
    (folder / "t.csv").write_text("id,text\nk,Cats.\n")
    (folder / "t.tsv").write_text("id\ttext\nk\tCats.\n")
    errors = []
    assert texts("t.csv", "t.tsv", errors=errors) == {}
    assert ["--field text" in str(error) for error in errors] == [True, True]


def test_encodings(folder):
    latin = {"a.txt": "Café.".encode("latin-1"), "b.html": "<p>Thé.".encode("latin-1")}
    write(folder / "latin", latin | {"c.txt": b"\xef\xbb\xbfM\xc3\xbc\xc3\x9fig."})
    packed(folder / "latin.zip", latin)
    errors = []
    assert list(texts("latin", errors=errors)) == ["c.txt"]
    assert all("give its encoding, such as --encoding latin-1" in str(one) for one in errors)
    assert texts("latin", encoding="latin-1") == {
        "a.txt": "Café.",
        "b.html": "Thé.",
        "c.txt": "Müßig.",
    }
    assert texts("latin.zip", encoding="latin-1") == {"a.txt": "Café.", "b.html": "Thé."}
    (folder / "t.csv").write_bytes("text\nCafé.\n".encode("cp1252"))
    assert texts("t.csv", encoding="cp1252", field="text") == {"1": "Café."}


def test_a_file_that_cannot_be_read_is_reported(folder):
    (folder / "corpus" / "bad.txt").write_bytes(b"a\0b")
    errors = []
    assert list(texts("corpus", errors=errors)) == NAMES
    assert "corpus/bad.txt" in str(errors[0])


def test_an_empty_folder_is_an_error(folder):
    (folder / "empty").mkdir()
    errors = []
    assert texts("empty", errors=errors) == {}
    assert "the folder has no documents: expected files" in str(errors[0])


def test_links_to_folders_are_not_followed(folder):
    (folder / "corpus" / "a" / "back").symlink_to(folder / "corpus")
    assert list(documents("corpus")) == NAMES


def test_patterns(folder):
    assert expanded(["corpus/*/letter.txt", "Is it? [No]", "none/*.txt"]) == [
        "corpus/a/letter.txt",
        "corpus/b/letter.txt",
        "Is it? [No]",
        "none/*.txt",
    ]
    (folder / "odd[1].txt").write_text("Odd.")
    assert expanded(["odd[1].txt"]) == ["odd[1].txt"]
    assert expanded(["corpus/**/*.html"]) == ["corpus/b/letter.html"]


def test_texts_of_the_command_line_have_numbers():
    found = texts(Text("Cats sleep."), "corpus/c/49960", Text("Cats sleep."))
    assert list(found) == ["text-1", "49960", "text-2"]


@pytest.mark.parametrize(
    ("sources", "several"),
    [
        (["corpus"], True),
        (["corpus/a/letter.txt"], False),
        (["corpus/a/letter.txt", "corpus/c/49960"], True),
        (["-"], False),
        ([Text("Cats sleep.")], False),
    ],
)
def test_when_documents_are_told_apart(sources, several):
    assert is_several(sources) is several


def test_collections(folder):
    assert not is_collection("corpus/a/letter.txt")
    assert is_collection("corpus/a/letter.txt", "text")
    assert is_collection("-", "text")


def test_pieces_are_where_they_say(folder):
    for one in documents("corpus").values():
        assert "".join(piece for _, piece in one.pieces()) == one.text
        assert all(one.text.startswith(piece, at) for at, piece in one.pieces())


class Words:
    """A tokenizer that cuts at spaces."""

    def sentences(self, text, *, longest):
        return [Sentence.from_words(text.split())] if text.strip() else []


def test_sentences_of_formats_without_a_text(folder):
    (folder / "two.conllu").write_text("1\tHush\t_\t_\t_\t_\t0\troot\t_\t_\n\n1 x\n\n")
    errors = []
    found = Documents(["two.conllu", "corpus/c/49960"], Wanted(SENTENCES), pytest.fail)
    every = with_sentences(found.read(found), Words(), errors.append)
    assert [[s.words for s in sentences] for _, sentences in every] == [
        [["Hush"]],
        [["No", "suffix", "here."]],
    ]
    assert isinstance(errors[0], InputError)
    assert len(errors) == 1
