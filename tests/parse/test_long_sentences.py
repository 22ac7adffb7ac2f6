"""Long sentences: where they are cut, and what comes back."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.parse import Parser, Pipeline, Tokenizer
from treaty.parse._long_sentences import cuts, is_in_parts, sentences_of
from treaty.solve import Status
from treaty.text import Sentence, text_of
from treaty.text._tree import require_tree


@given(
    words=st.lists(st.sampled_from([",", "and", ".", "x"]), max_size=60), longest=st.integers(1, 12)
)
def test_parts_are_whole_and_short(words, longest):
    places = cuts(words, longest)
    assert (places[0], places[-1]) == (0, len(words)) or not words
    sizes = [end - start for start, end in pairwise(places)]
    assert all(0 < size <= longest for size in sizes)
    assert all(2 * size >= longest - 1 for size in sizes[:-1])


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("a b c ; d , e f g h", 4),
        ("a b c d , e f g h i", 5),
        ("a b c d and e f g h i", 4),
        ("a b c , d and e f g h", 4),
        ("a b c d e f g h i j", 6),
    ],
)
def test_the_best_place_is_taken(words, place):
    assert cuts(words.split(), 8)[1] == place


def test_tokens_are_not_cut():
    text = "abcdefgh"
    tokens = [[(0, 1), (1, 2), (2, 3)], [(3, 4), (4, 5), (5, 6)], [(6, 7)], [(7, 8)]]
    found = sentences_of(text, tokens, 2)
    assert [len(part) for part in found] == [3, 3, 2]
    assert text_of(found) == text
    assert found[0].comments[-1] == "# part = 1 of 3"


@pytest.fixture(name="pipeline", scope="module")
def _pipeline():
    sample = Pipeline.sample()
    return Pipeline.train(sample.examples, **sample.options)


def test_a_text_is_cut_and_restored(pipeline):
    text = " ".join(["the dog sings and"] * 30)
    found = list(pipeline.parse_text(text, longest=20))
    assert max(len(parse.sentence) for parse in found) <= 20
    assert text_of(parse.sentence for parse in found) == text
    assert sum(is_in_parts(parse.sentence) for parse in found) == 1


def test_given_words_come_back_in_one_tree(pipeline):
    words = ["the", "dog", "sings", ","] * 10
    whole, short = pipeline.predict(
        [Sentence.from_words(words), Sentence.from_words(words[:3])], longest=7
    )
    assert whole.sentence.words == words
    assert whole.sentence.heads.count(0) == 1
    require_tree(whole.sentence)
    assert (whole.status, short.status) == (Status.FEASIBLE, Status.OPTIMAL)
    assert whole.gap == float("inf")
    assert is_in_parts(whole.sentence) and not is_in_parts(short.sentence)


def test_parts_are_parsed_as_if_alone(pipeline):
    words = ["the", "dog", "sings", ","] * 3
    (whole,) = pipeline.predict([Sentence.from_words(words)], longest=4)
    (part,) = pipeline.predict([Sentence(whole.sentence.tokens[:4])])
    assert whole.sentence.heads[:4] == part.sentence.heads


def test_limits_are_checked(pipeline):
    with pytest.raises(UsageError, match="longest"):
        list(pipeline.predict([], longest=0))


def test_the_usual_limit_leaves_usual_sentences_alone():
    sample = Parser.sample()
    parser = Parser.train(sample.examples, **sample.options)
    assert not any(is_in_parts(parse.sentence) for parse in parser.predict(sample.inputs))


def test_a_text_of_newlines_has_no_sentences():
    sample = Tokenizer.sample()
    tokenizer = Tokenizer.train(sample.examples, **sample.options)
    assert tokenizer.sentences("\n" * 300_000) == []
