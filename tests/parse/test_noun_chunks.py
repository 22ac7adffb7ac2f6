"""Noun chunks of trees."""

import pytest

from treaty.parse._noun_chunks import noun_chunks
from treaty.text import Sentence, Token

CASES = [
    ("They/PRON/2/nsubj sleep/VERB/0/root", ["They"]),
    (
        "all/DET/4/det:predet the/DET/4/det old/ADJ/4/amod cats/NOUN/5/nsubj sleep/VERB/0/root",
        ["all the old cats"],
    ),
    (
        "a/DET/4/det very/ADV/3/advmod old/ADJ/4/amod cat/NOUN/0/root of/ADP/7/case my/PRON/7/"
        "nmod:poss friend/NOUN/4/nmod",
        ["a very old cat", "my friend"],
    ),
    (
        "the/DET/2/det king/PROPN/5/nmod:poss 's/PART/2/case new/ADJ/5/amod hat/NOUN/0/root",
        ["the king 's new hat"],
    ),
    (
        "tea/NOUN/0/root ,/PUNCT/3/punct milk/NOUN/1/conj and/CCONJ/5/cc cake/NOUN/1/conj",
        ["tea", "milk", "cake"],
    ),
    ("Ada/PROPN/0/root King/PROPN/1/flat Lovelace/PROPN/1/flat", ["Ada King Lovelace"]),
    ("Dr./PROPN/2/nmod:desc Ada/PROPN/3/nsubj sleeps/VERB/0/root", ["Dr. Ada"]),
    ("page/NOUN/0/root 5/NUM/1/nummod", ["page 5"]),
    ("cats/NOUN/0/root that/PRON/3/nsubj sleep/VERB/1/acl:relcl", ["cats", "that"]),
    (
        "now/ADV/3/advmod a/DET/3/det teacher/NOUN/0/root",  # an adverb of the clause
        ["a teacher"],
    ),
    ('"/PUNCT/2/punct old/ADJ/4/amod "/PUNCT/2/punct cats/NOUN/0/root', ['old " cats']),
    ('the/DET/3/det "/PUNCT/3/punct end/NOUN/0/root "/PUNCT/3/punct', ['the " end']),
    ("small/ADJ/4/amod and/CCONJ/3/cc red/ADJ/1/conj cats/NOUN/0/root", ["small and red cats"]),
    ("run/VERB/0/root fast/ADV/1/advmod", []),
]


def tree(text):
    tokens = []
    for item in text.split():
        form, upos, head, deprel = item.rsplit("/", 3)
        tokens.append(Token(form, upos=upos, head=int(head), deprel=deprel))
    return Sentence(tokens)


@pytest.mark.parametrize(("text", "chunks"), CASES)
def test_chunks(text, chunks):
    sentence = tree(text)
    found = noun_chunks(sentence)
    assert [" ".join(sentence.words[first - 1 : last]) for first, last, _ in found] == chunks
    assert all(first <= root <= last for first, last, root in found)


def test_a_sentence_without_a_tree_has_its_nouns():
    assert noun_chunks(tree("old/ADJ/-1/_ cats/NOUN/-1/_")) == [(2, 2, 2)]


def test_a_cycle_of_heads_has_no_chunks():
    assert noun_chunks(tree("old/ADJ/2/amod cats/NOUN/1/dep")) == []
