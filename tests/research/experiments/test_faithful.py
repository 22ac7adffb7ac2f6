"""The challenge set of compression: how it is counted, and what the shipped model reaches."""

import pytest

from research.experiments import faithful
from treaty.summarize import CompressedSentence, Summarizer


@pytest.mark.parametrize(("name", "fewest"), [("must_stay", 200), ("may_go", 100)])
def test_there_are_enough_sentences_and_none_is_in_both_parts(name, fewest):
    parts = [list(faithful.read_cases(faithful.DATA / f"{name}_{p}.txt")) for p in faithful.SETS]
    texts = [case.text for part in parts for case in part]
    assert len(texts) == len(set(texts)) >= fewest
    assert {case.kind for case in parts[0]} == {case.kind for case in parts[1]}


def test_marked_words_are_found(tmp_path):
    path = tmp_path / "cases.txt"
    path.write_text("= time\nIt rained {on Monday}.\n")
    (case,) = faithful.read_cases(path)
    assert (case.kind, case.text) == ("time", "It rained on Monday.")
    tokens, kept = ("It", "rained", "on", "Monday", "."), (True, True, False, True, True)
    found = CompressedSentence("", tokens, ("",) * 5, kept, 0.0, 1)
    assert case.cut_of(found) == [True, False]


def test_what_the_shipped_model_reaches():
    """Floors below what was measured: parsers change. See docs/reference/summarize.md."""
    summarizer = Summarizer.load()
    for part in faithful.SETS:
        stay, go = (
            list(faithful.read_cases(faithful.DATA / f"{name}_{part}.txt"))
            for name in ("must_stay", "may_go")
        )
        assert faithful.count(summarizer, stay, True, words=0).share >= 0.95
        assert faithful.count(summarizer, go, False).share >= 0.75
