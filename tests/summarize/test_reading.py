"""From articles to sentences: datelines, dates, and very long texts."""

import pytest

from treaty.summarize._reading import LARGE, SKIMMED_WORDS, chronological, read_sources
from treaty.text import Article


@pytest.mark.parametrize(
    "dateline",
    ["Saturday, March 26, 2005 ", "March 26, 2005 ", "LONDON (Reuters) - ", "NEW YORK, N.Y. — "],
)
def test_datelines_are_left_out(dateline):
    (source,) = read_sources([Article(f"{dateline}Women died in the flood.")])
    assert source.sentence.text == "Women died in the flood."


def test_dates_put_articles_in_order():
    dates = ["Monday, 3 May 2021", "2021-05-01", "May 2, 2021", "Sept. 2020"]
    assert chronological([Article("", date=date) for date in dates]) == [3, 1, 2, 0]
    assert chronological([Article("", date=date) for date in [*dates, "yesterday"]]) == [*range(5)]


def test_very_long_texts_are_skimmed_and_numbers_stay():
    common = "The river rose in the town today. " * 3
    text = common + " ".join(f"Item{n} xq{n} zz{n} yy{n} ww{n}." for n in range(LARGE // 20))
    assert len(text) > LARGE
    sources = read_sources([Article(text)])
    assert sources[0].sentence.text == "The river rose in the town today."
    assert sum(source.words for source in sources) <= SKIMMED_WORDS
    numbers = [source.number for source in sources]
    assert numbers == sorted(numbers)
    number = next(n for n in numbers if n > 5)
    source = sources[numbers.index(number)]
    assert source.sentence.words[0] == f"Item{number - 3}"


def test_headline_paragraphs_and_turns():
    text = "Storm hits the north coast\n\nIt rained. It poured.\n\nWind blew all day."
    found = read_sources([Article(text)], headline=True)
    assert [(s.number, s.place) for s in found] == [(-1, 0), (0, 0), (1, 1), (2, 0)]
    assert found[0].is_headline and text[slice(*found[0].span)] == "Storm hits the north coast"
    assert not any(s.is_headline for s in read_sources([Article(text)] * 2, headline=True))
    chat = "ann: it rained. really\nbo: no\nann: yes it did"
    assert next((s.place, s.is_turn) for s in read_sources([Article(chat)])) == (0, True)


def test_turns_of_a_chat_are_lines():
    text = "ann: it rained\nbo: yes. a lot\n\nann: how sad"
    found = read_sources([Article(text)])
    assert [(s.sentence.text, s.place, s.is_turn) for s in found] == [
        ("ann: it rained", 0, True),
        ("bo: yes. a lot", 0, True),
        ("ann: how sad", 0, True),
    ]
    assert [text[slice(*s.span)] for s in found] == [s.sentence.text for s in found]
    assert [s.number for s in found] == [0, 1, 2]
