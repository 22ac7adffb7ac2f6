"""What is known of a word by itself."""

from treaty.label.entities._words import COLUMNS, columns_of, kind_of
from treaty.languages import get


def test_capitals_are_judged_by_the_message():
    texts = ("all is low", "ALL IS UP", "Ann sees me", "Ann Sees Bob", ":) 9")
    found = [columns_of(text.split(), [[], []], [], [])[4][0] for text in texts]
    assert found == ["none", "upper", "some", "most", "none"]


def test_kinds():
    kinds = [kind_of(w) for w in ("@", "bit.ly/x", "#", "10th", "$5.50", "e.g.", "…")]
    assert kinds == ["user", "link", "sign", "number", "number", "word", "sign"]


def column(name, text, language="en"):
    words, joining = text.split(), get(language).names.joining
    return columns_of(words, [words, words], words, words, joining)[COLUMNS.index(name)]


def test_all_columns_are_filled():
    assert [len(cells) for cells in columns_of(["A", "b"], [["", ""]] * 2, ["", ""], ["", ""])] == (
        [2] * len(COLUMNS)
    )


def test_messages_of_social_networks_are_known_by_their_marks():
    assert set(column("style", "see #Rome now")) == {"message"}
    assert set(column("style", "see Rome now")) == {"text"}


def test_words_know_the_run_of_capitalized_words_around_them():
    text = "the Bank of Japan and Ann said in #Rome"
    assert column("last", text) == ["", *["ann"] * 5, "", "", "#rome"]
    assert column("first", "in New York today") == ["", "new", "new", ""]
    assert column("before", "Ann met Mr. Lee .") == ["<start>", "", "met", "met", ""]
    assert column("after", "Ann met Mr. Lee") == ["met", "", "<end>", "<end>"]
    assert column("size", "of The of of A") == ["", "1", "", "", "1"]
    assert column("size", "Bank of Japan", "da") == ["1", "", "1"]
    assert column("size", "Bank & Japan", "da") == ["3", "3", "3"]
