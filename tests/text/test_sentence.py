"""Sentences: their text, their words, their trees."""

import pytest

from treaty.errors import UsageError
from treaty.text import Sentence, Token
from treaty.text._sentence import given_sentences


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


# As text and as a dictionary


@pytest.mark.parametrize("field", ["", "a\tb", "a\nb", "a\r", "\0"])
@pytest.mark.parametrize("name", ["form", "feats", "misc"])
def test_fields_that_would_break_the_file(field, name):
    sentence = Sentence([Token("a")])
    setattr(sentence.tokens[0], name, field)
    with pytest.raises(UsageError, match="cannot write the token"):
        sentence.to_conllu()


@pytest.mark.parametrize("comment", ["", "text", "# a\nb", "# \r"])
def test_comments_that_would_break_the_file(comment):
    with pytest.raises(UsageError, match="cannot write the comment"):
        Sentence([Token("a")], [comment]).to_conllu()


def test_a_sentence_without_tokens_cannot_be_written():
    with pytest.raises(UsageError, match="without tokens"):
        Sentence().to_conllu()
    with pytest.raises(UsageError, match="without tokens"):
        Sentence().to_conllx()


def test_words_are_numbered_from_1_and_other_lines_keep_their_places(read, sample):
    assert "".join(sentence.to_conllu() for sentence in read(sample)) == sample
    first = read(sample)[0]
    rows = [line.split("\t") for line in first.to_conllx().splitlines() if line]
    assert [row[0] for row in rows] == [str(n) for n in range(1, 9)]
    assert all(row[8:] == ["_", "_"] for row in rows)  # no projective heads there
    projective = Sentence([Token("a", deps="0", misc="root"), Token("b", deps="1:x", misc="y")])
    assert [line.split("\t")[8:] for line in projective.to_conllx().splitlines()[:2]] == [
        ["0", "root"], ["_", "_"],
    ]  # fmt: skip


def test_a_dictionary_has_the_columns_that_are_filled():
    sentence = Sentence([Token("a", "b", "C", head=0), Token("d", misc="SpaceAfter=No")])
    assert sentence.to_dict() == {
        "text": "a d",
        "tokens": [
            {"id": 1, "form": "a", "lemma": "b", "upos": "C", "head": 0},
            {"id": 2, "form": "d", "misc": "SpaceAfter=No"},
        ],
    }


def test_empty_nodes_and_multiword_tokens_are_told_apart(read, sample):
    first, second = read(sample)
    (node,) = first.empty_nodes
    assert (node.after, node.columns[:2]) == (4, ("4.1", "it"))
    assert [word.form for word in first.multiword_tokens] == ["don't"]
    assert second.empty_nodes[0].after == 0 and second.multiword_tokens == []


def test_heads_may_be_missing_but_nothing_else():
    words = Sentence.from_words("ab")
    assert words.heads == [-1, -1]
    assert words.with_tree([-1, 2]).heads == [-1, 2]
    for heads in ([-2, 0], [3, 0]):
        with pytest.raises(UsageError, match="expected heads from 0 to 2"):
            words.with_tree(heads)


def test_sentences_may_be_given_as_words():
    cats = Sentence.from_words(["Cats", "sleep"])
    assert list(given_sentences([cats, ("Cats", "sleep")])) == [cats, cats]


@pytest.mark.parametrize("wrong", ["Cats sleep.", Sentence(), None, b"Cats"])
def test_one_input_is_not_several(wrong):
    with pytest.raises(UsageError, match=r"^expected several sentences"):
        given_sentences(wrong)


@pytest.mark.parametrize("wrong", ["Cats sleep.", None, [3], [""]])
def test_what_is_no_sentence(wrong):
    with pytest.raises(UsageError, match=r"^expected a sentence|is not a word"):
        list(given_sentences([wrong]))
