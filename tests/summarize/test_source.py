"""Sentences as sources: which tokens are words, and which of them a budget counts."""

import pytest

from treaty.summarize import Source, sources_of
from treaty.text import Sentence


def sentence_of(text):
    """Tokens with blanks between them; a token that begins with + is glued to the one before."""
    words = text.split()
    sentence = Sentence.from_words([word.removeprefix("+") or "+" for word in words])
    for token, after in zip(sentence.tokens, words[1:], strict=False):
        if after.startswith("+"):
            token.misc = "SpaceAfter=No"
    return sentence


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Cats sleep +.", [1, 1, 0]),
        ("They do +n't sleep", [1, 1, 0, 1]),
        ('" +Go +, +" he said', [0, 1, 0, 0, 1, 1]),
        ("Taliban +- +backed men", [1, 0, 0, 1]),
        ("a - b", [1, 0, 1]),
        ("$ +5 +%", [0, 1, 0]),
        (". . .", [0, 0, 0]),
    ],
)
def test_written_words_count_once(text, counts):
    source = Source(0, 0, sentence_of(text))
    assert source.counts.tolist() == [bool(count) for count in counts]
    assert source.words == sum(counts)


def test_words_of_several_tokens_are_one():
    sentence = Sentence.from_words(["Il", "va", "à", "le", "marché"])
    sentence.other_lines.append((2, "3-4\tau" + 8 * "\t_"))
    source = Source(0, 0, sentence)
    assert source.written.tolist() == [0, 1, 2, 2, 3]
    assert source.words == 4


def test_sentences_know_their_documents():
    one, two = Sentence.from_words(["One"]), Sentence.from_words(["Two"])
    found = [(s.document, s.number) for s in sources_of([[one], [], [two, one]])]
    assert found == [(0, 0), (2, 0), (2, 1)]
    assert not sources_of([[one]])[0].is_parsed
    assert Source(0, 0, one.with_tree([0])).is_parsed
