"""Archives: parts have bounds, damage and tricks of XML are reported."""

import io
import zipfile

import pytest

from treaty import InputError
from treaty.text.formats._archive import XmlReader, opened, part_of


def archive(**parts):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    file.seek(0)
    return file


def test_parts_have_bounds():
    with opened(archive(a=b"x" * 11), "a book") as found:
        assert part_of(found, "a", "a.epub", most=11) == b"x" * 11
        with pytest.raises(InputError, match="more than 10 bytes"):
            part_of(found, "a", "a.epub", most=10)


def test_damage_names_what_was_expected():
    with (
        pytest.raises(InputError, match=r"cannot be read as a book: .*no item named"),
        opened(archive(a=b"x"), "a book") as found,
    ):
        part_of(found, "b", "a.epub")
    with pytest.raises(InputError, match="as a book: File is not a zip file"):
        opened(io.BytesIO(b"PK"), "a book").__enter__()


def test_xml_is_read_tag_by_tag():
    seen = []
    reader = XmlReader(
        "a", lambda tag, values: seen.append((tag, values)), seen.append, seen.append
    )
    reader.read(b'<a:b xmlns:a="x" c="d">e&amp;<f/></a:b>')
    assert seen == [("b", {"xmlns:a": "x", "c": "d"}), "e&", ("f", {}), "f", "b"]


def test_entities_are_refused():
    reader = XmlReader("a", lambda *_: None, lambda _: None, lambda _: None)
    with pytest.raises(InputError, match="declares entities"):
        reader.read(b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
