"""Sentences: their text, their words, their trees."""

import pytest

from treaty.corpus import Sentence, Token
from treaty.errors import UsageError


def test_the_text_is_what_the_comment_says(read, sample):
    first, second = read(sample)
    assert first.text == "I don't know; she does."
    assert second.text == "Rains"


def test_the_text_is_put_together_where_no_comment_says_it(read, sample):
    first = read(sample)[0]
    del first.comments[1]
    assert first.text == "I don't know; she does."
    assert first.surface()[1] == ("don't", "_")


def test_comments_by_their_key():
    sentence = Sentence(comments=["# text_en = no", "#text=yes = so", "# newdoc", "# a = "])
    assert sentence.comment("text") == "yes = so"
    assert sentence.comment("newdoc") is None
    assert sentence.comment("a") == ""


def test_another_tree_leaves_the_first_alone(read, sample):
    first = read(sample)[0]
    other = first.with_tree([0, 1, 1, 1, 1, 1, 1, 1])
    assert other.heads[:2] == [0, 1]
    assert other.tokens[0].deprel == "nsubj"
    assert first.to_conllu() == sample.split("\n\n")[0] + "\n\n"
    other.comments.append("# other")
    other.other_lines.clear()
    assert len(first.comments) == 2
    assert len(first.other_lines) == 2


def test_labels_come_with_the_tree():
    sentence = Sentence.from_words("ab").with_tree([2, 0], ["dep", "root"])
    assert sentence.tokens == [Token("a", head=2, deprel="dep"), Token("b", head=0, deprel="root")]


@pytest.mark.parametrize(
    ("heads", "labels"), [([0], None), ([0, 1, 1], None), ([0, 1], ["root"]), ([0, 3], None)]
)
def test_trees_that_do_not_fit(heads, labels):
    with pytest.raises(UsageError, match="expected"):
        Sentence.from_words("ab").with_tree(heads, labels)


@pytest.mark.parametrize("word", ["", "a\tb", "a\n", "\r", "\0"])
def test_what_is_not_a_word(word):
    with pytest.raises(UsageError, match="is not a word"):
        Sentence.from_words(["a", word])
