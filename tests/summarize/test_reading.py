"""From articles to sentences: splitting in any language, datelines, dates, and very long texts."""

import pytest

from treaty.corpus import Article, text_of
from treaty.summarize._reading import LARGE, SKIMMED_WORDS, chronological, read_sources
from treaty.summarize._split import split_sentences, split_text


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Il pleut. Il neige.", ["Il pleut.", "Il neige."]),
        ("M. Petit dort. Dr. Grand aussi.", ["M. Petit dort.", "Dr. Grand aussi."]),
        ("Il a dit : « Non ! » Puis il dort.", ["Il a dit : « Non ! »", "Puis il dort."]),
        ("Environ 3.5 km. 12 personnes.", ["Environ 3.5 km.", "12 personnes."]),
        ("Was? Ja… Nein", ["Was?", "Ja…", "Nein"]),
        ("Τι είναι; Είναι νερό.", ["Τι είναι;", "Είναι νερό."]),
        ("यह पानी है। वह आग है।", ["यह पानी है।", "वह आग है।"]),
        ("One\n\nTwo", ["One", "Two"]),
        (" \n\n ", []),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_are_split(text, sentences):
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_tokens_of_any_script_are_whole_words():
    (sentence,) = split_text("यह पानी है।")
    assert sentence.words == ["यह", "पानी", "है", "।"]
    text = "L'eau, c'est bleu... non ?"
    assert text_of(split_text(text)) == text


def test_a_text_without_blanks_is_cut():
    text = "x" * 5000
    assert [end - start for start, end in split_sentences(text)] == [2000, 2000, 1000]


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
