"""Where everything of a drawn tree stands: nothing collides, and every word has its place."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.show.drawn import sentence, trees

from treaty.show._arcs import arcs_of
from treaty.show._tree_layout import LABEL, WORD, lay_out, text_width


def overlaps(one, other):
    return max(one[0], other[0]) < min(one[1], other[1]) - 1e-6


@given(trees(), st.sampled_from([60, 200, 5000]))
@settings(deadline=None, max_examples=100)
def test_every_arc_is_drawn_and_no_two_meet_at_a_level(heads, width):
    drawn = sentence(heads)
    rows = lay_out(drawn.words, [""] * len(drawn), arcs_of(drawn), width)
    assert [w for row in rows for w in range(row.first, row.last + 1)] == list(
        range(1, len(heads) + 1)
    )
    ends = [end for row in rows for span in row.spans for end in {span.first, span.last} - {None}]
    assert sorted(ends) == sorted(
        end for w, h in enumerate(heads, 1) for end in ((w, h) if h else (w,))
    )
    for row in rows:
        for i, one in enumerate(row.spans):
            assert 0 <= one.start <= one.end <= row.width + 1e-6
            for other in row.spans[:i]:
                if one.level == other.level:
                    assert not overlaps((one.start, one.end), (other.start, other.end))


@given(trees())
@settings(deadline=None, max_examples=100)
def test_labels_do_not_meet_each_other_nor_stand_out_of_their_arc(heads):
    drawn = sentence(heads, labels=["nsubj:pass"] * len(heads))
    (row,) = lay_out(drawn.words, [""] * len(drawn), arcs_of(drawn), 10_000)
    half = text_width("nsubj:pass", LABEL) / 2
    arcs = [span for span in row.spans if span.arc.head]
    for i, one in enumerate(arcs):
        assert one.start <= one.label_at - half <= one.label_at + half <= one.end
        for other in arcs[:i]:
            if one.level == other.level:
                assert abs(one.label_at - other.label_at) >= 2 * half


@given(trees(most=8))
@settings(deadline=None, max_examples=100)
def test_in_projective_trees_no_leg_crosses_an_arc(heads):
    drawn = sentence(heads)
    arcs = arcs_of(drawn)
    roots_covered = any(
        head == 0 and any(o.head and o.ends[0] < word < o.ends[1] for o in arcs)
        for word, head in enumerate(heads, 1)
    )
    if roots_covered or not all(arc.projective for arc in arcs):
        return
    (row,) = lay_out(drawn.words, [""] * len(drawn), arcs, 10_000)
    for one in row.spans:
        for other in row.spans:
            if other.level > one.level:
                assert not any(one.start < leg < one.end for leg in (other.start, other.end))


@given(trees(), st.sampled_from([60, 200, 5000]))
@settings(deadline=None, max_examples=60)
def test_words_stand_in_order_and_do_not_overlap(heads, width):
    drawn = sentence(heads, words=["wonderful"] * len(heads))
    for row in lay_out(drawn.words, ["NOUN"] * len(drawn), arcs_of(drawn), width):
        centers = [row.centers[word] for word in range(row.first, row.last + 1)]
        room = text_width("wonderful", WORD)
        assert centers[0] >= room / 2 and centers[-1] <= row.width - room / 2
        assert all(b - a >= room for a, b in pairwise(centers))


def test_rows_are_broken_at_the_width():
    drawn = sentence([0] * 12, words=["word"] * 12)
    (whole,) = lay_out(drawn.words, [""] * 12, arcs_of(drawn), 10_000)
    rows = lay_out(drawn.words, [""] * 12, arcs_of(drawn), whole.width / 2)
    assert len(rows) >= 2
    assert all(row.width <= whole.width / 2 + 1e-6 for row in rows)
    assert lay_out([], [], [], 100) == []


def test_widths_of_text():
    assert text_width("", 10) == 0
    assert text_width("mi", 10) == text_width("im", 10) > text_width("ii", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("租", 10) == pytest.approx(10.5)
    assert text_width("A", 20) == 2 * text_width("A", 10) > text_width("a", 20)


def test_rows_keep_to_the_width():
    for row in lay_out(["word"] * 80, [""] * 80, arcs_of(sentence([0, *range(1, 80)])), 400):
        assert max(row.centers.values()) - min(row.centers.values()) < 400
