"""Training a tagger: MIRA against the definition, the mean of several runs, wrong options."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.parse.tag_reference import Toy, toys
from tests.parse.tagged import plain, sentences

from treaty import UsageError
from treaty._native import parse as native
from treaty.parse import Tagger


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
        return toy.model.weights.values.copy()

    assert np.array_equal(train(1), train(3))
    assert train(1).any()


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
    with pytest.raises(UsageError, match="seeds must be at least 1"):
        Tagger.train(sentences(2), seeds=0)


def test_progress_is_reported():
    told, dev = [], sentences(2, 1)
    Tagger.train(sentences(4), dev, epochs=1, seeds=2, bits=8, progress=told.append)
    assert [event.stage for event in told] == ["upos", "upos", "upos-2", "upos-2"]
    assert all((event.done, event.total, event.epoch) == (4, 4, 1) for event in told)
    assert [list(event.scores) for event in told] == [[], ["UPOS"], [], ["UPOS"]]


@pytest.mark.parametrize("columns", [(), ("lemma",), ("upos", "upos")])
def test_columns_must_be_of_tags(columns):
    with pytest.raises(UsageError, match="columns must be among upos, xpos, feats"):
        Tagger.train(sentences(2), columns=columns)


def test_there_must_be_something_to_learn():
    with pytest.raises(UsageError, match="no sentences"):
        Tagger.train([])
    with pytest.raises(UsageError, match="the column upos is empty"):
        Tagger.train(plain(3, 0))


def test_sentences_that_lack_a_column_are_left_out_of_its_training():
    rich, bare = sentences(20), sentences(20, 5)
    for sentence in bare:
        for token in sentence.tokens:
            token.xpos = "_"
    options = {"bits": 10, "epochs": 2}
    mixed = Tagger.train(rich + bare, columns=("upos", "xpos"), **options)
    alone = Tagger.train(rich, columns=("upos", "xpos"), **options)
    assert "_" not in mixed.taggers[1].tags
    tables = [tagger.taggers[1].model.weights.values for tagger in (mixed, alone)]
    assert np.array_equal(*tables)
    tables = [tagger.taggers[0].model.weights.values for tagger in (mixed, alone)]
    assert not np.array_equal(*tables)
