"""Drawn threads: what is there, where, and that nothing in a post can break the drawing."""

import re
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.show import thread_svg
from treaty.show._thread_svg import _levels
from treaty.text import Link, Post, Thread

SVG = "{http://www.w3.org/2000/svg}"
CHAT = Thread(
    [Post("Any <sheep> & wheat?", "Ann"), Post("No.", "Bob"), Post("Sorry", "Bob"), Post("", "")],
    [Link(1, 0, "Answer"), Link(2, 1), Link(2, 0)],
)


@dataclass
class Worth:
    status: str = "OPTIMAL"
    bound: float = 3.5
    gap: float = 0.0


def texts(svg):
    return ["".join(t.itertext()) for t in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def groups(svg, kind):
    found = ElementTree.fromstring(svg).iter(f"{SVG}g")
    return [group for group in found if kind in (group.get("class") or "").split()]


def test_posts_links_and_certificate_are_shown():
    svg = thread_svg(CHAT, confidences=[[0.9, 0.4, 0.6]], certificates=[Worth()])
    shown = texts(svg)
    for text in ("0 Ann", "Any <sheep> & wheat?", "→ 0 Answer (90 %)", "→ 1 (40 %), → 0 (60 %)"):
        assert text in shown
    assert shown[-1] == "OPTIMAL · bound 3.5 · gap 0"
    arcs = groups(svg, "arc")
    assert [(a.get("data-source"), a.get("data-target")) for a in arcs] == [
        ("1", "0"), ("2", "1"), ("2", "0"),
    ]  # fmt: skip
    assert [("unsure" in a.get("class").split()) for a in arcs] == [False, True, False]
    assert len(groups(svg, "post")) == 4


def cards(svg):
    """Top and bottom of each post."""
    boxes = [post.find(f"{SVG}rect") for post in groups(svg, "post")]
    return [(float(b.get("y")), float(b.get("y")) + float(b.get("height"))) for b in boxes]


def test_arcs_begin_and_end_at_their_posts():
    svg = thread_svg(CHAT)
    places = cards(svg)
    for arc in groups(svg, "arc"):
        path = arc.find(f"{SVG}path").get("d")
        start = float(re.match(r"M[\d.]+ ([\d.]+)", path)[1])
        tip = float(arc.find(f"{SVG}polygon").get("points").split(",")[-1])
        for y, post in ((start, arc.get("data-source")), (tip, arc.get("data-target"))):
            top, bottom = places[int(post)]
            assert top < y < bottom
    assert all(a[1] < b[0] for a, b in pairwise(places))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda p: p[0] != p[1])))
@settings(deadline=None, max_examples=60)
def test_no_arc_lies_upon_another(pairs):
    links = [Link(*pair) for pair in pairs]
    placed = list(zip(_levels(links), links, strict=True))
    for i, (level, link) in enumerate(placed):
        for other_level, other in placed[:i]:
            first, last = sorted(link[:2])
            apart = last <= min(other[:2]) or max(other[:2]) <= first
            assert apart or level != other_level


def test_short_arcs_are_inside_long_ones():
    long, short = _levels([Link(5, 0), Link(3, 2)])
    assert short < long


HOSTILE = st.text(st.characters(exclude_categories=()), max_size=40)


@given(st.lists(st.tuples(HOSTILE, HOSTILE), min_size=2, max_size=4), HOSTILE)
@settings(deadline=None, max_examples=60)
def test_any_text_gives_sound_xml(posts, label):
    thread = Thread([Post(text, author) for text, author in posts], [Link(1, 0, label)])
    root = ElementTree.fromstring(thread_svg(thread).encode("utf-8", "strict"))
    assert root.tag == f"{SVG}svg"


def test_long_posts_are_shortened_and_stay_on_their_cards():
    url = "http://example.org/" + "x" * 3000
    svg = thread_svg(Thread([Post(url), Post("word " * 500), Post("ok")]), width=400)
    assert max(map(len, texts(svg))) < 80
    assert any(text.endswith("…") for text in texts(svg))
    assert all(bottom - top < 120 for top, bottom in cards(svg))


def test_large_threads_have_small_cards_and_a_narrow_gutter():
    links = [Link(i, j) for i in range(400) for j in range(max(0, i - 9), i)]
    svg = thread_svg(Thread([Post("word " * 100, f"a{n}") for n in range(400)], links))
    assert all(bottom - top < 60 for top, bottom in cards(svg))
    left = min(float(post.find(f"{SVG}rect").get("x")) for post in groups(svg, "post"))
    assert left < 320


def test_several_threads_stand_below_each_other():
    svg = thread_svg([CHAT, CHAT])
    moved = [g.get("transform") for g in ElementTree.fromstring(svg).findall(f"{SVG}g")]
    tops = [float(re.search(r" ([\d.]+)\)", text)[1]) for text in moved]
    assert tops[0] == 0
    assert tops[1] > cards(thread_svg(CHAT))[-1][1]


def test_a_page_keeps_its_own_background():
    assert "paper" in thread_svg(CHAT)
    assert "paper" not in thread_svg(CHAT, background=False)


def test_an_empty_thread_is_drawn():
    assert groups(thread_svg(Thread([])), "post") == []


def test_arguments_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="width must be at least"):
        thread_svg(CHAT, width=100)
    with pytest.raises(UsageError, match="expected confidences for each of 1 threads, got 2"):
        thread_svg(CHAT, confidences=[[], []])
    with pytest.raises(UsageError, match="expected 3 confidences, one per link, got 1"):
        thread_svg(CHAT, confidences=[[0.5]])
