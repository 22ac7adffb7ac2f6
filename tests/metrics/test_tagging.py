"""Accuracies of tags."""

import pytest

from treaty import InputError
from treaty.metrics import Accuracy, tagging_scores
from treaty.text import Sentence, Token


@pytest.fixture
def pair(tree):
    text = "Time flies like arrows"
    gold = tree(
        text,
        upos="NOUN VERB ADP NOUN",
        xpos="NN VBZ IN NNS",
        feats="_ Number=Sing|Person=3 _ Number=Plur",
    )
    system = tree(
        text,
        upos="NOUN NOUN ADP NOUN",
        xpos="NN VBZ IN NN",
        feats="_ Person=3|Number=Sing _ Number=Plur",
    )
    return [gold], [system]


def test_each_column_and_all_at_once(pair):
    scores = tagging_scores(*pair)
    assert (scores.upos, scores.xpos) == (Accuracy(3, 4), Accuracy(3, 4))
    assert scores.feats == Accuracy(4, 4)  # features have no order
    assert scores.all == Accuracy(2, 4)
    assert scores.known == scores.unknown == {}


def test_known_and_unknown_words_add_up(pair):
    scores = tagging_scores(*pair, known=["Time", "flies"])
    assert scores.known["upos"] == Accuracy(1, 2)
    assert scores.unknown["upos"] == Accuracy(2, 2)
    assert scores.unknown["xpos"] == Accuracy(1, 2)
    assert scores.upos == Accuracy(3, 4)


def test_features_must_be_the_same_set(tree):
    gold = tree("a b c d", feats="X=1|Y=2 X=1 _ X=1|Y=2")
    system = tree("a b c d", feats="Y=2|X=1 X=2 X=1 X=1")
    assert tagging_scores([gold], [system]).feats == Accuracy(1, 4)
    assert tagging_scores([gold], [system]).all == Accuracy(1, 4)


def test_no_word_is_known(pair):
    scores = tagging_scores(*pair, known=[])
    assert scores.known["upos"].total == 0
    assert scores.unknown["upos"] == scores.upos


def test_other_words_are_refused(tree):
    with pytest.raises(InputError, match="sentence 1, token 2"):
        tagging_scores([tree("a b")], [tree("a c")])


def test_lemmas_count_where_the_gold_data_have_them():
    gold = [Sentence([Token("cats", lemma="cat"), Token("Sat", lemma="sit"), Token("x")])]
    system = [Sentence([Token("cats", lemma="cat"), Token("Sat", lemma="Sit"), Token("x", "y")])]
    scores = tagging_scores(gold, system, known={"Sat", "x"})
    assert scores.lemma == Accuracy(1, 2)
    assert (scores.known["lemma"], scores.unknown["lemma"]) == (Accuracy(0, 1), Accuracy(1, 1))
    assert tagging_scores(system, gold).lemma == Accuracy(1, 3)
