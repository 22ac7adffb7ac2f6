"""Gold and system sentences side by side, and what is said when they do not belong together."""

import pytest

from treaty.errors import InputError
from treaty.metrics._pairs import name_of, pairs
from treaty.text import Sentence


def sentence(words, identity=None):
    made = Sentence.from_words(words.split())
    if identity:
        made.comments.append(f"# sent_id = {identity}")
    return made


def test_pairs_come_with_their_names():
    gold, system = [sentence("a b", "x-1"), sentence("c")], [sentence("a b"), sentence("c")]
    found = list(pairs(iter(gold), iter(system)))
    assert [name for name, *_ in found] == ["sentence 1 (x-1)", "sentence 2"]
    assert [ours for _, ours, _ in found] == gold
    assert [theirs for *_, theirs in found] == system
    assert name_of(gold[0], 7) == "sentence 7 (x-1)"
    assert list(pairs([], [])) == []


@pytest.mark.parametrize(
    ("gold", "system", "cause"),
    [
        (["a"], ["a", "b"], "system has sentence 2, but gold ends before it"),
        (["a", "b"], ["a"], "gold has sentence 2, but system ends before it"),
        (["a", "b c"], ["a", "b d"], "sentence 2, token 2: gold has 'c', system 'd'"),
        (["a b"], ["a"], "sentence 1, token 2: gold has 2 words, system 1"),
        (["a"], ["a b c"], "sentence 1, token 2: gold has 1 words, system 3"),
        (["x b"], ["a"], "sentence 1, token 1: gold has 'x', system 'a'"),
    ],
)
def test_sentences_that_do_not_belong_together(gold, system, cause):
    with pytest.raises(InputError, match=f"^{cause}: gold and system must have the same"):
        list(pairs(map(sentence, gold), map(sentence, system)))


def test_what_comes_before_a_difference_is_given():
    found = pairs([sentence("a"), sentence("b")], [sentence("a"), sentence("c")])
    assert next(found)[0] == "sentence 1"
    with pytest.raises(InputError):
        next(found)
