"""Attachment scores, worked out by hand and against plain counting."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import InputError
from treaty.metrics import (
    LENGTHS,
    Accuracy,
    Retrieval,
    attachment_scores,
    is_punctuation,
)
from treaty.text import Sentence, Token, nonprojective_arcs

GOLD = (
    "We/2/nsubj saw/0/root a/4/det dog/2/obj yesterday/2/advmod ,/9/punct which/9/nsubj "
    "was/9/cop cute/4/acl:relcl ./2/punct",
    "Yes/0/root !/1/punct",
)
SYSTEM = (  # yesterday: head wrong; which: label wrong; cute: subtype wrong; full stop: head wrong
    "We/2/nsubj saw/0/root a/4/det dog/2/obj yesterday/4/advmod ,/9/punct which/9/obj "
    "was/9/cop cute/4/acl ./9/punct",
    "Yes/0/root !/1/punct",
)


@pytest.fixture
def scores(tree):
    def scores(**options):
        return attachment_scores(map(tree, GOLD), map(tree, SYSTEM), **options)

    return scores


def test_all_words_count_by_default(scores):
    found = scores()
    assert found.all_words.heads == Accuracy(10, 12)
    assert found.all_words.labels == Accuracy(10, 12)
    assert found.all_words.arcs == Accuracy(8, 12)
    assert found.all_words.trees == Accuracy(1, 2)
    assert (found.uas, found.las, found.label_accuracy) == (10 / 12, 8 / 12, 10 / 12)


def test_words_of_punctuation_alone_may_be_left_out(scores):
    found = scores(punctuation=False)
    assert found.without_punctuation.heads == Accuracy(8, 9)
    assert found.without_punctuation.arcs == Accuracy(6, 9)
    assert (found.uas, found.las) == (8 / 9, 6 / 9)
    assert found.all_words == scores().all_words
    assert "punct" not in found.by_label
    assert found.counts.tolist() == [[8, 7, 6, 5], [1, 1, 1, 1]]


def test_subtypes_of_labels_may_be_left_out(scores):
    assert scores(subtypes=False).all_words.arcs == Accuracy(9, 12)
    assert scores(subtypes=False).by_label["acl"] == Retrieval(1, 1, 1)
    assert scores().by_label["acl:relcl"] == Retrieval(0, 1, 0)


def test_by_label_the_most_frequent_first(scores):
    found = scores().by_label
    assert list(found)[:3] == ["punct", "nsubj", "root"]
    assert found["punct"] == Retrieval(2, 3, 3)
    assert found["nsubj"] == Retrieval(1, 2, 1)
    assert found["obj"] == Retrieval(1, 1, 2)
    assert (found["nsubj"].precision, found["nsubj"].recall, found["nsubj"].f1) == (1, 0.5, 2 / 3)


def test_lengths_at_the_ends_of_their_bins(tree):
    words = ["w/2/x", "w/0/x", *["w/2/x"] * 8]  # arcs of 1, root, 1, 2, 3, 4, 5, 6, 7, 8 words
    found = attachment_scores([tree(" ".join(words))], [tree(" ".join(words))]).by_length
    assert {name: counts.gold for name, counts in found.items()} == {
        "root": 1, "1": 2, "2": 1, "3-6": 4, "7+": 2,
    }  # fmt: skip


def test_of_nonprojective_arcs_the_head_counts_and_not_the_label(tree):
    gold = tree("a/3/x b/4/x c/0/x d/3/x")
    for label, correct in (("x", 1), ("y", 1)):
        system = tree(f"a/3/x b/4/{label} c/0/x d/3/x")
        assert attachment_scores([gold], [system]).nonprojective == Retrieval(correct, 1, 1)
    other = tree("a/4/x b/3/x c/0/x d/3/x")  # another arc that crosses one
    assert attachment_scores([gold], [other]).nonprojective == Retrieval(0, 1, 1)


def test_by_length(scores):
    assert scores().by_length == {
        "root": Retrieval(2, 2, 2),
        "1": Retrieval(4, 4, 6),  # We, a, was, !; the system's yesterday and full stop too
        "2": Retrieval(2, 2, 2),  # dog, which
        "3-6": Retrieval(2, 3, 2),  # yesterday, comma, cute
        "7+": Retrieval(0, 1, 0),  # the full stop
    }


def test_arcs_that_are_not_projective(scores):
    # In gold, yesterday and the first full stop are below "saw", not "dog": dog-cute crosses.
    assert scores().nonprojective == Retrieval(0, 1, 0)


def test_a_tree_is_complete_when_every_counted_word_is_right(tree):
    gold, system = tree("A/0/root ./1/punct"), tree("A/0/root ./0/punct")
    found = attachment_scores([gold], [system])
    assert found.all_words.trees == Accuracy(0, 1)
    assert found.without_punctuation.trees == Accuracy(1, 1)


@pytest.mark.parametrize(
    ("form", "expected"),
    [(".", True), ("--", True), ("¿", True), ("、", True), ("“", True), ("$", False), ("+", False),
     ("a.", False), ("%", True), ("_", True), ("", False), ("´", False)],
)  # fmt: skip
def test_punctuation_is_unicode_category_p_as_in_eval_pl(form, expected):
    assert is_punctuation(form) == expected


def test_nothing_to_score_is_not_a_number():
    found = attachment_scores([], [])
    assert math.isnan(found.uas)
    assert math.isnan(found.nonprojective.f1)
    assert found.by_label == {}


# What does not belong together


@pytest.mark.parametrize(
    ("gold", "system", "cause"),
    [
        (["a/0"], ["b/0"], "sentence 1, token 1: gold has 'a', system 'b'"),
        (["a/0", "a/0 b/1"], ["a/0", "a/0"], "sentence 2, token 2: gold has 2 words, system 1"),
        (["a/0", "c/0"], ["a/0"], "gold has sentence 2, but system ends before it"),
        (["a/0"], ["a/0", "c/0"], "system has sentence 2, but gold ends before it"),
        (["a/0 b"], ["a/0 b/1"], "sentence 1, token 2 ('b'): gold has no head"),
        (["a/0 b/1"], ["a/0 b"], "sentence 1, token 2 ('b'): system has no head"),
        (
            ["a/0"],
            ["a/7"],
            "sentence 1, token 1 ('a'): system has head 7, which is not in the sentence",
        ),
    ],
)
def test_errors_name_sentence_and_token(tree, gold, system, cause):
    with pytest.raises(InputError) as caught:
        attachment_scores(map(tree, gold), map(tree, system))
    assert cause in str(caught.value)


def test_errors_name_the_sentence_by_its_id_too(tree):
    gold = tree("a/0")
    gold.comments.append("# sent_id = weblog-7")
    with pytest.raises(InputError, match=r"sentence 1 \(weblog-7\), token 1"):
        attachment_scores([gold], [tree("b/0")])


# Against plain counting

words = st.tuples(st.sampled_from(["w", ".", "$"]), st.integers(0, 6), st.sampled_from("AB"),
                  st.integers(0, 6), st.sampled_from("AB"))  # fmt: skip
corpora = st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=4)


def sentences(corpus, head, label):
    return [
        Sentence([Token(w[0], head=min(w[head], len(row)), deprel=w[label]) for w in row])
        for row in corpus
    ]


@given(corpora, st.booleans())
@settings(deadline=None, max_examples=100)
def test_counts_are_those_of_a_plain_loop(corpus, punctuation):
    gold, system = sentences(corpus, 1, 2), sentences(corpus, 3, 4)
    found = attachment_scores(gold, system, punctuation=punctuation)
    rows = [
        (i, n, g, s)
        for i, (a, b) in enumerate(zip(gold, system, strict=True))
        for n, (g, s) in enumerate(zip(a, b, strict=True), 1)
        if punctuation or g.form != "."
    ]
    same = [g.head == s.head for _, _, g, s in rows]
    both = [g.head == s.head and g.deprel == s.deprel for _, _, g, s in rows]
    assert found.chosen.heads == Accuracy(sum(same), len(rows))
    assert found.chosen.arcs == Accuracy(sum(both), len(rows))
    counted = {i for i, *_ in rows}
    wrong = {i for (i, *_), right in zip(rows, same, strict=True) if not right}
    assert found.chosen.trees == Accuracy(len(counted - wrong), len(counted))
    for label, table in found.by_label.items():
        assert table == Retrieval(
            sum(right and g.deprel == label for (*_, g, _), right in zip(rows, both, strict=True)),
            sum(g.deprel == label for *_, g, _ in rows),
            sum(s.deprel == label for *_, s in rows),
        )
    arcs = [
        {(i, n, pair[k].head) for i, n, *pair in rows if n in nonprojective_arcs(side[i].heads)}
        for k, side in enumerate((gold, system))
    ]
    assert found.nonprojective == Retrieval(len(arcs[0] & arcs[1]), len(arcs[0]), len(arcs[1]))
    assert sum(table.gold for table in found.by_length.values()) == len(rows)
    assert sum(table.correct for table in found.by_length.values()) == sum(same)
    assert tuple(found.by_length) == LENGTHS


@given(corpora)
@settings(deadline=None, max_examples=50)
def test_gold_against_itself_is_perfect_and_sentences_add_up(corpus):
    gold, system = sentences(corpus, 1, 2), sentences(corpus, 3, 4)
    perfect = attachment_scores(gold, gold)
    assert (perfect.uas, perfect.las, perfect.label_accuracy) == (1, 1, 1)
    whole = attachment_scores(gold, system)
    parts = [attachment_scores([g], [s]).counts for g, s in zip(gold, system, strict=True)]
    assert np.array_equal(np.concatenate(parts), whole.counts)
    for metric in ("uas", "las", "label_accuracy"):
        correct, total = whole.by_sentence(metric)
        assert getattr(whole, metric) == correct.sum() / total.sum()
