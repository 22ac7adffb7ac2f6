"""PDF files: what cannot be read, and words divided at the ends of lines."""

import builtins

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty import InputError, UsageError
from treaty.text import read_article
from treaty.text.formats._pdf import pdf_text, undivided


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("the govern-\nment fell", "the government\n fell"),
        ("soft\u00ad\nware", "software\n"),
        ("a long-\nterm plan", "a long-term\n plan"),
        ("rice-fed and rice-\nfed", "rice-fed and rice-fed\n"),
        ("Anglo-\nSaxon", "Anglo-Saxon\n"),
        ("pages 3-\n5, and -\n", "pages 3-\n5, and -\n"),
        ("ﬁnd the oﬃce", "find the office"),
    ],
)
def test_divided_words_are_joined(text, joined):
    assert undivided(text).split() == joined.split()


@given(st.text("ab- \n\u00ad", max_size=40))
def test_nothing_but_hyphens_is_lost(text):
    def letters(some):
        return [c for c in some if c.isalpha()]

    assert letters(undivided(text)) == letters(text)


def test_pdf_without_its_library(tmp_path, monkeypatch):
    real = builtins.__import__

    def missing(name, *rest, **options):
        if name == "pypdf":
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError, match="requires pypdf"):
        pdf_text(tmp_path / "a.pdf")


def test_damaged_pdf(tmp_path):
    pytest.importorskip("pypdf")
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.4 nothing")
    with pytest.raises(InputError, match="cannot be read as PDF"):
        read_article(path)
