"""White space in MISC: what is escaped comes back, and attributes are found by their names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.text._spaces import escape, misc_value, raw_form, space_after, unescape


@settings(deadline=None)
@given(text=st.text())
def test_escapes_come_back(text):
    assert unescape(escape(text)) == text


@given(text=st.text("\\ \t\n\r|usp0A"))
def test_escapes_of_escapes_come_back(text):
    escaped = escape(text)
    assert unescape(escaped) == text
    assert not set(escaped) & set(" \t\n\r|")


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\s\t\n\r\p\\", " \t\n\r|\\"),
        (r"\u00A0\u2009x", "\xa0\u2009x"),
        (r"\u00a", r"\u00a"),
        (r"\uD800\udfff\uD7FF", r"\uD800\udfff" + "\ud7ff"),  # surrogates are no characters
        (r"\x", r"\x"),
        ("\\", "\\"),
    ],
)
def test_other_treebanks_escapes(escaped, text):
    assert unescape(escaped) == text


def test_misc():
    assert misc_value("A=b=c|SpaceAfterX=1|SpaceAfter", "SpaceAfter") is None
    assert misc_value("A=b=c", "A") == "b=c"
    assert space_after("SpaceAfter=No") == ""
    assert space_after("Gloss=SpaceAfter=No") == " "
    assert space_after(r"SpaceAfter=No|SpacesAfter=\n") == "\n"
    assert space_after("_") == space_after("SpaceAfter=Yes") == space_after("Gloss=x") == " "
    assert space_after("SpacesAfter=") == ""


def test_a_token_as_it_is_in_the_text():
    assert raw_form("a b", r"SpacesInToken=a\tb|SpaceAfter=No") == "a\tb"
    assert raw_form("a", "_") == raw_form("a", "SpacesInToken=") == "a"
