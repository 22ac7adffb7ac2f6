"""Learners: against their definitions, brute force and a quadratic program."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.learn.toy_graph_model import (
    Picker,
    allowed,
    baskets,
    best,
    features,
    gold,
    mistakes,
    model_score,
    online,
    score,
)

from treaty import ModelError, UsageError
from treaty.learn import Dense, HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.learn._learners import Examples, Prepared
from treaty.learn._multi_task import TaskWeights
from treaty.learn._part_problem import GraphStructure
from treaty.testing import CHECKS

EXAMPLES = baskets(12)
OTHERS = baskets(5, seed=1)
FAST = {"bits": 12, "epochs": 3}


def orders(seed: int, epochs: int, examples: int) -> list[list[int]]:
    """What `fit` promises: an order that depends on seed and epoch alone."""
    return [
        np.random.default_rng([seed, epoch]).permutation(examples).tolist()
        for epoch in range(1, epochs + 1)
    ]


@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize(("learner", "aggressiveness"), [("perceptron", 0.0), ("mira", 0.3)])
def test_online_learners_are_those_of_the_definition(learner, aggressiveness, batch):
    options = {"aggressiveness": aggressiveness} if aggressiveness else {}
    model = Picker.train(
        EXAMPLES, learner=learner, epochs=3, seed=5, batch=batch, method="exhaustive", **options
    )
    weights = online(
        EXAMPLES, orders(5, 3, len(EXAMPLES)), batch=batch, aggressiveness=aggressiveness
    )
    assert any(abs(weight) > 0.01 for weight in weights.values())
    for basket in OTHERS:
        for on in allowed(len(basket.colors)):
            expected = score(basket, on, weights)
            assert model_score(model, basket, on) == pytest.approx(expected, abs=1e-4)


def hinge(weights: np.ndarray, names: list[str], cost: float = 1.0) -> float:
    """The mean of the losses, over all assignments."""
    own = dict(zip(names, weights, strict=True))
    losses = [
        max(score(b, on, own, cost) for on in allowed(len(b.colors))) - score(b, gold(b), own)
        for b in EXAMPLES
    ]
    return float(np.mean(losses))


def test_the_svm_comes_close_to_the_optimum():
    names = sorted({n for b in EXAMPLES for on in allowed(5) for n in features(b, on)})
    strength = 0.1

    def objective(x: np.ndarray) -> float:
        return strength / 2 * float(x @ x) + hinge(x, names)

    # The optimum, by a quadratic program with a slack an example and a row for each assignment.
    rows, offsets, slack = [], [], []
    for i, basket in enumerate(EXAMPLES):
        right = features(basket, gold(basket))
        for on in allowed(5):
            wrong = features(basket, on)
            rows.append([wrong.get(n, 0.0) - right.get(n, 0.0) for n in names])
            prior = float(np.dot(basket.prior, np.subtract(on, gold(basket))))
            offsets.append(mistakes(basket, on) + prior)
            slack.append(i)
    matrix = np.hstack([-np.array(rows), np.eye(len(EXAMPLES))[slack]])
    n, m = len(names), len(EXAMPLES)
    found = minimize(
        lambda x: strength / 2 * x[:n] @ x[:n] + x[n:].mean(),
        np.concatenate([np.zeros(n), np.full(m, 6.0)]),
        jac=lambda x: np.concatenate([strength * x[:n], np.full(m, 1 / m)]),
        constraints={
            "type": "ineq", "fun": lambda x: matrix @ x - offsets, "jac": lambda _: matrix
        },
        method="SLSQP",
        options={"maxiter": 300},
    )  # fmt: skip
    assert found.success
    model = Picker.train(
        EXAMPLES, learner="svm", epochs=150, regularization=strength, method="exhaustive", bits=16
    )
    norm = float(model.weights.astype(float) @ model.weights)
    losses = []
    for basket in EXAMPLES:
        scores = {on: model_score(model, basket, on) for on in allowed(5)}
        worst = max(scores[on] + mistakes(basket, on) for on in scores)
        losses.append(worst - scores[gold(basket)])
    reached = strength / 2 * norm + float(np.mean(losses))
    assert found.fun - 1e-6 <= reached <= 1.02 * found.fun
    assert objective(np.zeros(n)) > 1.5 * reached  # there was something to learn


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("method", ["ad3", "exact", "ilp", "exhaustive"])
def test_the_most_violated_structure_is_that_of_brute_force(seed, method):
    weights = np.random.default_rng(seed).normal(size=2**12)
    model = Picker(bits=12, tables={"colors": {}})
    model.weights = weights.astype(np.float32)
    limits = {"method": method, **({"iterations": 5000} if method == "ad3" else {})}
    structure = GraphStructure(model)
    options = LearnerOptions("svm", regularization=0.1, limits=limits)
    examples = Examples(structure, HashedLinear(12), Prepared.of(structure, EXAMPLES), options)
    for fixed, basket in zip(examples.fixed, EXAMPLES, strict=True):
        assert fixed == pytest.approx(np.dot(basket.prior, gold(basket)))
    for i, basket in enumerate(EXAMPLES):
        found = examples.violation(i, TaskWeights((model.weights.astype(float), 1.0)))
        loss = found.cost
        for vector, sign in ((found.predicted, 1), (found.gold, -1)):
            loss += sign * float(model.weights[vector.places] @ vector.values)
        worst = max(model_score(model, basket, on) + mistakes(basket, on) for on in allowed(5))
        expected = worst - model_score(model, basket, gold(basket))
        assert loss == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("learner", ["perceptron", "mira", "svm"])
def test_learners_learn(learner):
    model = Picker.train(baskets(60), OTHERS, learner=learner, epochs=15, bits=14)
    scores = model.evaluate(baskets(40, seed=9), method="exact")
    untrained = Picker(bits=14, tables={"colors": {}}).evaluate(baskets(40, seed=9))
    assert scores["f1"] > 0.9 > untrained["f1"] + 0.2
    assert scores["optimal"] == 1.0
    assert set(model.info["scores"]) == {"precision", "recall", "f1", "exact", "optimal"}
    assert model.info["training"]["learner"] == learner


@pytest.mark.parametrize("learner", ["perceptron", "mira", "svm"])
def test_neither_threads_nor_interruptions_change_the_bytes(learner, tmp_path):
    whole = Picker.train(EXAMPLES, OTHERS, learner=learner, **FAST).to_bytes()
    assert Picker.train(EXAMPLES, OTHERS, learner=learner, threads=3, **FAST).to_bytes() == whole
    assert Picker.train(EXAMPLES, OTHERS, learner=learner, seed=2, **FAST).to_bytes() != whole
    for epochs in (1, 2):
        path = tmp_path / f"{epochs}.checkpoint"
        options = {"learner": learner, "checkpoint": path, "bits": 12}
        Picker.train(EXAMPLES, OTHERS, epochs=epochs, **options)
        events = []
        resumed = Picker.train(
            EXAMPLES, OTHERS, epochs=3, resume=True, progress=events.append, **options
        )
        assert resumed.to_bytes() == whole
        assert {e.epoch for e in events if e.stage == learner} == set(range(epochs + 1, 4))


def test_checkpoints_of_other_options_are_refused(tmp_path):
    path = tmp_path / "checkpoint"
    Picker.train(EXAMPLES, checkpoint=path, **FAST)
    for other in ({"aggressiveness": 0.2}, {"learner": "perceptron"}, {"learner": "svm"}):
        with pytest.raises(ModelError, match="another training run, with other "):
            Picker.train(EXAMPLES, checkpoint=path, resume=True, **FAST, **other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "magic"}, "there is no learner 'magic'"),
        ({"bits": 0}, "from 1 to 24"),
        ({"bits": 25}, "from 1 to 24"),
        ({"batch": 0}, "batch must be at least 1"),
        ({"epochs": 0}, "epochs must be at least 1, not 0"),
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"aggressiveness": 0.0}, "aggressiveness must be positive"),
        ({"regularization": -1.0}, "regularization must be positive"),
        ({"method": "magic"}, "there is no method 'magic'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Picker.train(EXAMPLES, **{**FAST, **options})


def test_best_is_what_the_solvers_find():
    """The reference and the model agree on what the best assignment is."""
    weights = online(EXAMPLES, orders(1, 10, 12), batch=4, aggressiveness=0.1)
    trained = Picker.train(EXAMPLES, bits=16, method="exhaustive")
    for basket in OTHERS:
        (found,) = trained.predict([basket], method="exact")
        assert found.parts == tuple(np.flatnonzero(best(basket, weights)).tolist())


def picker(bits: int = 12) -> GraphStructure:
    return GraphStructure(Picker(bits=bits, tables={"colors": {}}))


class General(Dense):
    """A linear scorer given by a matrix of one column per hashed feature: the general path."""

    @property
    def size(self):
        return self.width

    def initial(self, seed):
        return np.zeros(self.width)

    def _matrix(self, parts):
        matrix = np.zeros((len(parts), self.width))
        for part, rows in parts.features:
            where, place, value = rows.entries()
            np.add.at(matrix, (where + part.start, place), value)
        return matrix

    def scores(self, parts, weights):
        return self._matrix(parts) @ np.asarray(weights[:])

    def backward(self, parts, weights, gradient):
        return gradient @ self._matrix(parts)


@pytest.mark.parametrize("learner", ["perceptron", "mira", "svm"])
@pytest.mark.parametrize("batch", [1, 3])
def test_the_native_path_of_hashed_weights_is_that_of_any_scorer(learner, batch):
    structure = picker(bits=9)
    learning = LearnerOptions(learner, batch=batch, limits={"method": "exhaustive"})
    options = TrainOptions(epochs=3, seed=2)
    hashed = train_scorer(structure, HashedLinear(9), EXAMPLES, learning, options)
    general = train_scorer(structure, General(2**9), EXAMPLES, learning, options)
    assert np.abs(hashed.weights).max() > 0.01
    assert general.weights == pytest.approx(hashed.weights, abs=1e-4)


@pytest.mark.parametrize("scorer", [Dense(16), Dense(16, hidden=8)])
def test_models_of_any_scorer_learn_and_are_stored(scorer, tmp_path):
    train, test = baskets(60), baskets(40, seed=9)
    model = Picker.train(train, OTHERS, scorer=scorer, epochs=20, bits=14)
    untrained = Picker(bits=14, tables={"colors": {}}).evaluate(test)
    assert model.evaluate(test)["f1"] > untrained["f1"] + 0.2
    again = Picker.from_bytes(model.to_bytes())
    assert again.scorer == scorer
    assert again.to_bytes() == model.to_bytes()
    assert [p.parts for p in again.predict(test)] == [p.parts for p in model.predict(test)]


@pytest.mark.parametrize("seed", [1, 2])
def test_initial_weights_of_a_hidden_layer_come_from_the_seed(seed):
    structure = picker()
    options = TrainOptions(epochs=1, seed=seed)
    one, same = (train_scorer(structure, Dense(8, 4), EXAMPLES, options=options) for _ in "ab")
    other = train_scorer(structure, Dense(8, 4), EXAMPLES, options=TrainOptions(epochs=1, seed=7))
    assert one.weights.tobytes() == same.weights.tobytes() != other.weights.tobytes()


def test_checkpoints_of_other_scorers_are_refused(tmp_path):
    structure = picker()
    options = TrainOptions(epochs=2, checkpoint=tmp_path / "c", resume=True)
    whole = train_scorer(structure, Dense(8), EXAMPLES, options=options)
    again = train_scorer(structure, Dense(8), EXAMPLES, options=options)
    assert again.weights.tobytes() == whole.weights.tobytes()
    with pytest.raises(ModelError, match="another training run, with other "):
        train_scorer(structure, Dense(9), EXAMPLES, options=options)


def test_there_must_be_examples():
    structure = picker()
    with pytest.raises(UsageError, match="no examples to learn from"):
        train_scorer(structure, Dense(8), [])


class DensePicker(Picker):
    """A model whose scorer has a hidden layer."""

    task = "dense picker"

    @classmethod
    def sample(cls):
        sample = super().sample()
        return replace(sample, options={**sample.options, "scorer": Dense(6, hidden=3)})


@pytest.mark.parametrize("name", sorted(CHECKS.keys() - {"registered"}))
def test_models_with_a_dense_scorer_keep_to_the_contract(name, tmp_path):
    CHECKS[name](DensePicker, tmp_path)
