"""White space supposed around marks."""

import re

import pytest

from treaty.parse._spacing import tells_spaces, with_usual_spaces, writes_spaces
from treaty.text import Sentence, text_of


@pytest.mark.parametrize(
    "text",
    [
        'She said: "Hush!"',
        "Cats (and dogs) sleep, don't they?",
        "«Ja», sagde han; så gik de.",
        "'Yes' or 'no'…",
        "It's 50% off.",
    ],
)
def test_usual_texts_come_back(text):
    words = re.findall(r"n't|'s|\w+?(?=n't|'s)|\w+|[^\w\s]", text)
    (found,) = with_usual_spaces([Sentence.from_words(words)])
    assert text_of([found]).strip() == text


def test_other_columns_and_multiword_tokens_stay():
    sentence = Sentence.from_words(["do", "n't", "!"])
    sentence.other_lines.append((0, "1-2\tdon't" + 8 * "\t_"))
    assert list(with_usual_spaces([sentence])) == [sentence]
    plain = Sentence.from_words(["No", "!"])
    plain.tokens[0].misc = "Gloss=x"
    (found,) = with_usual_spaces([plain])
    assert found.tokens[0].misc == "Gloss=x|SpaceAfter=No" and plain.tokens[0].misc == "Gloss=x"


def test_what_a_treebank_tells():
    plain = Sentence.from_words(["No", "!"])
    assert not tells_spaces([plain]) and tells_spaces(with_usual_spaces([plain]))
    assert writes_spaces([plain]) and not writes_spaces(
        [Sentence.from_words(["彼", "は", "寝る", "。"])]
    )
