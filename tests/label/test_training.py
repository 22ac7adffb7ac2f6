"""Learners against references on toys, finite differences, and themselves."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.label.reference import all_scores, random_forest, rows_of

from treaty._native import label as native
from treaty.errors import ModelError, UsageError
from treaty.label import Instances, PatternCrf, PatternKind

LABELS = ["out", "in"]
KINDS = [PatternKind.every("word", 2, 1), PatternKind.every("next", 2, 2)]
LOOP = [*KINDS, PatternKind("same", ((0, 0), (1, 1)))]


def toy(seed=1, sentences=12, kinds=KINDS):
    """Words 0..4 are out and others in, unless the one before is 9: (instances, gold)."""
    rng = random.Random(seed)
    instances, gold = Instances(kinds), []
    for _ in range(sentences):
        words = [rng.randrange(10) for _ in range(rng.randint(1, 7))]
        instances.start(len(words))
        before = [0, *words[:-1]]
        features = [[w, 100 + b] for w, b in zip(words, before, strict=True)]
        instances.add("word", [[v] for v in range(len(words))], features)
        pairs = [[v, v + 1] for v in range(len(words) - 1)]
        instances.add("next", pairs, [[1]] * len(pairs))
        if len(kinds) == 3 and len(words) > 2:
            instances.add("same", [[0, len(words) - 1]], [[2]])
        gold += [int(w > 4 and b != 9) for w, b in zip(words, before, strict=True)]
    return instances, np.array(gold, np.int32)


def right(crf, instances, gold):
    return np.mean(np.concatenate([f.labels for f in crf.decode(instances)]) == gold)


@pytest.mark.parametrize("learner", ["perceptron", "mira", "likelihood"])
def test_what_can_be_separated_is(learner):
    instances, gold = toy()
    crf = PatternCrf(LABELS, KINDS)
    options = {"regularization": 0.01, "rate": 0.5} if learner == "likelihood" else {}
    crf.train(instances, gold, learner=learner, epochs=20, **options)
    assert right(crf, instances, gold) == 1.0


@pytest.mark.parametrize("decoder", ["auto", "ad3", "ilp"])
@pytest.mark.parametrize("learner", ["perceptron", "mira"])
def test_any_decoder_serves(learner, decoder):
    instances, gold = toy(kinds=LOOP)
    crf = PatternCrf(LABELS, LOOP)
    crf.train(instances, gold, learner=learner, epochs=15, decoder=decoder)
    # The perceptron is content with a draw, which may be decided otherwise later.
    assert right(crf, instances, gold) >= (0.95 if learner == "perceptron" else 1.0)


def reference_step(crf, words, gold, answer, aggressiveness, tied=False):
    """A step of MIRA or, without aggressiveness, of the perceptron, from the definition."""
    change = {}
    for labels, sign in ((gold, 1.0), (answer, -1.0)):
        for v, features in enumerate(words):
            for h in features:
                key = ("word", h, labels[v])
                change[key] = change.get(key, 0.0) + sign
        for a, b in itertools.pairwise(labels):
            if tied and a != b:
                continue
            key = ("next", 1, 0 if tied else 2 * a + b)
            change[key] = change.get(key, 0.0) + sign
    rows = rows_of(crf)
    margin = sum(x * rows[kind, h][p] for (kind, h, p), x in change.items())
    norm = sum(x * x for x in change.values())
    cost = sum(a != b for a, b in zip(gold, answer, strict=True))
    rate = min(aggressiveness, (cost - margin) / norm) if aggressiveness else 1.0
    for (kind, h, p), x in change.items():
        rows[kind, h][p] += rate * x
    return rows


@pytest.mark.parametrize("aggressiveness", [0.0, 0.01, 10.0])
@pytest.mark.parametrize("tied", [False, True])
def test_steps_are_those_of_the_definition(aggressiveness, tied):
    words, gold, answer = [[1, 2], [3, 2], [1, 4]], [0, 1, 1], [1, 1, 0]
    # Tied: the answer has one pair of equal labels less than the gold labels.
    pairs = PatternKind("next", ((0, 0), (1, 1)), tied=True) if tied else KINDS[1]
    kinds = [KINDS[0], pairs]
    if tied:
        answer = [0, 1, 0]
    instances = Instances(kinds)
    instances.start(3)
    instances.add("word", [[0], [1], [2]], words)
    instances.add("next", [[0, 1], [1, 2]], [[1], [1]])
    crf = PatternCrf(LABELS, kinds)
    crf.native.index(instances.native)
    values = crf.native.weights.values
    values[:] = np.random.default_rng(1).normal(0, 0.1, len(values)).astype(np.float32)
    expected = reference_step(crf, words, gold, answer, aggressiveness, tied)
    cost = np.array([0.0, 1.0, 1.0, 0.0])
    ids, answers = np.zeros(1, np.int32), np.array(answer, np.int32)
    bound, right = crf.bind(instances), np.array(gold, np.int32)
    native.learn_from(crf.native, bound, right, ids, answers, aggressiveness, 0.0, cost)
    found = rows_of(crf)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        np.testing.assert_allclose(found[key], row, atol=1e-6)


def test_the_average_is_that_of_the_weights_after_each_step():
    instances, gold = toy(sentences=5)
    crf = PatternCrf(LABELS, KINDS)
    crf.native.index(instances.native)
    weights = crf.native.weights
    weights.start_averaging()
    bound, cost = crf.bind(instances), np.array([0.0, 1.0, 1.0, 0.0])
    seen = []
    for i in [0, 3, 1, 2, 4, 3]:
        ids = np.array([i], np.int32)
        native.train(crf.native, bound, gold, ids, 0.05, 0.0, cost)
        seen.append(weights.values.copy())
    np.testing.assert_allclose(weights.average(), np.mean(seen, axis=0), atol=1e-5)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_gradient_of_the_likelihood_is_its_slope(seed):
    crf, instances, vertices, _ = random_forest(seed, forbid=False, scale=0.3)
    rng = random.Random(seed)
    gold = np.array([rng.randrange(len(crf.labels)) for _ in range(vertices)], np.int32)
    values = crf.native.weights.values

    def likelihood():
        return native.likelihood(crf.native, crf.bind(instances), gold, np.zeros(0, np.uint8))

    _, gradient = likelihood()
    for at in range(0, len(values), max(1, len(values) // 10)):
        before, slope = values[at], []
        for step in (0.02, -0.02):
            values[at] = before + step
            slope.append((likelihood()[0], float(values[at])))
        values[at] = before
        (up, x), (down, y) = slope
        assert gradient[at] == pytest.approx((up - down) / (x - y), abs=2e-3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_likelihood_of_sets_sums_over_all_labelings_that_agree(seed):
    crf, instances, vertices, factors = random_forest(seed, forbid=False, scale=0.3)
    rng, count = random.Random(seed), len(crf.labels)
    sets = [[rng.random() < 0.6 for _ in range(count)] for _ in range(3)]
    for row in sets:
        row[rng.randrange(count)] = True
    gold = np.array([rng.randrange(count + len(sets)) for _ in range(vertices)], np.int32)
    flags, values = np.array(sets, np.uint8).ravel(), crf.native.weights.values

    def agrees(labels):
        pairs = zip(labels, gold, strict=True)
        return all(y == g if g < count else sets[g - count][y] for y, g in pairs)

    def likelihood():
        return native.likelihood(crf.native, crf.bind(instances), gold, flags)

    total, gradient = likelihood()
    scores = all_scores(crf, vertices, factors)
    known = sum(math.exp(x) for labels, x in scores.items() if agrees(labels))
    every = sum(math.exp(x) for x in scores.values())
    assert total == pytest.approx(math.log(known / every), abs=1e-5)
    for at in range(0, len(values), max(1, len(values) // 5)):
        before, slope = values[at], []
        for step in (0.02, -0.02):
            values[at] = before + step
            slope.append((likelihood()[0], float(values[at])))
        values[at] = before
        (up, x), (down, y) = slope
        assert gradient[at] == pytest.approx((up - down) / (x - y), abs=2e-3)


def test_sets_are_for_likelihood_and_not_empty():
    instances, gold = toy()
    for sets, learner, cause in (
        ([[True] * len(LABELS)], "mira", "need the learner 'likelihood'"),
        ([[False] * len(LABELS)], "likelihood", "at least one of them true"),
        ([[True]], "likelihood", "expected rows of"),
    ):
        with pytest.raises(UsageError, match=cause):
            PatternCrf(LABELS, KINDS).train(instances, gold, learner=learner, sets=sets)
    with pytest.raises(UsageError, match="expected label numbers"):
        PatternCrf(LABELS, KINDS).train(instances, np.full_like(gold, len(LABELS)))


def weights_after(tmp_path, learner, *, stop=None, kinds=KINDS, **options):
    instances, gold = toy(kinds=kinds)
    checkpoint = tmp_path / "state" if stop else None
    if stop:
        crf = PatternCrf(LABELS, kinds)
        crf.train(instances, gold, learner=learner, epochs=stop, checkpoint=checkpoint, **options)
    crf = PatternCrf(LABELS, kinds)
    crf.train(
        instances, gold, learner=learner, epochs=4, checkpoint=checkpoint, resume=True, **options
    )
    return crf.native.weights.values.tobytes()


@pytest.mark.parametrize("learner", ["perceptron", "mira", "likelihood"])
def test_resumed_training_ends_in_the_same_bytes(tmp_path, learner):
    options = {} if learner == "likelihood" else {"warm_up": 1}
    whole = weights_after(tmp_path, learner, dropout=0.2, **options)
    assert weights_after(tmp_path, learner, dropout=0.2, stop=2, **options) == whole


@pytest.mark.parametrize(
    ("learner", "kinds"), [("mira", KINDS), ("mira", LOOP), ("likelihood", KINDS)]
)
def test_threads_change_nothing_but_the_batch_does(tmp_path, learner, kinds):
    one, two = (weights_after(tmp_path, learner, batch=4, threads=t, kinds=kinds) for t in (1, 2))
    assert one == two != weights_after(tmp_path, learner, kinds=kinds)


def test_costs_move_the_balance():
    instances = Instances(KINDS)
    for _ in range(10):
        instances.start(1)
        instances.add("word", [[0]], [[1]])
    gold = np.array([0] * 6 + [1] * 4)
    answers = []
    for costs in ([1.0, 1.0], [1.0, 4.0]):
        crf = PatternCrf(LABELS, KINDS)
        crf.train(instances, gold, learner="mira", costs=costs, aggressiveness=10.0, epochs=20)
        answers.append(crf.decode(instances)[0].labels.tolist())
    assert answers == [[0], [1]]


def test_rare_features_have_no_rows():
    instances, gold = toy()
    crf = PatternCrf(LABELS, KINDS)
    crf.train(instances, gold, least_count=5, epochs=1)
    assert 0 < len(crf.native.features(0)) < 20
    assert right(crf, instances, gold) > 0.5


def test_dev_scores_are_those_of_the_final_weights():
    instances, gold = toy()
    crf, seen = PatternCrf(LABELS, KINDS), []

    def score(model):
        seen.append(model.native.weights.values.copy())
        return {"right": float(right(model, instances, gold))}

    scores = crf.train(instances, gold, epochs=3, dev_score=score)
    assert len(scores) == 3 and scores[-1] == {"right": right(crf, instances, gold)}
    assert seen[-1].tobytes() == crf.native.weights.values.tobytes()


def test_damaged_checkpoints_are_refused(tmp_path):
    instances, gold = toy()
    PatternCrf(LABELS, KINDS).train(instances, gold, epochs=1, checkpoint=tmp_path / "state")
    crf = PatternCrf(LABELS, LOOP)
    with pytest.raises(UsageError, match="other kinds"):
        crf.bind(instances)
    rows = toy(kinds=LOOP)
    with pytest.raises(ModelError, match="another training run, with other "):
        crf.train(*rows, epochs=2, checkpoint=tmp_path / "state", resume=True)


def test_likelihood_needs_forests_and_right_labelings_that_are_allowed():
    with pytest.raises(UsageError, match="chains or trees"):
        PatternCrf(LABELS, LOOP).train(*toy(kinds=LOOP), learner="likelihood")
    kinds = [KINDS[0], PatternKind.every("next", 2, 2, forbidden=((0, 0),))]
    with pytest.raises(UsageError, match="forbidden"):
        PatternCrf(LABELS, kinds).train(*toy(kinds=kinds), learner="likelihood")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "magic"}, "no learner"),
        ({"decoder": "magic"}, "no method"),
        ({"epochs": 0}, "epochs"),
        ({"dropout": 1.0}, "dropout"),
        ({"aggressiveness": 0.0}, "aggressiveness"),
        ({"regularization": -1.0}, "regularization"),
        ({"costs": [1.0]}, "costs"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        PatternCrf(LABELS, KINDS).train(*toy(), **options)


def test_there_must_be_examples():
    with pytest.raises(UsageError, match="no instances"):
        PatternCrf(LABELS, KINDS).train(Instances(KINDS), [])
