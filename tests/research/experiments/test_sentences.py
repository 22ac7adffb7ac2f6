"""The English model on hard cases, those it was made with and those it was not."""

import pytest

from research.experiments.sentences import DATA, SETS, read_cases, words_of, wrong_cases
from treaty.parse import Pipeline


@pytest.fixture(scope="module")
def tokenizer():
    return Pipeline.load().tokenizer


def test_cases_are_read(tmp_path):
    path = tmp_path / "cases.txt"
    path.write_text("= lists\nAll·:⏎‖- one\n= names\nA b.‖ C.\n", encoding="utf-8")
    first, second = read_cases(path)
    assert first == ("lists", "All:\n- one", [["All", ":"], ["-", "one"]], True)
    assert second == ("names", "A b. C.", [["A", "b."], ["C."]], False)
    assert second.is_right([["A", "b", "."], ["C", "."]])
    assert not second.is_right([["A", "b", ".", "C", "."]])
    assert not first.is_right([["All:"], ["-", "one"]])


def test_there_are_enough_cases():
    texts = [case.text for name in SETS for case in read_cases(DATA / f"{name}.txt")]
    assert len(texts) >= 300 and len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", SETS)
def test_most_are_right(tokenizer, name):
    cases = list(read_cases(DATA / f"{name}.txt"))
    assert len(wrong_cases(tokenizer, cases)) <= 0.05 * len(cases)


def test_users_tell_more(tokenizer):
    text = "The Bgm. Hill came\nand went"
    assert len(words_of(tokenizer, text)) > 1
    assert len(tokenizer.split(text, lines="sentence")) == 2
