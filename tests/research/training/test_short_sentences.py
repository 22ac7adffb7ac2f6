"""Short sentences cut from trees."""

from __future__ import annotations

import random

from research.training.short_sentences import short_sentences
from treaty.text import Sentence, Token, check_tree

HEADLINE_WORDS = {"the", "our"}


def sentence(*rows: str) -> Sentence:
    """Make a sentence from rows of form, lemma, UPOS, XPOS, head and label."""
    tokens = []
    for row in rows:
        form, lemma, upos, xpos, head, deprel = row.split()
        tokens.append(Token(form, lemma, upos, xpos, "Number=Sing", int(head), deprel))
    return Sentence(tokens)


LANDED = sentence(
    "Yesterday yesterday NOUN NN 5 obl:unmarked",
    "the the DET DT 4 det",
    "old old ADJ JJ 4 amod",
    "planes plane NOUN NNS 5 nsubj",
    "landed land VERB VBD 0 root",
    "there there ADV RB 5 advmod",
)
SAY = sentence(
    "They they PRON PRP 2 nsubj", "say say VERB VBP 0 root", "it it PRON PRP 4 nsubj",
    "rains rain VERB VBZ 2 ccomp",
)  # fmt: skip
BOOK = sentence(
    "I I PRON PRP 2 nsubj", "want want VERB VBP 0 root", "to to PART TO 4 mark",
    "book book VERB VB 2 xcomp", "a a DET DT 6 det", "table table NOUN NN 4 obj",
)  # fmt: skip


def made(source: Sentence, verbs: list[str] | None = None) -> dict[str, Sentence]:
    drawn = random.Random(1)
    found = {}
    for _ in range(200):
        for short in short_sentences(source, 1.0, verbs or [], drawn):
            check_tree(short)
            found[" ".join(short.words)] = short
    return found


def test_clauses_become_sentences_headlines_and_questions():
    found = made(LANDED)
    assert {"The old planes landed .", "The old planes land .", "Old planes land"} <= found.keys()
    assert "Do the old planes land ?" in found and "Did the old planes land ?" in found
    present = found["The old planes land ."]
    assert [(t.upos, t.xpos) for t in present][3] == ("VERB", "VBP")
    assert present.heads == [3, 3, 4, 0, 4]
    question = found["Do the old planes land ?"]
    assert [t.upos for t in question] == ["AUX", "DET", "ADJ", "NOUN", "VERB", "PUNCT"]
    assert question.heads == [5, 4, 4, 5, 0, 5]
    assert "The old planes ." in found  # a fragment
    assert not any("there" in text or "esterday" in text.split()[1:] for text in found)


def test_clauses_that_need_more_are_left_out():
    found = made(SAY)
    assert not any(text.startswith("They say") for text in found)
    assert "It rains ." in found and "Does it rain ?" in found


def test_infinitives_become_commands_and_verbs_are_exchanged():
    found = made(BOOK, ["park"])
    assert {"Book a table .", "Park a table .", "Book table"} <= found.keys()
    command = found["Book a table ."]
    assert command.tokens[0].feats == "Mood=Imp|VerbForm=Fin"
    assert found["Park a table ."].tokens[0].lemma == "park"


def test_nothing_is_made_of_nothing():
    assert list(short_sentences(LANDED, 0.0, [], random.Random(1))) == []
    assert list(short_sentences(Sentence(), 1.0, [], random.Random(1))) == []
