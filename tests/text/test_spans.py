"""Text survives being cut into tokens, written, and read again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.text import sentence_from_spans, text_of

SPACE = st.text(" \t\n\r\u00a0\u3000\u2028", max_size=3)
WORD = st.text(st.sampled_from("aé日|\\=_#.'\u200d"), min_size=1, max_size=4)
INSIDE = st.tuples(WORD, st.sampled_from([" ", "\t", "\r\n", "\u00a0"]), WORD).map("".join)


@st.composite
def documents(draw):
    """A text, and the spans of its tokens sentence by sentence."""
    text = draw(SPACE)
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        sentences.append([])
        for _ in range(draw(st.integers(1, 4))):
            word = draw(st.one_of(WORD, INSIDE))
            sentences[-1].append((len(text), len(text) + len(word)))
            text += word + draw(SPACE)
    return text, sentences


@settings(deadline=None, max_examples=100)
@given(document=documents())
def test_any_text_survives(read, document):
    text, sentences = document
    found = [sentence_from_spans(text, spans) for spans in sentences]
    again = read("".join(sentence.to_conllu() for sentence in found))
    assert again == found
    assert text_of(again) == text
    for sentence, spans in zip(again, sentences, strict=True):
        shown = text[spans[0][0] : spans[-1][1]]
        assert "".join(sentence.text.split()) == "".join(shown.split())


def test_one_space_needs_no_mark_and_no_space_the_usual_one():
    sentence = sentence_from_spans("  Cats, dogs. Yes", [(2, 6), (6, 7), (8, 12), (12, 13)])
    assert [token.misc for token in sentence] == [
        *(r"SpacesBefore=\s\s|SpaceAfter=No", "_", "SpaceAfter=No", "_"),
    ]
    assert sentence.comments == ["# text = Cats, dogs."]


def test_a_token_with_a_line_break_in_it():
    sentence = sentence_from_spans("10\n000", [(0, 6)])
    assert sentence.words == ["10 000"]
    assert sentence.tokens[0].misc == r"SpacesInToken=10\n000|SpaceAfter=No"
    assert text_of([sentence]) == "10\n000"


def test_multiword_tokens_are_put_together_as_one(read, sample):
    assert text_of(read(sample)) == "I don't know; she does. Rains "


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([], "at least one token"),
        ([(0, 2), (1, 3)], r"\(1, 3\) is not a valid token span"),
        ([(2, 2)], "is not a valid token span"),
        ([(-1, 2)], "is not a valid token span"),
        ([(0, 9)], "within the 8 characters"),
        ([(0, 1), (2, 3)], "'b' at 1 is in no token"),
        ([(0, 3), (3, 4)], "not only white space"),
    ],
)
def test_spans_that_lose_text(spans, message):
    with pytest.raises(UsageError, match=message):
        sentence_from_spans("abc def.", spans)
