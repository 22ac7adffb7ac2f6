"""The tagger: its kernel against the definition, training, columns, folds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.tag_reference import BITS, Toy

from treaty import UsageError
from treaty._native import parse as native
from treaty.corpus import Sentence, Token
from treaty.parse import Tagger, jackknife
from treaty.parse import _tagger as tagger_module
from treaty.parse._tag_dictionary import MANY_TAGS, MOST_TAGS, OFTEN, TELLING, TagDictionary

TAGS = 4


@st.composite
def toys(draw):
    words = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)
    sequences = draw(st.lists(words, min_size=1, max_size=3))
    choice = st.lists(st.integers(0, TAGS - 1), min_size=1, max_size=3, unique=True)
    choices = [[draw(choice) for _ in forms] for forms in sequences]
    toy = Toy(sequences, choices, TAGS)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    toy.model.weights.values[:] = rng.normal(size=2**BITS)
    return toy


@settings(deadline=None, max_examples=60)
@given(toy=toys(), threads=st.integers(1, 3))
def test_the_answer_is_the_best_of_all_taggings(toy, threads):
    found = iter(native.tag(toy.model, toy.sequences, toy.choices, threads).tolist())
    for s, forms in enumerate(toy.texts):
        assert tuple(next(found) for _ in forms) == toy.best(s)


@settings(deadline=None, max_examples=60)
@given(toy=toys(), data=st.data())
def test_learning_is_the_step_of_mira(toy, data):
    rows = [[data.draw(st.sampled_from(choice)) for choice in row] for row in toy.lists]
    flat = np.array([t for row in rows for t in row], np.int32)
    s = data.draw(st.integers(0, len(rows) - 1))
    wanted = toy.mira(s, rows[s], 0.1)
    native.train_tagger(toy.model, toy.sequences, toy.choices, flat, np.array([s], np.int32), 0.1)
    assert toy.model.weights.values == pytest.approx(wanted, abs=1e-5)


def test_batches_see_the_same_weights_whatever_the_threads():
    def train(threads):
        toy = Toy(
            [list("abc"), list("cba"), list("aab"), list("b")],
            [[range(4)] * 3] * 3 + [[range(4)]],
            4,
        )
        gold = np.array([0, 1, 2, 2, 1, 0, 3, 3, 1, 0], np.int32)
        for _ in range(5):
            ids = np.arange(4, dtype=np.int32)
            native.train_tagger(
                toy.model, toy.sequences, toy.choices, gold, ids, 0.1, 0.3, 3, threads
            )
            toy.model.weights.step += 0
        return toy.model.weights.values.copy()

    assert np.array_equal(train(1), train(3))
    assert train(1).any()


@pytest.mark.parametrize(
    ("class_of", "tags", "begin", "match"),
    [
        ([0], [0], [0, 1], "a class for every item"),
        ([0, 1], [0], [0, 1], "a class that is not there"),
        ([0, 0], [0], [0, 0, 1], "without tags"),
        ([0, 0], [0], [0, 2], "cover"),
        ([0, 0], [-1], [0, 1], "a tag that is not there"),
    ],
)
def test_choices_that_make_no_sense_are_refused(class_of, tags, begin, match):
    toy = Toy([["a", "b"]], [[[0], [0]]], 1)
    arrays = [np.array(values, np.int32) for values in (class_of, tags, begin)]
    with pytest.raises(ValueError, match=match):
        native.TagChoices(toy.sequences, *arrays)


def test_tags_beyond_the_model_and_gold_beyond_the_choices_are_refused():
    toy, other = Toy([["a", "b"]], [[[0], [0]]], 1), Toy([["a", "b"]], [[[0, 1], [0]]], 2)
    with pytest.raises(ValueError, match="a tag that is not there"):
        native.tag(toy.model, other.sequences, other.choices)
    with pytest.raises(ValueError, match="not among the choices"):
        native.train_tagger(
            other.model, other.sequences, other.choices, np.array([0, 1], np.int32),
            np.array([0], np.int32), 0.1,
        )  # fmt: skip


DETERMINERS, NOUNS, VERBS = ("the", "a"), ("cat", "dog", "man", "run"), ("sees", "likes", "run")


def sentences(count, seed=0):
    """Small sentences in which `run` is a noun or a verb."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        tokens = []
        for tag_, words in zip(
            ("DET", "NOUN", "VERB", "DET", "NOUN"),
            (DETERMINERS, NOUNS, VERBS, DETERMINERS, NOUNS),
            strict=True,
        ):
            form = str(rng.choice(words))
            xpos = {"DET": "DT", "NOUN": "NN", "VERB": "VBZ"}[tag_]
            tokens.append(Token(form, upos=tag_, xpos=xpos, feats=f"Kind={tag_}"))
        made.append(Sentence(tokens, ["# c"]))
    return made


