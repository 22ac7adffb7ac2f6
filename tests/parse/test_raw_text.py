"""The text behind a treebank, and sentences made of pieces of text."""

import io

from treaty.parse._raw_text import (
    INSIDE,
    SENTENCE,
    TOKEN,
    WORD,
    common_words,
    paragraphs_of,
    sentence_of,
    text_and_tags,
)
from treaty.text import Sentence, Token, read_conllu


def test_the_text_of_a_treebank_and_what_begins_where():
    rows = ["1 I _ _ _ _ 0 _ _ _", "2-3 don't _ _ _ _ _ _ _ SpaceAfter=No",
            "2 do _ _ _ _ 1 _ _ _", "3 n't _ _ _ _ 1 _ _ _", "4 . _ _ _ _ 1 _ _ _",
            "", "1 Ok _ _ _ _ 0 _ _ _"]  # fmt: skip
    sentences = list(read_conllu(io.StringIO("\n".join(rows).replace(" ", "\t"))))
    text, tags = text_and_tags(sentences)
    assert text == "I don't. Ok "
    inside = INSIDE
    assert tags == [SENTENCE, TOKEN, inside, WORD, inside, inside, TOKEN, SENTENCE, inside]


def test_words_that_do_not_make_up_their_token_are_one():
    sentence = Sentence([Token("de"), Token("le"), Token("x")])
    sentence.other_lines.append((0, "1-2\tdu" + 8 * "\t_"))
    assert text_and_tags([sentence]) == ("du x ", [SENTENCE, INSIDE, TOKEN])


def test_common_words():
    words = ["a", "a", "a", "b", "C", "C", "C", "d.", "d.", "d."]
    assert common_words([Sentence([Token(word) for word in words])]) == ["a"]


def test_paragraphs_begin_where_comments_say_so():
    marks = ["# newdoc id = a", "# x", "# newpar", "# y"]
    sentences = [Sentence([Token("x")], [mark]) for mark in marks]
    assert [len(p) for p in paragraphs_of(sentences)] == [2, 2]
    assert [len(p) for p in paragraphs_of([Sentence([Token("x")])] * 50)] == [24, 24, 2]


def test_spaces_in_words_have_no_tags():
    (sentence,) = read_conllu(io.StringIO("1\t10 000" + 6 * "\t_" + "\t_\t_\n\n"))
    assert text_and_tags([sentence]) == ("10 000 ", [SENTENCE, INSIDE, INSIDE, INSIDE, INSIDE])


def test_a_sentence_of_spans_has_them_as_words():
    made = sentence_of("He can't. Go", [[(0, 2)], [(3, 5), (5, 8)], [(8, 9)]])
    assert made.words == ["He", "ca", "n't", "."]
    assert [(t.first, t.last, t.form) for t in made.multiword_tokens] == [(2, 3, "can't")]
    assert text_and_tags([made]) == (
        "He can't. ", [SENTENCE, 0, TOKEN, 0, WORD, 0, 0, TOKEN]
    )  # fmt: skip
