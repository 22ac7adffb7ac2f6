"""Column files: what is read is written again, and what is wrong is told with its line."""

import gzip
import io
import lzma

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError, UsageError
from treaty.text import ColumnSentence, read_columns, write_columns

TWEETS = "# id = 1\nRT\tO\n#Rome\tB-LOC\n:\tO\n\n# id = 2\n#\tO\n\n"


def read(text, **options):
    return list(read_columns(io.StringIO(text), **options))


def written(sentences, **options):
    target = io.StringIO()
    write_columns(sentences, target, **options)
    return target.getvalue()


def test_a_line_without_a_tab_is_a_comment_and_a_token_may_begin_with_a_hash():
    first, second = read(TWEETS)
    assert (first.words, first.labels) == (["RT", "#Rome", ":"], ["O", "B-LOC", "O"])
    assert (first.comments, second.words) == (["# id = 1"], ["#"])
    assert written([first, second]) == TWEETS


def test_columns_may_be_parted_by_spaces_and_then_there_are_no_comments():
    (sentence,) = read("U.N.  NNP I-NP\n# # I-NP\n")
    assert sentence.words == ["U.N.", "#"]
    assert sentence.column(1) == ["NNP", "#"]
    assert written([sentence], separator="space") == "U.N. NNP I-NP\n# # I-NP\n\n"


def test_a_file_of_words_alone_gets_labels():
    (sentence,) = read("Rome\nburns\n")
    assert sentence.with_labels(["B-LOC", "O"]).rows == [("Rome", "B-LOC"), ("burns", "O")]
    (sentence,) = read("Rome\tO\n")
    assert sentence.with_labels(["B-LOC"]).rows == [("Rome", "B-LOC")]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, lambda data: data])
def test_compressed_files_and_windows_line_ends(tmp_path, pack):
    path = tmp_path / "data"
    path.write_bytes(pack(TWEETS.replace("\n", "\r\n").encode()))
    assert [s.rows for s in read_columns(path)] == [s.rows for s in read(TWEETS)]


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("a\tO\nb\n", 2, "no tab"),
        ("a\tO\n\nb\tx\tO\n", 3, "expected 2 columns, found 3"),
        ("a\tO\n\t\tO\n", 2, "expected 2 columns"),
        ("a\tO\n\tO\n", 2, "empty"),
        ("a b\nc\n", 2, "expected 2 columns, found 1"),
        ("a\tO\nb\0\tO\n", 2, "NUL"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, line, cause):
    with pytest.raises(InputError, match=cause) as caught:
        read(text)
    assert caught.value.line == line


def test_reading_goes_on_behind_a_faulty_sentence():
    errors = []
    sentences = read("a\tO\n\nb\n\nc\tO\n", on_error=errors.append)
    assert [sentence.words for sentence in sentences] == [["a"], ["c"]]
    assert [error.line for error in errors] == [3]


def test_unknown_separators_and_spaces_in_cells_are_refused():
    with pytest.raises(UsageError, match="'tab' or 'space'"):
        read("a\tO\n", separator=";")
    with pytest.raises(UsageError, match="'tab' or 'space', not ';'"):
        ColumnSentence([("a", "O")]).to_text(";")
    with pytest.raises(UsageError, match="contains spaces"):
        written([ColumnSentence([("a b", "O")])], separator="space")


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0"), min_size=1).filter(
    lambda cell: not cell.isspace()
)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.tuples(CELLS, CELLS), min_size=1), max_size=4))
def test_any_sentences_survive(tables):
    sentences = [ColumnSentence(rows) for rows in tables]
    text = written(sentences)
    assert [s.rows for s in read(text)] == tables
    assert written(read(text)) == text


@pytest.mark.data
def test_the_corpora_survive(data_folder):
    for path in sorted((data_folder / "ner").glob("*/*.tsv")):
        if path.name in ("folds.tsv", "counts.tsv"):
            continue
        sentences = list(read_columns(path))
        text = path.read_text().rstrip("\n")
        assert written(sentences) == f"{text}\n\n"