@pytest.fixture(scope="module")
def tagger():
    return Tagger.train(
        sentences(60), columns=("upos", "xpos", "feats"), epochs=3, bits=12, dev=sentences(9, 1)
    )


def plain(count, seed):
    return [Sentence.from_words(s.words) for s in sentences(count, seed)]


def test_it_learns_what_depends_on_the_context(tagger):
    gold = sentences(30, seed=5)
    made = list(tagger.predict(plain(30, 5), threads=2))
    assert [t.upos for s in made for t in s] == [t.upos for s in gold for t in s]
    assert [t.xpos for s in made for t in s] == [t.xpos for s in gold for t in s]
    assert [t.feats for s in made for t in s] == [t.feats for s in gold for t in s]
    assert tagger.info["scores"] == {"upos": 1.0, "xpos": 1.0, "feats": 1.0}


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


def test_training_twice_gives_the_same_bytes(tagger, tmp_path):
    again = Tagger.train(
        sentences(60), columns=("upos", "xpos", "feats"), epochs=3, bits=12,
        dev=sentences(9, 1), threads=2,
    )  # fmt: skip
    tagger.save(tmp_path / "one")
    again.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_training_that_was_broken_off_goes_on_to_the_same_bytes(tagger, tmp_path):
    options = {"columns": ("upos", "xpos", "feats"), "bits": 12, "dev": sentences(9, 1)}
    Tagger.train(sentences(60), epochs=1, checkpoint=tmp_path / "c", **options)
    resumed = Tagger.train(
        sentences(60), epochs=3, checkpoint=tmp_path / "c", resume=True, **options
    )
    resumed.save(tmp_path / "one")
    tagger.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_mean_of_several_trainings_is_kept(tmp_path):
    options = {"bits": 10, "epochs": 2, "dev": sentences(4, 1)}
    each = [Tagger.train(sentences(20), seed=seed, **options) for seed in (3, 4)]
    mean = Tagger.train(sentences(20), seed=3, seeds=2, checkpoint=tmp_path / "c", **options)
    tables = [t.taggers[0].model.weights.values for t in (*each, mean)]
    assert (tables[0] != tables[1]).any()
    assert np.array_equal(tables[2], ((tables[0] + tables[1].astype(float)) / 2).astype(np.float32))
    (tmp_path / "c.upos-2").unlink()
    resumed = Tagger.train(
        sentences(20), seed=3, seeds=2, checkpoint=tmp_path / "c", resume=True, **options
    )
    assert np.array_equal(resumed.taggers[0].model.weights.values, tables[2])
    assert resumed.info == mean.info


def test_there_must_be_a_seed():
    with pytest.raises(UsageError, match="seeds must be 1 or more"):
        Tagger.train(sentences(2), seeds=0)


def test_progress_is_reported():
    reports = []
    Tagger.train(sentences(4), epochs=1, bits=8, report=lambda *r: reports.append(r))
    assert reports == [("upos", 1, 4, 4, None), ("upos", 1, 4, 4, {})]


def test_folds_never_see_their_own_sentences(monkeypatch):
    given_ = sentences(23)
    seen = []
    real = Tagger.train.__func__

    def spy(cls, others, **options):
        seen.append({id(s) for s in others})
        return real(cls, others, **options)

    monkeypatch.setattr(Tagger, "train", classmethod(spy))
    tagged_by = {}
    tag_all = Tagger.tag

    def spy_tag(self, own, **options):
        own = list(own)
        tagged_by.update({id(s): len(seen) - 1 for s in own})
        return tag_all(self, own, **options)

    monkeypatch.setattr(Tagger, "tag", spy_tag)
    made = jackknife(given_, folds=5, epochs=1, bits=8)
    assert [s.words for s in made] == [s.words for s in given_]
    assert len(seen) == 5
    for sentence in given_:
        assert id(sentence) not in seen[tagged_by[id(sentence)]]
        assert sum(id(sentence) in others for others in seen) == 4


