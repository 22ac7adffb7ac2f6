"""From collections to summaries."""

import pytest

from treaty.errors import UsageError
from treaty.summarize import SimpleScorer, Summarizer

PLAIN = Summarizer(SimpleScorer(), parser=None)
TEXT = " ".join(f"It rained for {n} days in the old town of Lisbon." for n in range(2, 30))


@pytest.mark.parametrize("limits", [{"words": -1}, {"sentences": -1}])
def test_limits_below_zero_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="at least 0"):
        PLAIN.summarize(TEXT, **limits)


@pytest.mark.parametrize(("words", "sentences", "most"), [(25, "auto", 2), (250, 3, 3), (0, 0, 0)])
def test_summaries_stay_within_their_limits(words: int, sentences: object, most: int) -> None:
    found = PLAIN.summarize(TEXT, words=words, sentences=sentences)
    assert found.words == len(found.text.split()) <= words
    assert len(found.sentences) == most
    assert (found.limit, found.mode, found.method) == (words, "extractive", "ad3")
