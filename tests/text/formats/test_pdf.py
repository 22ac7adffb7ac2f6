"""PDF files: what cannot be read, and words divided at the ends of lines."""

import builtins
import io

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
        ("the long-\nterm plan", "the long-term\n plan"),
        ("la long-\nterm và", "la longterm\n và"),  # not English
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


def pages(texts):
    """A PDF file with a line of text for each string."""
    content = [b"BT /F1 9 Tf 14 TL 72 720 Td " + b" ".join(
        b"(%s) Tj T*" % line.encode() for line in lines) + b" ET" for lines in texts]  # fmt: skip
    count = len(content)
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for n, stream in enumerate(content):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * n)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    made, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start, size = len(made), len(objects) + 1
    made += b"xref\n0 %d\n0000000000 65535 f \n" % size
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    return made + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start)


def test_headers_and_numbers_of_pages_are_no_text():
    pytest.importorskip("pypdf")
    bodies = ["The rain of the long-", "term kind fell,", "and it fell on us.", "It was this."]
    file = io.BytesIO(
        pages([["Weather Report", body, f"- {n} -"] for n, body in enumerate(bodies)])
    )
    assert (
        pdf_text(file)
        == "The rain of the long-term\nkind fell,\nand it fell on us.\n\nIt was this."
    )
