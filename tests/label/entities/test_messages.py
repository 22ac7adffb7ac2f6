"""Words of messages and their places; users, tags, links and smileys stay whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.label.entities import message_of_text, message_of_words, sentences_of_text


class ByLetter:
    """A tokenizer that parts everything, and ends a sentence at every stop."""

    def split(self, text):
        sentences = [[]]
        for place, letter in enumerate(text):
            if not letter.isspace():
                sentences[-1].append([(place, place + 1)])
            if letter == ".":
                sentences.append([])
        return [sentence for sentence in sentences if sentence]


def words(text):
    return message_of_text(text, ByLetter()).words


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("RT @ann: x", "@ann"),
        ("see #MH17!", "#MH17"),
        ("at http://t.co/a.b?c=d.", "http://t.co/a.b?c=d"),
        ("(www.bbc.co.uk)", "www.bbc.co.uk"),
        ("a &amp; b", "&amp;"),
        ("sad :-( x", ":-("),
        ("love <3", "<3"),
    ],
)
def test_what_is_one_word_stays_whole(text, whole):
    found = words(text)
    assert whole in found
    assert "".join(found) == "".join(text.split())


@pytest.mark.parametrize("text", ["ann@home.org x", "C# a", "5:(3", "a<b"])
def test_what_only_looks_like_one_is_left_to_the_tokenizer(text):
    assert all(len(word) == 1 for word in words(text))


def test_sentences_are_not_cut_within_a_link():
    found = [s.words for s in sentences_of_text("a www.b.cd e. f", ByLetter())]
    assert found == [["a", "www.b.cd", "e", "."], ["f"]]


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("ab@#.:/ (w<3&;\n"), max_size=30))
def test_no_letter_is_lost(text):
    message = message_of_text(text, ByLetter())
    assert "".join("".join(message.words).split()) == "".join(text.split())
    ends = [0, *(place for pair in message.places for place in pair)]
    assert ends == sorted(ends)


def test_words_are_refused_that_are_none():
    with pytest.raises(UsageError, match="a word of a message"):
        message_of_words(["a", ""])
