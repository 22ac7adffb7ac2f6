"""Training that goes on from a model: what is kept, what is added, what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from tests.parse.treebank import small_pipeline, treebank

from treaty.errors import ModelError, UsageError
from treaty.parse import Clusters, Lemmatizer, Parser, Pipeline, Tagger, Tokenizer
from treaty.parse._continuing import continued_tagger
from treaty.text import Sentence, Token


@pytest.fixture(scope="module")
def base():
    return small_pipeline(order="second")


def odd_sentences(count=12):
    """Sentences with words, tags, features, lemmas and labels that the treebank does not have."""
    tokens = [
        Token("oh", "oh", "INTJ", "UH", "_", 2, "discourse"),
        Token("zebras", "zebra", "NOUN", "NNS", "Number=Plur", 3, "nsubj"),
        Token("graze", "graze", "VERB", "VBP", "_", 0, "root", misc="SpaceAfter=No"),
        Token(".", ".", "PUNCT", ".", "_", 3, "punct"),
    ]
    return [Sentence([replace(token) for token in tokens]) for _ in range(count)]


def continued(base, sentences=None, **options):
    small = {"epochs": 3, "tagger_options": {"epochs": 4}, "lemmatizer_options": {"epochs": 2}}
    return Pipeline.train(sentences or odd_sentences(), from_model=base, **{**small, **options})


def test_new_labels_tags_and_lemmas_are_learned_and_old_ones_kept(base):
    before = base.to_bytes()
    made = continued(base)
    (parse,) = made.predict([Sentence.from_words(["oh", "zebras", "graze", "."])])
    columns = [(t.lemma, t.upos, t.xpos, t.head, t.deprel) for t in parse.sentence]
    assert columns[0] == ("oh", "INTJ", "UH", 2, "discourse")
    assert columns[1] == ("zebra", "NOUN", "NNS", 3, "nsubj")
    assert (
        made.evaluate(treebank(30, seed=8))["LAS"]
        > base.evaluate(treebank(30, seed=8))["LAS"] - 0.1
    )
    assert made.parser.labels[: len(base.parser.labels)] == base.parser.labels
    assert base.to_bytes() == before  # the model itself stays as it is
    assert "digest" in made.info["from"]


def test_the_file_is_of_the_same_kind(base, tmp_path):
    made = continued(base)
    made.save(tmp_path / "more.treaty")
    again = Pipeline.load(tmp_path / "more.treaty")
    assert again.to_bytes() == made.to_bytes()
    sentence = Sentence.from_words(["oh", "zebras", "graze", "."])
    (one,), (other,) = (list(model.predict([sentence])) for model in (made, again))
    assert [t.upos for t in one.sentence] == [t.upos for t in other.sentence]
    twice = continued(again, treebank(10))
    assert twice.tagger.taggers[0].tags == again.tagger.taggers[0].tags


def test_without_new_tags_nothing_changes_before_learning(base):
    for column in base.tagger.taggers:
        made, begin = continued_tagger(column, treebank(20))
        made.model.weights.values[:] = begin
        sentences = treebank(15, seed=4)
        assert made.tags == column.tags
        assert made.choose(sentences) == column.choose(sentences)


def test_new_tags_do_not_disturb_the_beginnings_of_sentences(base):
    """The number of the tag before the first is a part of features."""
    column = base.tagger.taggers[0]
    made, begin = continued_tagger(column, odd_sentences())
    made.model.weights.values[:] = begin
    assert made.start == column.start == len(column.tags) < len(made.tags)
    assert made.start not in made.dictionary.classes[0]
    assert {"INTJ"} <= {made.tags[number] for number in made.dictionary.classes[0]}
    sentences = treebank(15, seed=4)
    same = sum(
        a == b for a, b in zip(made.choose(sentences), column.choose(sentences), strict=True)
    )
    assert same > 0.95 * sum(map(len, sentences))


def test_columns_that_the_data_lack_stay_as_they_are(base):
    bare = [replace(s, tokens=[replace(t, xpos="_") for t in s.tokens]) for s in odd_sentences()]
    made = continued(base, bare)
    assert made.tagger.columns == base.tagger.columns
    assert made.tagger.taggers[1] is base.tagger.taggers[1]
    filled = base.tagger.complete(bare)
    assert all(t.xpos != "_" for s in filled for t in s)
    assert all(t.xpos == "_" for s in bare for t in s)
    none = [replace(s, tokens=[Token(t.form, head=t.head) for t in s.tokens]) for s in bare]
    with pytest.raises(UsageError, match="have no tags"):
        Tagger.train(none, from_model=base.tagger)


def test_other_settings_are_refused(base):
    for option in ({"order": "first"}, {"parser_bits": 9}, {"heads": 3}):
        with pytest.raises(UsageError, match=f"has {next(iter(option))} "):
            Parser.train(odd_sentences(), from_model=base.parser, **option)
    with pytest.raises(UsageError, match="no clusters"):
        Parser.train(odd_sentences(), from_model=base.parser, clusters=Clusters({"oh": "01"}))
    with pytest.raises(UsageError, match="columns"):
        Tagger.train(odd_sentences(), from_model=base.tagger, columns=["upos"])
    many = odd_sentences()
    many[0].tokens[1].head = 0
    with pytest.raises(UsageError, match="one root per tree"):
        Parser.train(many, from_model=base.parser)


def test_an_interrupted_run_goes_on_to_the_same_bytes(base, tmp_path):
    options = {"dev": odd_sentences(2), "checkpoint": tmp_path / "state"}
    whole = continued(base, **options).to_bytes()
    for path in tmp_path.glob("state.trees"):
        path.unlink()
    assert continued(base, **options, resume=True).to_bytes() == whole
    other = small_pipeline(order="second", seed=5)
    with pytest.raises(ModelError, match="another training run"):
        continued(other, **options, resume=True)


def test_lemmatizers_and_tokenizers_go_on(base):
    made = Lemmatizer.train(odd_sentences(), from_model=base.lemmatizer, epochs=2)
    scripts = base.lemmatizer.dictionary.scripts
    assert made.dictionary.scripts[: len(scripts)] == scripts
    (found,) = made.predict([Sentence([Token("zebras", upos="NOUN", xpos="NNS")])])
    assert found.tokens[0].lemma == "zebra"
    words = Tokenizer.train(treebank(10), from_model=base.tokenizer, epochs=1)
    assert words.templates == base.tokenizer.templates
    assert not np.array_equal(words.model.weights.values, base.tokenizer.model.weights.values)
