"""Books: chapters in the order of reading, with the titles of the table of contents."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty import InputError
from treaty.text import read_article, recognize
from treaty.text.formats import format_named

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>Rain
 &amp; sun</dc:title><dc:title>Second</dc:title><dc:creator>Ann Lee</dc:creator>
<dc:creator>Bo Fox</dc:creator><dc:date>2024-03-04</dc:date></metadata>
<manifest><item id="n" href="nav.xhtml" properties="nav"/><item id="a" href="text/one.xhtml"/>
<item id="b" href="text/chapter%20two.xhtml"/><item id="c" href="text/notes.xhtml"/>
<item id="x" href="toc.ncx"/></manifest>
<spine toc="x"><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/>
<itemref idref="c" linear="no"/></spine></package>"""
NAV = """<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>
<li><a href="text/chapter%20two.xhtml">The <i>second</i></a></li>
<li><a href="text/chapter%20two.xhtml#part">A part</a></li>
<li><a href="text/one.xhtml#top">The first</a></li></ol></nav></body></html>"""
NCX = """<ncx><navMap><navPoint><navLabel><text>Two</text></navLabel>
<content src="text/chapter%20two.xhtml"/></navPoint><navPoint><navLabel><text>One</text></navLabel>
<content src="text/one.xhtml"/></navPoint></navMap></ncx>"""
PARTS = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OPS/book.opf": PACKAGE,
    "OPS/nav.xhtml": NAV,
    "OPS/toc.ncx": NCX,
    "OPS/text/one.xhtml": "<html><head><title>no</title></head><body><h1>One</h1><p>It rained.</p>",
    "OPS/text/chapter two.xhtml": "<html><body><p>It <b>poured</b>.</p></body></html>",
    "OPS/text/notes.xhtml": "<html><body><p>A note.</p></body></html>",
}


def book(**changes):
    """A book; parts that are None are left out. Names have ``__`` for a slash."""
    parts = PARTS | {name.replace("__", "/").replace("_", "."): c for name, c in changes.items()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, content in parts.items():
            if content is not None:
                made.writestr(name, content)
    return file.getvalue()


def read(data):
    return read_article(io.BytesIO(data), format="epub")


def test_chapters_stand_in_the_order_of_reading():
    found = read(book())
    assert (found.title, found.author, found.date) == (
        "Rain & sun",
        "Ann Lee, Bo Fox",
        "2024-03-04",
    )
    assert found.text == "It poured.\n\nOne\n\nIt rained."
    assert found.sections == (("The second", 0), ("The first", 12))


def test_older_books_have_their_titles_in_another_file():
    found = read(book(OPS__book_opf=PACKAGE.replace(' properties="nav"', "")))

    assert [title for title, _ in found.sections] == ["Two", "One"]


def test_books_without_a_table_of_contents():
    plain = PACKAGE.replace(' properties="nav"', "").replace(' toc="x"', "")
    assert read(book(OPS__book_opf=plain)).sections == ()


@pytest.mark.parametrize("name", ["a.epub", "a.zip", "a"])
def test_the_content_tells_what_it_is(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(book())
    assert recognize(path).format is format_named("epub")
    assert read_article(path).title == "Rain & sun"


def test_a_book_whose_entries_are_out_of_order_is_known_by_its_name(tmp_path):
    path = tmp_path / "a.epub"
    path.write_bytes(book(mimetype=None))
    assert recognize(path).format is format_named("epub")
    assert recognize(io.BytesIO(book(mimetype=None))).format is format_named("office")


def test_other_encodings():
    wide = "<html><body><p>Søen</p></body></html>".encode("utf-16")
    assert read(book(OPS__text__one_xhtml=wide)).text.endswith("Søen")


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"META-INF__container_xml": None}, "names no book"),
        ({"OPS__book_opf": None}, "as EPUB: .*no item named 'OPS/book.opf'"),
        ({"OPS__text__one_xhtml": None}, "as EPUB: .*no item named 'OPS/text/one.xhtml'"),
        ({"OPS__book_opf": "<package>"}, "as EPUB: no element found"),
        ({"OPS__book_opf": '<!DOCTYPE a [<!ENTITY b "c">]><a/>'}, "declares entities"),
        ({"OPS__book_opf": "<package/>"}, "has no words"),
        (
            {"META-INF__encryption_xml": '<e><CipherReference URI="OPS/text/one.xhtml"/></e>'},
            "is encrypted",
        ),
    ],
)
def test_what_cannot_be_read(changes, cause):
    with pytest.raises(InputError, match=cause):
        read(book(**changes))


def test_fonts_may_be_encrypted():
    locks = '<e><CipherReference URI="OPS/font.otf"/></e>'
    assert read(book(**{"META-INF__encryption_xml": locks})).title == "Rain & sun"


def test_chapters_have_a_bound_together(monkeypatch):
    monkeypatch.setattr("treaty.text.formats._archive.MOST_BYTES", 60)
    with pytest.raises(InputError, match="more than"):
        read(book())


@given(st.integers(0, 10**6), st.binary(max_size=8))
def test_damage_is_reported(place, noise):
    content = book()
    place %= len(content)
    try:
        read(content[:place] + noise + content[place + len(noise) :])
    except InputError as error:
        assert error.message
