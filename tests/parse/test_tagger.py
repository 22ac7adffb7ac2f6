"""The tagger: columns one after the other, scores, odd sentences, its tokenizer."""

import itertools
from dataclasses import replace

import pytest
from tests.parse.tagged import plain, sentences

from treaty import ModelError, UsageError
from treaty.parse import Tagger, Tokenizer
from treaty.text import Sentence


@pytest.fixture(scope="module")
def tagger():
    return Tagger.train(
        sentences(60), columns=("upos", "xpos", "feats"), epochs=3, bits=12, dev=sentences(9, 1)
    )


def test_it_learns_what_depends_on_the_context(tagger):
    gold = sentences(30, seed=5)
    made = list(tagger.predict(plain(30, 5), threads=2))
    assert [t.upos for s in made for t in s] == [t.upos for s in gold for t in s]
    assert [t.xpos for s in made for t in s] == [t.xpos for s in gold for t in s]
    assert [t.feats for s in made for t in s] == [t.feats for s in gold for t in s]
    assert tagger.info["scores"] == {"UPOS": 1.0, "XPOS": 1.0, "FEATS": 1.0}


def test_sentences_stay_as_they_are(tagger):
    given_ = sentences(3)
    before = [s.to_conllu() for s in given_]
    made = list(tagger.predict(given_))
    assert [s.to_conllu() for s in given_] == before
    assert made[0].comments == ["# c"]


def test_odd_sentences_get_tags(tagger):
    odd = [
        Sentence.from_words([word]) for word in ("", "\U0001f600", "x" * 10_000, "\u200b") if word
    ]
    odd.append(Sentence.from_words(["the"] * 2000))
    assert [len(s) for s in tagger.predict([*odd, Sentence()])] == [1, 1, 1, 2000, 0]


def test_scores_are_shares_of_words(tagger):
    gold = sentences(2, 7)
    gold[0].tokens[0].upos = "X"  # of ten words
    assert tagger.evaluate(gold) == {"UPOS": 0.9, "XPOS": 1.0, "FEATS": 1.0}


def test_a_later_column_sees_the_earlier_ones(tagger):
    assert [column.earlier for column in tagger.taggers] == [(), ("upos",), ("upos", "xpos")]
    seen = {name.partition("(")[0] for t in tagger.taggers[1].templates for name in t.attributes()}
    assert "upos" in seen and "xpos" not in seen


def test_a_tokenizer_is_kept_with_the_tagger(tagger):
    tokenizer = Tokenizer(bits=4)
    loaded = Tagger.from_bytes(Tagger(tagger.taggers, {}, tokenizer).to_bytes())
    assert loaded.tokenizer is not None and loaded.tokenizer.to_bytes() == tokenizer.to_bytes()
    assert Tagger.from_bytes(tagger.to_bytes()).tokenizer is None


def test_a_pipeline_without_a_tagger_has_none(tagger):
    file = replace(tagger.to_file(), task="pipeline")
    with pytest.raises(ModelError, match="the model has no tagger"):
        Tagger.from_file(file)


def test_known_tags_against_all_taggings():
    """The best tagging that obeys is the best of all that do, by forcing every word in turn."""
    tagger = Tagger.train(Tagger.sample().examples, **Tagger.sample().options)
    column = tagger.taggers[0]
    sentence = Sentence.from_words(["The", "dog", "sings"])
    free = column.choose([sentence])
    assert column.choose_among(sentence, {}) == free
    for word, tag in itertools.product(range(3), column.tags):
        forced = column.choose_among(sentence, {word: [tag]})
        assert forced[word] == tag
        if free[word] == tag:
            assert forced == free
        every = {i: [t] for i, t in enumerate(forced)}
        assert column.choose_among(sentence, every) == forced
    others = [tag for tag in column.tags if tag != free[0]]
    assert tagger.predict_among(sentence, without={1: [free[0]]}).tokens[0].upos in others


@pytest.mark.parametrize(
    ("tags", "without"),
    [({9: "NOUN"}, {}), ({1: "NONSENSE"}, {}), ({1: "NOUN"}, {1: ["NOUN"]}), ({0: "NOUN"}, {})],
)
def test_tags_that_cannot_be(tags, without):
    tagger = Tagger.train(Tagger.sample().examples, **Tagger.sample().options)
    with pytest.raises(UsageError):
        tagger.predict_among(Sentence.from_words(["The", "dog"]), tags, without)
