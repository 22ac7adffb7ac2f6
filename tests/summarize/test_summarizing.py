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


def test_texts_with_short_sentences_get_more_of_them() -> None:
    lines = [f"Ann: we saw {animal} today again" for animal in ("cats", "dogs", "owls", "rats")]
    lines += [f"Bo: they ate {food} for lunch" for food in ("figs", "nuts", "peas", "rice", "eggs")]
    assert len(PLAIN.summarize("\n".join(lines), words=100).sentences) == 9
    long = " ".join(f"{one} {' and '.join([one] * 9)}." for one in ("Rain", "Snow", "Hail") * 4)
    assert len(PLAIN.summarize(long, words=100).sentences) <= 6


def test_headlines_introduce_what_follows() -> None:
    body = "Harbor workers in Ulm went home early because of the snow that fell on the quays."
    found = PLAIN.summarize(f"Report on the strike of May\n\n{body}", words=60)
    assert found.text == f"Report on the strike of May: {body}"
    only = PLAIN.summarize(f"Report on the strike of May\n\n{body}", words=7)
    assert only.text == "Report on the strike of May."
