"""Treebanks set in lines: tags go with characters, sentences and paragraphs begin lines."""

from treaty.parse._raw_text import SENTENCE
from treaty.parse._typesetting import typeset
from treaty.text import Sentence, Token


def sentence(number, new_paragraph=False):
    words = [Token(word) for word in ("Some", "cats", "and", "dogs", f"s{number}")]
    words[-1].misc = "SpaceAfter=No"
    return Sentence([*words, Token(".")], ["# newpar"] if new_paragraph else [])


SENTENCES = [sentence(i, i % 5 == 0) for i in range(400)]


def test_characters_have_their_tags():
    for text, tags in typeset(SENTENCES):
        characters = [char for char in text if not char.isspace()]
        assert len(characters) == len(tags)
        starts = [c for c, tag in zip(characters, tags, strict=True) if tag == SENTENCE]
        assert set(starts) <= {"S", "s"}


def test_every_sentence_is_there_once():
    found = sum(tags.count(SENTENCE) for _, tags in typeset(SENTENCES))
    assert found == len(SENTENCES)


def test_texts_are_set_in_many_ways():
    texts = [text for text, _ in typeset(SENTENCES)]
    assert any(text.islower() for text in texts) and any(text.isupper() for text in texts)
    assert any("\nand" in text for text in texts)  # wrapped
    assert any(all(line.startswith("Some") for line in text.splitlines()) for text in texts)
    assert any(len(line) > 100 for text in texts for line in text.splitlines())
    assert any(text[-2].isdigit() for text in texts)  # without the mark
    assert any(":)" in text for text in texts)


def test_a_seed_gives_the_same_texts():
    assert list(typeset(SENTENCES, 3)) == list(typeset(SENTENCES, 3))
    assert list(typeset(SENTENCES, 3)) != list(typeset(SENTENCES, 4))
