"""Typed facts about sentences, and the comments that they are in files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.text import Annotations, Part, Quality, Sentence, Token

NUMBERS = st.integers(1, 999)
FACTS = st.builds(
    Annotations,
    part=st.none() | st.builds(Part, NUMBERS, NUMBERS),
    parts=st.just(0) | NUMBERS,
    entities=st.none()
    | st.builds(
        Quality,
        st.sampled_from(["OPTIMAL", "FEASIBLE"]),
        st.sampled_from([0.0, 0.25, 1e-6, 12345.5, float("inf")]),
    ),
)


@given(FACTS)
def test_comments_tell_them_all(facts):
    assert Annotations.of_comments(facts.comments()) == facts
    sentence = Sentence([Token("Hush")], ["# newpar"], [], facts)
    read = Sentence([Token("Hush")], sentence.written_comments).with_typed_comments()
    assert read == sentence
    assert read.to_conllu() == sentence.to_conllu()


@pytest.mark.parametrize(
    "line",
    ["# part = 0 of 3", "# part = 1", "# parts = x", "#parts = 2", "# entities_status = FEASIBLE",
     "# entities_gap = 0.5", "# entities_gap = x", "# text = # parts = 2"],
)  # fmt: skip
def test_other_comments_are_comments(line):
    assert Annotations.of_comments([line]) == Annotations()
    sentence = Sentence([Token("Hush")], [line])
    assert sentence.with_typed_comments() is sentence


def test_comments_in_another_order_stay_as_they_are():
    sentence = Sentence([Token("Hush")], ["# parts = 2", "# newpar"])
    assert sentence.with_typed_comments() is sentence
    assert sentence.written_comments == ["# parts = 2", "# newpar"]


def test_copies_keep_them():
    sentence = Sentence([Token("Hush")], [], [], Annotations(parts=2))
    assert sentence.with_tokens([Token("Shh")]).annotations.parts == 2
    assert sentence.with_tree([0]).annotations.parts == 2
    assert sentence.with_tree([0]).to_conllu().startswith("# parts = 2")
