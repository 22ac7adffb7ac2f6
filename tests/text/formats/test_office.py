"""Files of word processors: paragraphs, lists and tables are read, all else is left out."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty import InputError
from treaty.text import read_article, recognize
from treaty.text.formats import format_named
from treaty.text.formats._office import office_text

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="mc"'
OPEN = (
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:office="o" xmlns:table="t"'
)


def archive(part, content, **options):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, **options) as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr(part, content)
    return file.getvalue()


def docx(body):
    return archive(
        "word/document.xml", f"<w:document {WORD}>\n<w:body>{body}</w:body></w:document>"
    )


def odt(body):
    return archive("content.xml", f"<office:document {OPEN}>\n<office:text>{body}</office:text>\n"
                   "</office:document>")  # fmt: skip


def text_of(content):
    return office_text(io.BytesIO(content))


def paragraph(*runs, properties=""):
    inner = "".join(f"<w:r><w:t xml:space='preserve'>{run}</w:t></w:r>" for run in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>\n  {inner}\n</w:p>"


def test_runs_make_paragraphs():
    made = docx(paragraph("A fer", "ry ", "sank &amp; rose.") + "\n" + paragraph("Why?"))
    assert text_of(made) == "A ferry sank & rose.\n\nWhy?"


def test_lists_tables_and_breaks():
    item = paragraph("tea", properties="<w:numPr><w:ilvl w:val='0'/></w:numPr>")
    cells = "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in ("Oslo", "rain"))
    broken = "<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t><w:tab/><w:t>three</w:t></w:r></w:p>"
    found = text_of(docx(f"{item}<w:tbl><w:tr>{cells}</w:tr></w:tbl>{broken}"))
    assert found.split("\n") == ["- tea", "", "Oslo \train \t", "one", "two\tthree"]


def test_what_is_no_text_is_left_out():
    gone = (
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:r><w:instrText>PAGE</w:instrText></w:r>"
        "<mc:AlternateContent><mc:Fallback><w:r><w:t>twin</w:t></w:r></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    assert text_of(docx(f"<w:p>{gone}<w:r><w:t>new</w:t></w:r></w:p>")) == "new"


def test_open_documents():
    body = """
      <text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
      <text:h>Rain</text:h>
      <text:p>It <text:span>rained</text:span> for<text:s/>two<text:line-break/>days<text:note>
        <text:p>A note.</text:p></text:note>.</text:p>
      <text:list><text:list-item><text:p>mud</text:p></text:list-item></text:list>
      <table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>"""
    assert text_of(odt(body)) == "Rain\n\nIt rained for two\ndays.\n\n- mud\n\na"


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.bin", "a"])
def test_the_content_tells_what_it_is(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(docx(paragraph("It rained.")))
    assert recognize(path).format is format_named("office")
    if name != "a.bin" and name != "a":
        assert read_article(path).text == "It rained."
    with path.open("rb") as stream:
        assert read_article(stream, format="office").text == "It rained."


def test_other_archives():
    with pytest.raises(InputError, match="an archive without text"):
        text_of(archive("a.txt", "hi"))
    with pytest.raises(InputError, match="not a zip file"):
        text_of(b"PK\x03\x04")
    with pytest.raises(InputError, match="declares entities"):
        text_of(archive("content.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'))
    with pytest.raises(InputError, match="no element found"):
        text_of(archive("content.xml", ""))


def test_without_words_it_is_no_article(tmp_path):
    path = tmp_path / "a.docx"
    path.write_bytes(docx(paragraph()))
    with pytest.raises(InputError, match="no words"):
        read_article(path)


@given(st.integers(0, 10**6), st.binary(max_size=8))
def test_damage_is_reported(place, noise):
    content = docx(paragraph("It rained.") * 3)
    place %= len(content)
    try:
        text_of(content[:place] + noise + content[place + len(noise) :])
    except InputError as error:
        assert error.message