def test_a_document_goes_to_one_fold(monkeypatch):
    given_ = sentences(40)
    for sentence in given_[::4]:
        sentence.comments.insert(0, "# newdoc")
    seen = []
    real = Tagger.train.__func__

    def spy(cls, others, **options):
        seen.append({id(s) for s in others})
        return real(cls, others, **options)

    monkeypatch.setattr(Tagger, "train", classmethod(spy))
    jackknife(given_, folds=3, epochs=1, bits=8)
    for others in seen:
        documents = [{id(s) in others for s in given_[i : i + 4]} for i in range(0, 40, 4)]
        assert all(len(document) == 1 for document in documents)
        assert documents.count({False}) in (3, 4)


def test_folds_are_the_same_each_time():
    once, again = (jackknife(sentences(12), folds=3, epochs=1, bits=8) for _ in range(2))
    assert [s.to_conllu() for s in once] == [s.to_conllu() for s in again]


@pytest.mark.parametrize("folds", [1, 13])
def test_folds_must_be_possible(folds):
    with pytest.raises(UsageError, match="folds must be from 2 to the number of sentences, 12"):
        jackknife(sentences(12), folds=folds)


@pytest.mark.parametrize("columns", [(), ("lemma",), ("upos", "upos")])
def test_columns_must_be_of_tags(columns):
    with pytest.raises(UsageError, match="columns must be of upos, xpos, feats"):
        Tagger.train(sentences(2), columns=columns)


def test_there_must_be_something_to_learn():
    with pytest.raises(UsageError, match="no sentences"):
        Tagger.train([])
    with pytest.raises(UsageError, match="the column upos is empty"):
        Tagger.train(plain(3, 0))
    with pytest.raises(UsageError, match="threads must be 1 or more"):
        list(Tagger([]).tag([], threads=0))


def test_frequent_words_have_the_tags_they_were_seen_with():
    items = [("a", 0)] * OFTEN + [("b", 1)] * TELLING + [("b", 2)] + [("c", 2)] * 2 + [("D", 0)]
    dictionary = TagDictionary.of(items, 4)
    tags = {word: dictionary.classes[dictionary.class_of(word)] for word in "abcDx"}
    everything = (0, 1, 2, 3)
    assert tags == {"a": (0,), "b": everything, "c": everything, "D": everything, "x": everything}
    assert dictionary.name_of("b") == str(dictionary.classes.index((1, 2)))
    assert dictionary.name_of("c") == "?"
    assert dictionary.known == {"a", "b", "c"}


def test_with_many_tags_the_suffix_limits_them():
    items = [(f"{stem}ing", 5) for stem in range(30)]
    items += [(f"w{i}ed", i % 80) for i in range(400)]
    dictionary = TagDictionary.of(items, MANY_TAGS + 20)
    assert dictionary.classes[dictionary.class_of("walking")] == (5,)
    assert len(dictionary.classes[dictionary.class_of("walked")]) == MOST_TAGS
    assert len(dictionary.classes[dictionary.class_of("zzz")]) == MOST_TAGS


def test_the_right_tag_is_always_among_the_choices_in_training():
    dictionary = TagDictionary([(0, 1)])
    numbers, tags, begin = dictionary.flat([0, 3, 3], [0, 0, 0])
    assert numbers.tolist() == [0, 1, 1]
    assert tags[begin[1] : begin[2]].tolist() == [0, 1, 3]


def test_looking_up_many_words_does_not_fill_the_memory(tagger, monkeypatch):
    column = tagger.taggers[0]
    monkeypatch.setattr(tagger_module, "BATCH", 2)
    column._looked_up.update({f"w{i}": ("?", 0) for i in range(2**17 + 1)})
    list(tagger.predict([Sentence.from_words(["new"])]))
    assert len(column._looked_up) < 10
