"""Labels of chat turns are parsed apart from the messages."""

from __future__ import annotations

import pytest
from tests.parse.treebank import small_pipeline

from treaty.parse._turns import LONGEST, label_size, parsed_apart
from treaty.text import Sentence


@pytest.mark.parametrize(
    ("words", "size"),
    [
        ("[ 09:16 ] raj : forgot it", 5),
        ("[09:16] raj: forgot it", 2),
        ("09:16 raj : forgot it", 3),
        ("10:05 PM Dave Lee : good night", 5),
        ("12/03/2024 , 09:14 - Mum : are you there", 6),
        ("[ 2024-03-12 09:14:05 ] < mum > hi", 7),
        ("<mum> hi", 1),
        ("< mum > hi", 3),
        ("09:16 raj :", 0),  # no message
        ("</b> hi", 0),
        ("At 09:16 raj : forgot", 0),
        ("Note : it rains", 0),
        ("10:30 is late : go home", 0),
        ("", 0),
    ],
)
def test_the_label_of_a_turn_is_found(words, size):
    assert label_size(words.split()) == size


def test_a_label_is_found_at_the_beginning_alone():
    assert label_size(["x"] * LONGEST + ["09:16", "raj", ":", "hi"]) == 0


@pytest.fixture(scope="module", name="pipeline")
def _pipeline():
    return small_pipeline(order="first")


def test_messages_have_the_trees_they_have_alone(pipeline):
    texts = ["the dog sings", "[ 09:16 ] raj : the dog sings", "< raj > the cat sees the dog"]
    given = [Sentence.from_words(text.split()) for text in texts]
    alone = [Sentence.from_words(s.split()) for s in ("the dog sings", "the cat sees the dog")]
    first, second, third = pipeline.predict(given)
    dog, cat = pipeline.predict(alone)
    for whole, size, message in ((first, 0, dog), (second, 5, dog), (third, 3, cat)):
        heads = [head and head + size for head in message.sentence.heads]
        assert whole.sentence.heads[size:] == heads
        assert whole.sentence.heads.count(0) == 1
        for column in ("form", "upos", "lemma", "deprel"):
            assert [getattr(t, column) for t in whole.sentence.tokens[size:]] == [
                getattr(t, column) for t in message.sentence.tokens
            ]
    assert [len(p.sentence) for p in (first, second, third)] == [len(s) for s in given]
    assert second.certificate.objective != dog.certificate.objective


def test_the_certificate_is_that_of_both_parts(pipeline):
    words = ["[", "09:16", "]", "raj", ":", "the", "dog", "sings"]
    (whole,) = pipeline.predict([Sentence.from_words(words)])
    parts = list(pipeline.predict([Sentence.from_words(words[:5]), Sentence.from_words(words[5:])]))
    assert whole.certificate.objective == sum(p.certificate.objective for p in parts)
    assert whole.certificate.bound == sum(p.certificate.bound for p in parts)


def test_sentences_with_tags_are_parsed_as_they_are(pipeline):
    def predict(sentences):
        found = list(sentences)
        assert [len(sentence) for sentence in found] == [6]
        return pipeline.parser.predict(found)

    sentence = Sentence.from_words(["09:16", "raj", ":", "the", "dog", "sings"])
    list(parsed_apart([sentence], lambda _: False, ["dep"], predict))


def test_text_and_comments_stay(pipeline):
    sentence = Sentence.from_words(["<raj>", "the", "dog", "sings"])
    sentence.comments.append("# text = <raj> the dog sings")
    sentence.other_lines.append((1, "2-3\tthedog" + "\t_" * 8))
    (found,) = pipeline.predict([sentence], tags="predict")
    assert found.sentence.comments == sentence.comments
    assert found.sentence.other_lines == sentence.other_lines
    assert [t.form for t in found.sentence.tokens] == [t.form for t in sentence.tokens]


def test_no_sentence_and_no_words(pipeline):
    assert list(pipeline.predict([])) == []
    (found,) = pipeline.predict([Sentence.from_words([])])
    assert found.sentence.tokens == []
