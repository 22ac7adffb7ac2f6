"""Quotations over several sentences."""

import pytest

from treaty.summarize import Source
from treaty.summarize._speakers import speakers, within_quotations
from treaty.text import Sentence


def sources_of(*lines, places=None):
    return [
        Source(0, n, Sentence.from_words(line.split()), place=places[n] if places else n)
        for n, line in enumerate(lines)
    ]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["“ I am glad .", "It was hard , ” said Ann ."], [(0, 1)]),
        (['" I am glad .', 'It was hard , " said Ann .', '" It was . "'], [(0, 1), (2, 1)]),
        (["Ann said : “ I am glad .", "It was hard .", "It was . ”"], [(1, 0), (2, 0)]),
        (["“ I am glad , ” said Ann .", "It was hard ."], []),
        (["“ I am glad . ”", "“ So am I . ”"], []),
    ],
)
def test_who_speaks(lines, found):
    assert speakers(sources_of(*lines)) == found


def test_paragraphs_part_speakers():
    lines = ["“ I am glad . ”", "Bo said that it rained ."]
    assert speakers(sources_of(*lines, places=[0, 1])) == [(0, 1)]
    assert speakers(sources_of(*lines, places=[0, 0])) == []


def test_sentences_within_quotations():
    lines = ["Ann said : “ I am glad .", "It was hard .", "It was . ”", "It rained ."]
    assert within_quotations(sources_of(*lines)) == {(0, 1)}
    assert within_quotations(sources_of(lines[0], lines[1], lines[3])) == set()  # never closed
