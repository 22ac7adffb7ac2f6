"""Copies of sentences as people type them: still trees, with the tags of the original."""

import random

import pytest

from research.training.as_typed import SPELLINGS, as_typed, bulleted, inserted, spelled, with_remark
from treaty.text import Sentence, Token, check_tree


@pytest.fixture
def request_():
    rows = (
        "Please/INTJ/2/discourse", "call/VERB/0/root", "me/PRON/2/obj", "because/SCONJ/7/mark",
        "you/PRON/7/nsubj", "are/AUX/7/cop", "late/ADJ/2/advcl", "./PUNCT/2/punct",
    )  # fmt: skip
    cells = [row.split("/") for row in rows]
    return Sentence(
        [Token(f, lemma=f.lower(), upos=u, head=int(h), deprel=d) for f, u, h, d in cells],
        ["# sent_id = 1"],
    )


def every(change, sentence):
    """All copies that many seeds give."""
    made = [change(sentence, random.Random(seed)) for seed in range(100)]
    for copy in made:
        if copy is not None:
            check_tree(copy)
    return made


def test_words_are_spelled_as_in_chats(request_):
    made = every(spelled, request_)
    assert {" ".join(copy.words[:1]) for copy in made} == {"pls", "plz"}
    for copy in made:
        assert copy.heads == request_.heads
        assert [t.upos for t in copy.tokens] == [t.upos for t in request_.tokens]
        assert copy.tokens[0].lemma == "please"
        assert copy.words[1:3] == ["call", "me"]
    assert request_.words[0] == "Please"


def test_names_and_other_words_stay():
    name = Sentence([Token("Love", lemma="Love", upos="PROPN", head=0, deprel="root")])
    assert spelled(name, random.Random(1)) is None


def test_spellings_are_other_words():
    for word, others in SPELLINGS.items():
        assert word not in others.split(), word
        assert others.split(), word


def test_remarks_at_either_end_or_alone(request_):
    made = every(with_remark, request_)
    assert {len(copy) for copy in made} == {1, 8}  # without the full stop, with the remark
    ends = {(copy.words[0], copy.words[-1]) for copy in made if len(copy) > 1}
    assert ("Please", "thx") in ends and ("lol", "late") in ends
    assert not any(first == "asap" for first, _ in ends)
    for copy in made:
        remark = next(t for t in copy.tokens if t.form not in request_.words)
        assert remark.deprel == (
            "root" if len(copy) == 1 else "advmod" if remark.upos == "ADV" else "discourse"
        )


def test_items_of_lists(request_):
    made = every(bulleted, request_)
    assert {copy.words[1] for copy in made} == {"Please", "please"}
    for copy in made:
        assert copy.tokens[0].upos == "PUNCT" and copy.tokens[0].head == 3
        assert copy.words[-1] == "late"
        assert copy.comments == []  # no document begins here
    assert bulleted(made[0], random.Random(1)) is None  # is an item already
    long = Sentence([Token("a", upos="DET", head=i) for i in range(20)])
    assert bulleted(long, random.Random(1)) is None


def test_inserted_at_all_places(request_):
    for place in range(len(request_) + 1):
        token = Token("x", upos="X", head=2, deprel="dep")
        made = inserted(request_, place, token)
        check_tree(made)
        assert made.words[place] == "x"
        head = made.tokens[made.tokens[place].head - 1]
        assert head.form == "call"
        kept = [t for i, t in enumerate(made.tokens) if i != place]
        for old, new in zip(request_.tokens, kept, strict=True):
            assert (old.head == 0) == (new.head == 0)
            if old.head:
                assert made.tokens[new.head - 1].form == request_.tokens[old.head - 1].form


def test_as_typed_makes_each_kind(request_):
    assert as_typed(request_, 0.0, random.Random(1)) == []
    made = as_typed(request_, 1.0, random.Random(1))
    for copy in made:
        check_tree(copy)
    forms = [" ".join(copy.words) for copy in made]
    assert forms[0] == "PLEASE CALL ME BECAUSE YOU ARE LATE ."
    assert forms[1] == "please call me because you are late ."
    assert forms[2] == "Please call me because you are late"
    assert len(forms) == 6
