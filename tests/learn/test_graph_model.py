"""Models of one's own: learners against brute force, and all that comes with the base class."""

from __future__ import annotations

import io
import itertools
import json
import math

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.learn.toy_graph_model import (
    MOST,
    Basket,
    Picker,
    allowed,
    baskets,
    best,
    features,
    gold,
    mistakes,
    online,
    score,
)

from treaty import InputError, ModelError, Status, UsageError
from treaty.learn import GraphModel, Parts, Sample
from treaty.learn import _graph_model as graph_model
from treaty.learn._graph_training import Gold, LearningOptions, _Examples
from treaty.learn._multi_task import TaskWeights
from treaty.learn._part_problem import PartProblem
from treaty.solve import check

EXAMPLES = baskets(12)
OTHERS = baskets(5, seed=1)
FAST = {"bits": 12, "epochs": 3}


def model_score(model: Picker, basket: Basket, on: tuple[int, ...]) -> float:
    return check(model.graph(basket).graph, on).objective


def orders(seed: int, epochs: int, examples: int) -> list[list[int]]:
    """What `fit` promises: an order that depends on seed and epoch alone."""
    return [
        np.random.default_rng([seed, epoch]).permutation(examples).tolist()
        for epoch in range(1, epochs + 1)
    ]


# Learners


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
    options = LearningOptions("svm", 12, 0.1, 0.1, 1, method, 5000 if method == "ad3" else None)
    problems = [PartProblem(model, basket) for basket in EXAMPLES]
    right = []
    for problem, basket in zip(problems, EXAMPLES, strict=True):
        chosen = problem.mask(basket.taken)
        right.append(Gold(chosen, problem.fixed_score(chosen)))
        assert right[-1].fixed_score == pytest.approx(np.dot(basket.prior, gold(basket)))
    examples = _Examples(problems, right, options, 1)
    for i, basket in enumerate(EXAMPLES):
        found = examples.violation(i, TaskWeights((model.weights.astype(float), 1.0)))
        loss = found.cost
        for vector, sign in ((found.found, 1), (found.gold, -1)):
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


# The same bytes


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
        with pytest.raises(ModelError, match="not a checkpoint of this model"):
            Picker.train(EXAMPLES, checkpoint=path, resume=True, **FAST, **other)


# Prediction


@pytest.fixture(scope="module", name="model")
def _model() -> Picker:
    return Picker.train(EXAMPLES, bits=12)


@pytest.mark.parametrize("method", ["ad3", "exact", "ilp", "exhaustive"])
@pytest.mark.parametrize("threads", [1, 3])
def test_predictions_are_the_best_assignments(model, method, threads):
    inputs = iter([*OTHERS, *EXAMPLES])
    found = list(model.predict(inputs, method=method, threads=threads))
    for basket, prediction in zip([*OTHERS, *EXAMPLES], found, strict=True):
        objective = max(model_score(model, basket, on) for on in allowed(5))
        assert prediction.bound >= objective - 1e-6
        if method != "ad3" or prediction.status is Status.OPTIMAL:
            assert prediction.objective == pytest.approx(objective, abs=1e-6)
        assert prediction.result == {"basket": basket.name, "taken": list(prediction.parts)}
        told = json.loads(json.dumps(prediction.to_dict()))
        assert told["taken"] == list(prediction.parts)
        assert told["certificate"]["status"] == prediction.status


def test_limits_reach_the_solver(model):
    (stopped,) = model.predict(OTHERS[:1], iterations=1)
    assert stopped.iterations <= 1
    (close,) = model.predict(OTHERS[:1], gap=100.0, time_limit=10.0)
    assert close.gap <= 100.0
    with pytest.raises(UsageError, match="no option 'time_limit'"):
        list(model.predict(OTHERS, method="exhaustive", time_limit=1.0))
    with pytest.raises(UsageError, match="threads must be 1"):
        model.predict(OTHERS, threads=0)


def test_predictions_come_one_by_one(model):
    endless = itertools.cycle(OTHERS)
    assert next(model.predict(endless)).result["basket"] == "b0"
    assert next(model.predict(endless, threads=2)).result is not None


def test_constraints_of_ones_own(model):
    basket = OTHERS[0]
    found = model.graph(basket)
    free = found.solve("exact")
    assert free.parts == next(model.predict([basket], method="exact")).parts
    found.graph.fix(~found.variables[free.parts[0]])
    other = found.solve("exact")
    assert free.parts[0] not in other.parts
    assert other.objective < free.objective
    expected = max(model_score(model, basket, on) for on in allowed(5) if not on[free.parts[0]])
    assert other.objective == pytest.approx(expected)
    found.graph.at_least(5, found.graph)
    forbidden = found.solve("exact")
    assert (forbidden.status, forbidden.parts) == (Status.INFEASIBLE, ())
    assert forbidden.result is None
    assert forbidden.to_dict() == {"certificate": forbidden.certificate.to_dict()}


