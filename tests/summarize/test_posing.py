"""From articles to problems."""

import pytest

from treaty.errors import InputError
from treaty.summarize import SimpleScorer, Summarizer
from treaty.summarize._posing import CANDIDATES_PER_WORD, FEWEST_CANDIDATES
from treaty.text import Article

PLAIN = Summarizer(SimpleScorer(), parser=None)


def test_candidates_have_so_many_words_or_more_for_longer_summaries() -> None:
    text = " ".join(f"It rained for {n} days in the old town of Lisbon." for n in range(400))
    short = PLAIN.problem([Article(text)], words=10)
    assert FEWEST_CANDIDATES - 10 <= short.words.sum() <= FEWEST_CANDIDATES
    longer = PLAIN.problem([Article(text)], words=500)
    assert longer.words.sum() <= 500 * CANDIDATES_PER_WORD
    assert longer.words.sum() > short.words.sum()


def test_texts_without_sentences_are_refused() -> None:
    with pytest.raises(InputError, match="no sentences"):
        PLAIN.problem([Article(" \n ")])
