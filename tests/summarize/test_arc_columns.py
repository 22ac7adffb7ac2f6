"""What is known of arcs."""

from __future__ import annotations

from treaty.summarize._arc_columns import ARC_COLUMNS, arc_columns
from treaty.text import Sentence


def columns(sentence: Sentence) -> dict[str, list[str]]:
    return dict(zip(ARC_COLUMNS, arc_columns(sentence), strict=True))


def test_columns_tell_what_is_known_of_arcs() -> None:
    words = ["On", "Friday", ",", "he", "did", "not", "say", "why", "."]
    labels = ["case", "obl", "punct", "nsubj", "aux", "advmod", "root", "ccomp", "punct"]
    heads = [2, 7, 2, 7, 7, 7, 0, 7, 7]
    found = columns(Sentence.from_words(words).with_tree(heads, labels))
    assert found["time"][1] == "case"
    assert found["marker"][1] == "on"
    assert found["negated"] == ["-", "-", "-", "-", "-", "not", "not", "-", "-"]
    assert [found["size"][n] for n in (0, 1, 6)] == ["0", "2", "5"]  # of 1, 3 and 9 words
    assert found["border"][7] == "ww"  # the tags are unknown, so nothing is a mark
    assert found["hlabel"][0] == "obl"
    assert found["glabel"][0] == "root"
    assert found["htag"][6] == "^"
    assert found["side"][:2] == ["<", "<"]
    assert found["depth"][:2] == ["2", "1"]
    assert found["clause"][6] == "soa"
    assert found["before"][1] == "|"
    assert found["after"][5] == "head"