def test_inputs_without_parts(model):
    nothing = Basket("empty", (), (), ())
    (found,) = model.predict([nothing])
    assert (found.parts, found.status, found.objective) == ((), Status.OPTIMAL, 0.0)
    assert Picker.train([nothing, *EXAMPLES], **FAST).info["training"]["examples"] == 13


def test_scores_count_parts(model):
    scores = model.evaluate(OTHERS)
    pairs = [
        (set(found.parts), basket.taken)
        for found, basket in zip(model.predict(OTHERS), OTHERS, strict=True)
    ]
    both = sum(len(a & b) for a, b in pairs)
    assert scores["precision"] == both / sum(len(a) for a, _ in pairs)
    assert scores["recall"] == both / sum(len(b) for _, b in pairs)
    assert scores["exact"] == np.mean([a == b for a, b in pairs])
    nothing = Basket("empty", (), (), ())
    assert model.evaluate([nothing])["f1"] == 0.0
    missed = Basket("empty", (), (), (), frozenset([3]))
    assert model.evaluate([missed]) == {
        "precision": 0.0, "recall": 0.0, "f1": 0.0, "exact": 0.0, "optimal": 1.0
    }  # fmt: skip
    with pytest.raises(UsageError, match="no examples"):
        model.evaluate([])


class RedOnly(Picker):
    """Counts mistakes with small things only."""

    def is_scored(self, key):
        return key < 2


def test_parts_that_do_not_count(model):
    other = RedOnly.from_bytes(model.to_bytes())
    found = [set(p.parts) for p in model.predict(OTHERS)]
    both = sum(len({k for k in a & b.taken if k < 2}) for a, b in zip(found, OTHERS, strict=True))
    gold_parts = sum(len({k for k in b.taken if k < 2}) for b in OTHERS)
    assert other.evaluate(OTHERS)["recall"] == both / gold_parts


# Variables and factors of the model's own


class EvenPicker(Picker):
    """Takes an even number of things, by means of a variable that is no part."""

    task = "even picker"

    def factors(self, graph, parts, given):
        super().factors(graph, parts, given)
        two = graph.variable(0.5, name="two")
        graph.exactly(2, [*parts.values(), ~two, ~two])


def test_variables_that_are_no_parts():
    examples = [b for b in baskets(30) if len(b.taken) in (0, 2)]
    model = EvenPicker.train(examples, bits=12, method="exact")
    assert model.info["training"]["forbidden"] == 0
    for found in model.predict(OTHERS, method="exact"):
        assert len(found.parts) in (0, 2)
    problem = PartProblem(model, examples[0])
    chosen = problem.mask(examples[0].taken)
    prior = float(np.dot(examples[0].prior, gold(examples[0])))
    assert problem.fixed_score(chosen) == pytest.approx(
        prior + 0.5 * (len(chosen.nonzero()[0]) == 2)
    )


def test_gold_that_the_factors_forbid():
    model = Picker.train(EXAMPLES, most=2, **FAST)
    too_many = sum(len(basket.taken) > 2 for basket in EXAMPLES)
    assert 0 < too_many < len(EXAMPLES)
    assert model.info["training"]["forbidden"] == too_many
    with pytest.raises(UsageError, match="allow the gold parts of no example"):
        Picker.train([b for b in EXAMPLES if len(b.taken) == 3], most=2, **FAST)


def test_gold_that_is_no_candidate():
    odd = Basket("odd", ("red",), (1.0,), (0.0,), frozenset([0, 77]))
    model = Picker.train([odd], **FAST)
    scores = model.evaluate([odd])
    assert (scores["recall"], scores["exact"]) == (0.5, 0.0)


# Settings, templates, tables, files


def test_settings_are_kept_and_checked():
    model = Picker.from_bytes(Picker.train(EXAMPLES, most=1, **FAST).to_bytes())
    assert model.settings == {"most": 1}
    assert all(len(p.parts) <= 1 for p in model.predict(OTHERS))
    assert Picker.settings == {"most": MOST}
    with pytest.raises(UsageError, match="picker has no setting 'least'; there are: most"):
        Picker.train(EXAMPLES, least=1)
    with pytest.raises(UsageError, match="most: expected a value of type int"):
        Picker.train(EXAMPLES, most="many")


def test_tables_are_kept():
    model = Picker.from_bytes(Picker.train(EXAMPLES, **FAST).to_bytes())
    assert sum(model.tables["colors"].values()) == sum(len(b.colors) for b in EXAMPLES)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({}, "declares 'colors'"),
        ({"colors": {}, "more": {}}, "gives the tables 'colors', 'more'"),
        ({"colors": {"a\nb": 1.0}}, "strings without line breaks"),
        ({"colors": {"a": math.inf}}, "expected finite numbers"),
        ({"colors": {1: 1.0}}, "expected finite numbers by strings"),
    ],
)
def test_tables_that_no_file_can_hold_are_refused(monkeypatch, tables, message):
    monkeypatch.setattr(Picker, "count", lambda self, examples: tables)
    with pytest.raises(UsageError, match=message):
        Picker.train(EXAMPLES, **FAST)


