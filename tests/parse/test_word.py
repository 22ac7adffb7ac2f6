"""Words: columns, tree, confidence, identity."""

import pytest
from tests.parse.documents import full

from treaty.parse import Document
from treaty.text import Sentence, Token


@pytest.fixture(scope="module")
def document():
    return full()


def forms(words):
    return [word.form for word in words]


def test_columns_are_those_of_the_token(document):
    cat = document.words[3]
    assert (cat.form, cat.lemma, cat.upos, cat.xpos, cat.deprel) == (
        *("cat", "cat", "NOUN", "NO", "nsubj"),
    )
    assert cat.feats == {"Animacy": "Anim", "Number": "Sing"}
    assert document.words[0].feats == {}
    assert (cat.index, cat.id, cat.sentence_index) == (3, 4, 0)
    vin = document.words[13]
    assert (vin.index, vin.id, vin.sentence_index) == (13, 5, 1)
    assert vin.sentence is document.sentences[1] and vin.token is vin.sentence.tokens[4]


def test_confidences_are_those_in_misc(document):
    rome, cat = document.words[7], document.words[3]
    assert (rome.tag_confidence, rome.arc_confidence) == (0.875, 0.5)
    assert (cat.tag_confidence, cat.arc_confidence) == (None, None)
    for value in ("high", "nan", "-0.5", "1.5", ""):
        odd = Document("x", [Sentence([Token("x", misc=f"TagConfidence={value}")])])
        assert odd.words[0].tag_confidence is None
        assert "tag_confidence" not in odd.to_json()


def test_the_tree(document):
    ada, _, old, cat, *_, see, rome, _ = document.words[:9]
    assert see.head is None and cat.head == see and old.head == cat
    assert see.children == [cat, *document.words[4:6], *document.words[7:9]]
    assert rome.children == []
    assert forms(ada.ancestors) == ["cat", "see"] and see.ancestors == []
    assert forms(cat.subtree) == ["Ada", "'s", "old", "cat"]
    assert see.subtree == document.words[:9]
    assert forms(document.words[13].subtree) == ["de", "le", "vin"]  # of the second sentence


def test_the_subtree_of_a_nonprojective_tree_has_gaps():
    tree = Sentence.from_words(["a", "b", "c", "d"]).with_tree([3, 4, 0, 3])
    assert forms(Document("a b c d", [tree]).words[3].subtree) == ["b", "d"]


def test_words_without_a_tree_and_cycles():
    bare = Document("a b", [Sentence.from_words(["a", "b"])])
    for word in bare:
        assert (word.head, word.children, word.ancestors, word.subtree) == (None, [], [], [word])
    cycle = Document("a b c", [Sentence.from_words(["a", "b", "c"]).with_tree([2, 1, 1])])
    assert forms(cycle.words[2].ancestors) == ["a", "b"]
    assert forms(cycle.words[0].subtree) == ["a", "b", "c"]


def test_words_are_equal_if_they_are_the_same_word(document):
    assert document.words[1] == document.words[1] != document.words[2]
    assert full().words[1] != document.words[1]
    assert len({*document.words, *document.words}) == 15
    assert document.words[0] != "Ada" and repr(document.words[0]) == "Word('Ada')"
