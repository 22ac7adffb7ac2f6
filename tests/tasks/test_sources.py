"""Texts, files and standard input are told apart, and wrong ones refused before a model loads."""

import pytest
from tests.parse.treebank import treebank

from treaty.errors import InputError, UsageError
from treaty.parse import Pipeline
from treaty.tasks._sources import (
    Text,
    check_source,
    file_format,
    fitted,
    read_sentences,
    shallow,
    with_lines,
)
from treaty.text import Sentence, write_conllu
from treaty.text.formats import format_named


class Words:
    """A tokenizer that cuts at spaces."""

    def sentences(self, text, *, longest):
        return [Sentence.from_words(text.split())] if text.strip() else []


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("Cats sleep\n\nDogs bark\n")
    (tmp_path / "page").write_text("<html><title>Pets</title><p>Cats sleep</p></html>")
    (tmp_path / "more").mkdir()
    write_conllu(treebank(2), tmp_path / "trees")
    return tmp_path


@pytest.mark.parametrize(
    "source",
    [
        "-", "letter.txt", "Cats sleep.", "Cats and/or dogs sleep.", "See /etc for more of it.",
        "Cats\nsleep", "x " * 5000, "Was it letter.text? No.", "日本 語",
    ],
)  # fmt: skip
def test_files_and_texts(source):
    check_source(source)


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("", "the text is empty"),
        (" \n", "the text is empty"),
        ("word", "there is no such file; if it is a text, give it on standard input"),
        ("none.txt", "none.txt: there is no such file$"),
        ("no/such", "no/such: there is no such file$"),
        ("my letter.txt", "there is no such file; if"),
        ("my letter.CONLLU.gz", "there is no such file; if"),
        ("data/my letter", "there is no such file; if"),
        ("more/of what was not there", "there is no such file; if"),
        ("/more of what was not there", "there is no such file; if"),
        ("more", "more: is a folder"),
    ],
)
def test_what_is_neither(source, cause):
    with pytest.raises(InputError, match=cause):
        check_source(source)


def test_folders_where_they_make_sense():
    check_source("more", folders=True)


def words(*sources, given=None, tokenizer=Words(), errors=None):  # noqa: B008
    found = read_sentences(
        sources, given, tokenizer, pytest.fail if errors is None else errors.append
    )
    return [sentence.words for sentence in found]


def test_content_tells_how_to_read(folder):
    assert words("letter.txt", Text("Hush now")) == [
        ["Cats", "sleep"],
        ["Dogs", "bark"],
        ["Hush", "now"],
    ]
    assert words("page") == [["Cats", "sleep"]]
    assert words("trees") == [sentence.words for sentence in treebank(2)]
    (folder / "short").write_text('{"source_tokens": ["Cats", "sleep"], "keep": [1, 0]}')
    assert words("short") == [["Cats", "sleep"]]
    assert words("letter.txt", given="tokens") == [["Cats", "sleep"], ["Dogs", "bark"]]
    assert words(Text("Cats sleep"), given="tokens") == [["Cats", "sleep"]]


def test_conllx_loses_its_other_tree(folder):
    row = "1\tHush\t_\t_\t_\t_\t0\troot\t0\troot\n"
    (folder / "x").write_text(row)
    (found,) = read_sentences(["x"], None, None, pytest.fail)
    assert (found.tokens[0].deps, found.tokens[0].misc) == ("_", "_")


def test_other_files_are_refused_unless_the_user_insists(folder):
    (folder / "chat").write_text('{"posts": []}')
    errors = []
    assert words("chat", "letter.txt", errors=errors) == [["Cats", "sleep"], ["Dogs", "bark"]]
    assert "chat: holds threads (JSON lines), expected plain text or HTML or" in str(errors[0])
    assert words("chat", given="text") == [['{"posts":', "[]}"]]


def test_text_needs_a_tokenizer():
    with pytest.raises(UsageError, match="--input-format tokens"):
        words("letter.txt", tokenizer=None)


def test_empty_files_are_read_as_the_first_format(folder):
    (folder / "empty").touch()
    formats = {format_named("text"): "text", format_named("conllu"): "conllu"}
    assert file_format("empty", None, formats) == ("text", "empty")
    assert words("empty") == []


def test_a_model_is_copied_without_its_parts(tmp_path):
    tokenizer = Pipeline.load("english").tokenizer
    other = shallow(tokenizer)
    assert vars(other) == vars(tokenizer)
    assert with_lines(None, "sentence") is None
    assert with_lines(tokenizer, "auto") is tokenizer
    by_line = with_lines(tokenizer, "sentence")
    assert (by_line.lines, tokenizer.lines) == ("sentence", "auto")
    (tmp_path / "short.txt").write_text("Xyzz.\n")
    text = "The Xyzz. Parson slept."
    taught = fitted(tokenizer, str(tmp_path / "short.txt"))
    assert len(taught.sentences(text)) == 1
    assert len(tokenizer.sentences(text)) == 2
    assert fitted(tokenizer, None) is tokenizer