def test_templates_of_ones_own():
    plain = {"thing": ["color"], "neighbors": []}
    model = Picker.train(EXAMPLES, templates=plain, bits=16)
    assert np.count_nonzero(model.weights) <= 3
    again = Picker.from_bytes(model.to_bytes())
    assert again.templates == {"thing": ("color",), "neighbors": ()}
    with pytest.raises(UsageError, match="thing: template 'size': there is no code 'size'"):
        Picker.train(EXAMPLES, templates={"thing": ["size"], "neighbors": []})
    with pytest.raises(UsageError, match=r"no templates .* 'neighbors'; there are some for: thing"):
        Picker.train(EXAMPLES, templates={"thing": [""]})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": "magic"}, "there is no learner 'magic'"),
        ({"bits": 0}, "1 to 24 bits"),
        ({"bits": 25}, "1 to 24 bits"),
        ({"batch": 0}, "batch must be 1"),
        ({"epochs": 0}, "threads and epochs must be 1"),
        ({"threads": 0}, "threads and epochs must be 1"),
        ({"aggressiveness": 0.0}, "aggressiveness must be positive"),
        ({"regularization": -1.0}, "regularization must be positive"),
        ({"method": "magic"}, "there is no method 'magic'"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        Picker.train(EXAMPLES, **{**FAST, **options})


def test_numbers_that_are_not_finite_are_refused(model):
    odd = Basket("odd", ("red", "red"), (math.nan, 1.0), (0.0, 0.0))
    with pytest.raises(UsageError, match="a score that is not finite"):
        list(model.predict([odd]))


def test_examples_are_read_from_lines_of_json():
    lines = '{"name": "a", "colors": ["red"], "weights": [1], "prior": [0], "taken": [0]}\n\n'
    assert list(Picker.read(io.StringIO(lines))) == [
        Basket("a", ("red",), (1,), (0,), frozenset([0]))
    ]
    for line, message in (
        ('{"name": "a"}', "<stream>:1: the field 'colors' is missing"),
        ("[1]", "a line: expected an object"),
        ('{"name": 1, "colors": 3}', "not what was expected: 'int' object is not iterable"),
    ):
        with pytest.raises(InputError, match=message):
            list(Picker.read(io.StringIO(line)))


def test_progress_of_many_examples_is_told(monkeypatch):
    monkeypatch.setattr(graph_model, "REPORT_EVERY", 5)
    events = []
    Picker.train(EXAMPLES, progress=events.append, **FAST)
    assert [(e.done, e.total) for e in events if e.stage == "parts"] == [
        (5, 12),
        (10, 12),
        (12, 12),
    ]


def test_a_model_need_not_have_factors_or_results():
    class Plain(GraphModel):
        task = "plain"
        templates = {"word": ["word"]}  # noqa: RUF012

        def parts(self, given):
            return Parts().add("word", range(len(given[0])), {"word": given[0]})

        def gold(self, example):
            return example[1]

        @classmethod
        def sample(cls):
            return Sample([], [])

    model = Plain.train([(["a", "b"], [0]), (["b", "a"], [1])], epochs=3, bits=8)
    (found,) = model.predict([(["a", "b", "a"], [])])
    assert found.result == {"parts": [0, 2]}


# Parts


def test_parts_that_do_not_fit_are_refused():
    parts = Parts().add("a", ["x", "y"], {"n": [1, 2]})
    assert ("x" in parts, "z" in parts, parts.number("y"), len(parts)) == (True, False, 1, 2)
    for action, message in (
        (lambda: parts.add("a", ["z"]), "'a' was added before"),
        (lambda: parts.add("b", ["x"]), "already a part 'x'"),
        (lambda: parts.add("c", ["v", "w"], {"n": [1]}), "1 values of 'n' for 2 parts"),
        (lambda: parts.join("d", [("x", "q")]), "there is no part 'q'"),
        (lambda: parts.join("d", [("x",)]), "groups of two parts or more"),
        (lambda: parts.join("d", [("x", "y"), ("x", "y", "x")]), "all of the same size"),
        (lambda: parts.join("d", [("x", "v")]), "parts of one kind"),
        (lambda: parts.join("a", []), "'a' was added before"),
    ):
        with pytest.raises(UsageError, match=message):
            action()


def test_best_is_what_the_solvers_find(model):
    """The reference and the model agree on what the best assignment is."""
    weights = online(EXAMPLES, orders(1, 10, 12), batch=4, aggressiveness=0.1)
    trained = Picker.train(EXAMPLES, bits=16, method="exhaustive")
    for basket in OTHERS:
        (found,) = trained.predict([basket], method="exact")
        assert found.parts == tuple(np.flatnonzero(best(basket, weights)).tolist())
