"""Pages are joined without headers, footers and page numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.text.layout import joined_pages

TEXTS = ["It rained for days", "and the river rose.", "Nobody slept.", "Then it stopped."]
JOINED = "It rained for days\nand the river rose.\n\nNobody slept.\n\nThen it stopped."


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("", ""),
        ("The Weather Report\n", ""),
        ("", "\n{n}"),
        ("", "\n\n- {n} -\n"),
        ("Chapter 2  Page {n} of 9\n", "\nDraft of 4 May 2024"),
        ("Rain\nA report\n{n}\n", "\nAnn Lee\nLeeds"),
    ],
)
def test_headers_and_footers_are_left_out(above, below):
    pages = [f"{above.format(n=n)}{text}{below.format(n=n)}" for n, text in enumerate(TEXTS, 8)]
    assert joined_pages(pages) == JOINED


def test_left_and_right_pages_have_their_own():
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    heads = ["Ann Lee", "Rain"]
    pages = [f"{heads[n % 2]} {n}\nText {word}." for n, word in enumerate(words)]
    assert joined_pages(pages).split("\n\n")[:3] == ["Text one.", "Text two.", "Text three."]


def test_roman_numbers():
    pages = [f"{text}\n{n}" for n, text in zip(("iv", "v", "vi", "vii"), TEXTS, strict=True)]
    assert joined_pages(pages) == JOINED


def test_the_first_page_may_have_none():
    pages = [TEXTS[0], *(f"Weather\n{text}" for text in TEXTS[1:])]
    assert joined_pages(pages) == JOINED


@pytest.mark.parametrize(
    "pages",
    [
        ["Rain\nIt rained.", "Rain\nIt poured."],  # two may be chance
        ["Rain fell on us.", "Rain fell on us.", "Rain fell on us."],  # nothing else is there
        ["A\nb.", "C\nd.", "E\nf."],
        ["x" * 101 + "\na.", "x" * 101 + "\nb.", "x" * 101 + "\nc."],
        ["Rain\na."] * 3 + [f"{n}.\n{n} text" for n in "bcdefghi"],  # too few of many
    ],
)
def test_what_is_no_header(pages):
    assert "".join(joined_pages(pages).split()) == "".join("".join(pages).split())


def test_no_pages():
    assert joined_pages([]) == joined_pages(["", " \n"]) == ""


@given(st.lists(st.text("ab1.\n ", max_size=30), max_size=8))
def test_only_whole_lines_of_ends_are_lost(pages):
    kept = joined_pages(pages).split("\n")
    lines = [line for page in pages for line in page.split("\n")]
    rest = iter(lines)
    assert all(any(line == other for other in rest) for line in kept if line.strip())
    bodies = [sum(bool(line.strip()) for line in page.split("\n")) for page in pages]
    assert sum(bool(line.strip()) for line in kept) >= sum(bool(n) for n in bodies)
