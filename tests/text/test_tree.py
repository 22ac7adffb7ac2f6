"""Trees against their definitions, written out for small sentences."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import InputError
from treaty.text import Sentence, check_tree, is_projective, nonprojective_arcs
from treaty.text._lines import Fault
from treaty.text._tree import require_tree


def ancestors(heads, token):
    """Everything above a token, as far as the heads go."""
    found = []
    while token and heads[token - 1] not in found:
        token = heads[token - 1]
        found.append(token)
    return found


def is_tree(heads):
    return all(0 in ancestors(heads, token) for token in range(1, len(heads) + 1))


def sentence_of(heads):
    return Sentence.from_words(["w"] * len(heads)).with_tree(heads)


def passes(heads, **options):
    try:
        check_tree(sentence_of(heads), **options)
    except InputError:
        return False
    return True


def test_all_heads_of_up_to_four_words():
    for size in range(1, 5):
        for heads in itertools.product(range(-1, size + 1), repeat=size):
            tree = -1 not in heads and is_tree(heads)
            assert passes(heads) == tree, heads
            assert passes(heads, single_root=True) == (tree and heads.count(0) == 1), heads


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([0, -1], r"token 2: has no head"),
        ([2, 1], r"token 1: no token has the head 0"),
        ([0, 3, 4, 2], r"token 2: its heads form a cycle, 2 → 3 → 4 → 2;"),
        ([0, 3, 4, 5, 6, 2], r"token 2: its heads form a cycle, 2 → 3 → 4 → 5 → 6 → 2;"),
        ([0, 3, 4, 5, 6, 7, 2], r"token 2: its heads form a cycle, 2 → 3 → 4 → 5 → 6 → …;"),
    ],
)
def test_what_is_wrong_is_said(heads, message):
    with pytest.raises(InputError, match=message):
        check_tree(sentence_of(heads))


def test_faults_name_the_word():
    words = Sentence.from_words(["a", "b", "c"])
    with pytest.raises(InputError) as told:
        check_tree(words.with_tree([0, 1, -1]))
    assert told.value.text == "c"
    with pytest.raises(Fault) as fault:
        require_tree(words.with_tree([0, 3, 2]))
    assert (fault.value.token, fault.value.text) == (2, "b")
    require_tree(words.with_tree([0, 0, 1]))  # several roots will do
    require_tree(Sentence())


def test_a_second_root_and_a_head_out_of_range():
    with pytest.raises(InputError, match="token 3: a second root in addition to token 1"):
        check_tree(sentence_of([0, 1, 0]), single_root=True)
    sentence = sentence_of([0])
    sentence.tokens[0].head = 7
    with pytest.raises(InputError, match="its head 7 is not in the sentence, whose last id is 1"):
        check_tree(sentence)


def test_long_sentences():
    chain = list(range(5000))
    assert passes(chain)
    assert is_projective(chain)
    chain[1] = 5000
    assert not passes(chain)


@st.composite
def trees(draw):
    size = draw(st.integers(1, 8))
    order = draw(st.permutations(range(1, size + 1)))
    heads = [0] * size
    for place, token in enumerate(order):
        heads[token - 1] = draw(st.sampled_from([0, *order[:place]]))
    return heads


@settings(deadline=None, max_examples=100)
@given(heads=trees())
def test_non_projective_arcs_by_their_definition(heads):
    expected = [
        token
        for token, head in enumerate(heads, 1)
        if head
        and any(
            head not in ancestors(heads, between)
            for between in range(min(token, head) + 1, max(token, head))
        )
    ]
    assert nonprojective_arcs(heads) == expected
    assert is_projective(heads) == (not expected)
