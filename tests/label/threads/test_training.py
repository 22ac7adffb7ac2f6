"""Training of linkers: the prior, dev scores, data that are refused."""

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.errors import UsageError
from treaty.label.threads import ORDERS, ThreadLinker
from treaty.label.threads._training import pairs_f1, tune_prior
from treaty.metrics import link_scores
from treaty.text import Link, Post, Thread


@pytest.mark.parametrize("order", ORDERS)
def test_dev_scores_are_those_of_the_model(linkers, order):
    scores = linkers[order].evaluate(toy_threads(10, seed=1))
    assert linkers[order].info["scores"] == {k: round(v, 4) for k, v in scores.items()}


def test_f1_of_pairs_is_that_of_links(linkers):
    threads = toy_threads(6, seed=4)
    batch = linkers["2d"].batch(threads)
    found = [linked.thread for linked in linkers["2d"].predict(threads)]
    labels = linkers["2d"].batch(found).gold()
    assert pairs_f1(labels, batch.gold()) == link_scores(threads, found).links.f1
    nothing = np.zeros(3, np.int32)
    assert pairs_f1(nothing, nothing) == 0.0


def test_the_prior_is_tuned_for_f1():
    linker = ThreadLinker.train(toy_threads(30), order="independent", epochs=2)
    dev = linker.batch(toy_threads(20, seed=9))
    gold = dev.gold()
    linker.crf.weights()[0][:] -= 0.5
    before = pairs_f1(np.concatenate([x.labels for x in linker.crf.decode(dev.instances)]), gold)
    labels = tune_prior(linker, dev, gold, {})
    again = np.concatenate([x.labels for x in linker.crf.decode(dev.instances)])
    assert np.array_equal(labels, again)
    assert pairs_f1(labels, gold) > before


def test_the_prior_may_be_left_to_the_learner():
    settings = {"order": "independent", "epochs": 2}
    left = ThreadLinker.train(toy_threads(30), tune=False, **settings)
    tuned = ThreadLinker.train(toy_threads(30), **settings)
    assert left.crf.weights()[0] != tuned.crf.weights()[0]
    assert np.array_equal(left.crf.weights()[1], tuned.crf.weights()[1])


def test_what_cannot_be_learned_from_is_refused():
    with pytest.raises(UsageError, match="no links to train on"):
        ThreadLinker.train([Thread([Post("a"), Post("b")])])
    with pytest.raises(UsageError, match="have no links to tune on"):
        ThreadLinker.train(toy_threads(1), [Thread([Post("a"), Post("b")])])
    with pytest.raises(UsageError, match="window must be at least 1"):
        ThreadLinker.train([Thread([Post("a"), Post("b")], [Link(1, 0)])], window=0)
