"""Entities as labels and back, against conlleval's rules and by enumeration."""

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError, UsageError
from treaty.text import (
    SCHEMES,
    Span,
    convert_labels,
    labels_of_spans,
    scheme_named,
    spans_of_labels,
)
from treaty.text._schemes import check_labels


def chunks_of_conlleval(labels):
    """The rules of conlleval.pl, startOfChunk and endOfChunk, with S as E and B at once."""
    rules = {"BB", "BO", "IB", "IO", "EE", "EI", "EO", "EB", "BS", "IS", "ES"}
    starts = {"BB", "IB", "OB", "OI", "EE", "EI", "EB", "OE", "SE", "SI", "SB"}
    chunks, inside, start = [], False, 0
    before, before_kind = "O", ""
    for place, label in enumerate([*labels, "O"]):
        mark, kind = (label, "") if label == "O" else label.split("-", 1)
        pair = before + mark
        ended = pair in rules or before == "S" or (before != "O" and before_kind != kind)
        if inside and ended:
            chunks.append((start, place, before_kind))
            inside = False
        if pair in starts or mark == "S" or (mark != "O" and before_kind != kind):
            start, inside = place, True
        before, before_kind = mark, kind
    return chunks


LABELS = st.sampled_from(["O", *(f"{mark}-{kind}" for mark in "BIES" for kind in ("X", "Y"))])


@settings(deadline=None, max_examples=100)
@given(st.lists(LABELS, max_size=8))
def test_any_labels_are_read_as_conlleval_reads_them(labels):
    assert [tuple(span) for span in spans_of_labels(labels)] == chunks_of_conlleval(labels)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_may_follow_what_is_what_entities_give(scheme):
    """Every sequence of labels that is allowed is the one of its entities, and no other is."""
    labels = scheme_named(scheme).labels(["X", "Y"])
    found = scheme_named(scheme)
    for row in product(labels, repeat=3):
        allowed = found.may_begin(row[0]) and found.may_end(row[-1])
        allowed = allowed and all(found.may_follow(a, b) for a, b in pairwise(row))
        assert allowed == (convert_labels(row, scheme) == list(row)), row


@settings(deadline=None, max_examples=50)
@given(st.lists(LABELS, max_size=8), st.sampled_from(list(SCHEMES)), st.sampled_from(list(SCHEMES)))
def test_entities_survive_in_every_scheme(labels, one, other):
    spans = spans_of_labels(labels)
    assert spans_of_labels(convert_labels(convert_labels(labels, one), other)) == spans


def test_types_may_have_dashes():
    assert convert_labels(["B-creative-work", "I-creative-work"]) == [
        "B-creative-work",
        "E-creative-work",
    ]


def test_iob1_is_read():
    labels = ["I-X", "I-X", "B-X", "I-Y"]
    assert spans_of_labels(labels) == [Span(0, 2, "X"), Span(2, 3, "X"), Span(3, 4, "Y")]


@pytest.mark.parametrize("spans", [[Span(0, 0, "X")], [Span(0, 2, "X"), Span(1, 2, "X")]])
def test_entities_that_overlap_or_have_no_words_are_refused(spans):
    with pytest.raises(UsageError, match="overlaps another one or has no words"):
        labels_of_spans(spans, 3)


def test_unknown_schemes_are_refused():
    with pytest.raises(
        UsageError, match="unknown scheme 'IOBES'; expected one of BIO, BIESO, BILOU"
    ):
        scheme_named("IOBES")


@pytest.mark.parametrize("label", ["", "B", "B-", "X-PER", "PER", "o", "-PER", "BI-PER"])
def test_labels_of_no_scheme_are_refused(label):
    with pytest.raises(InputError, match="not a valid entity label") as told:
        check_labels(["O", label])
    assert told.value.text == label
    check_labels(["O", *(f"{mark}-PER" for mark in "BIESLU"), "B-a-b"])
