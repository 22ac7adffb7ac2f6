"""The graph of an input: factors of one's own, gold that they forbid, templates, constraints."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.learn.toy_graph_model import Basket, Picker, allowed, baskets, gold, model_score

from treaty import Status, UsageError
from treaty.learn import Dense, Parts
from treaty.learn._part_problem import GraphStructure, PartProblem

EXAMPLES = baskets(12)
OTHERS = baskets(5, seed=1)
FAST = {"bits": 12, "epochs": 3}


@pytest.fixture(scope="module", name="model")
def _model() -> Picker:
    return Picker.train(EXAMPLES, bits=12)


def test_k_best_structures_are_those_of_enumeration(model):
    basket = OTHERS[0]
    expected = sorted((model_score(model, basket, on) for on in allowed(5)), reverse=True)
    found = model.graph(basket).k_best(6)
    assert [one.objective for one in found] == pytest.approx(expected[:6])
    assert len({one.parts for one in found}) == 6


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
    structure = GraphStructure(model)
    parts = structure.parts(examples[0])
    amounts = structure.gold(parts, examples[0])
    chosen = parts.chosen(amounts)
    prior = float(np.dot(examples[0].prior, gold(examples[0])))
    assert structure.fixed_score(parts, amounts) == pytest.approx(
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


def test_templates_of_ones_own():
    plain = {"thing": ["color"], "neighbors": []}
    model = Picker.train(EXAMPLES, templates=plain, bits=16)
    assert np.count_nonzero(model.weights) <= 3
    again = Picker.from_bytes(model.to_bytes())
    assert again.templates == {"thing": ("color",), "neighbors": ()}
    with pytest.raises(UsageError, match="thing: template 'size': there is no code 'size'"):
        Picker.train(EXAMPLES, templates={"thing": ["size"], "neighbors": []})
    with pytest.raises(UsageError, match=r"no templates .* 'neighbors', only for thing"):
        Picker.train(EXAMPLES, templates={"thing": [""]})


def test_numbers_that_are_not_finite_are_refused(model):
    odd = Basket("odd", ("red", "red"), (math.nan, 1.0), (0.0, 0.0))
    with pytest.raises(UsageError, match="a score that is not finite"):
        list(model.predict([odd]))


def test_backward_gives_the_features_of_an_answer(model):
    rng = np.random.default_rng(1)
    for basket in OTHERS:
        parts = GraphStructure(model).parts(basket)
        scores = model.scorer.scores(parts, model.weights)
        first, second = (parts.amounts(rng.random(5) < 0.5) for _ in range(2))
        vector = model.scorer.backward(parts, model.weights, first - second)
        expected = float(scores @ (first - second))
        assert float(model.weights[vector.places] @ vector.values) == pytest.approx(
            expected, abs=1e-4
        )


def test_masks_leave_out_what_is_no_candidate(model):
    problem = PartProblem(model, OTHERS[0])
    assert problem.mask([1, 77, 3]).tolist() == [False, True, False, True, False]
    assert problem.mask([]).sum() == 0
    amounts = problem.amounts(problem.mask([0, 1, 3]))
    assert amounts.tolist() == [1, 1, 0, 1, 0, 1, 0, 0, 0]  # then the pairs of neighbors
    assert problem.chosen(amounts).tolist() == problem.mask([0, 1, 3]).tolist()


def test_decoding_any_scores_is_enumeration(model):
    structure, rng = GraphStructure(model), np.random.default_rng(2)
    for basket in OTHERS:
        parts = structure.parts(basket)
        scores = rng.normal(size=len(parts))
        totals = sorted(
            (float(parts.amounts(np.array(on, bool)) @ scores + np.dot(on, basket.prior))
             for on in allowed(5)), reverse=True,
        )  # fmt: skip
        decoding = structure.decode(parts, scores, method="exact")
        assert decoding.objective == pytest.approx(totals[0])
        assert decoding.fixed == pytest.approx(
            structure.fixed_score(parts, decoding.amounts), abs=1e-9
        )
        best = structure.k_best(parts, scores, 4)
        assert [one.objective for one in best] == pytest.approx(totals[:4])


class VectorPicker(Picker):
    """Knows its things by vectors alone."""

    task = "vector picker"
    templates = {"thing": (), "neighbors": ("",)}  # noqa: RUF012

    def parts(self, given):
        things = range(len(given.colors))
        rows = [[w, c == "red"] for w, c in zip(given.weights, given.colors, strict=True)]
        parts = Parts().add("thing", things, {"none": things}, vectors=np.reshape(rows, (-1, 2)))
        return parts.join("neighbors", itertools.pairwise(things))


def test_vectors_are_the_first_columns_of_dense_features():
    model = VectorPicker(bits=8, tables={"colors": {}}, scorer=Dense(6))
    basket = OTHERS[0]
    parts = GraphStructure(model).parts(basket)
    rows, has = parts.dense(6)
    assert rows[:5, 0].tolist() == list(basket.weights)
    assert rows[:5, 1].tolist() == [color == "red" for color in basket.colors]
    assert not rows[:5, 2:].any()
    assert not rows[5:, :2].any()
    assert rows[5:, 2:].any()
    assert has.all()
    with pytest.raises(UsageError, match=r"vectors of 2 numbers: use Dense\(2\) or more"):
        parts.dense(1)


def test_models_learn_from_vectors():
    train, test = baskets(60), baskets(40, seed=9)
    model = VectorPicker.train(train, scorer=Dense(4), epochs=20, bits=8)
    untrained = VectorPicker(bits=8, tables={"colors": {}}).evaluate(test)
    assert model.evaluate(test)["f1"] > untrained["f1"] + 0.2


def test_constraints_of_a_structure(model):
    structure = GraphStructure(model)
    parts = structure.parts(OTHERS[0])
    scores = np.random.default_rng(3).normal(size=len(parts))
    free = structure.decode(parts, scores, method="exact")
    none = structure.decode_with(parts, scores, lambda graph: graph.fix(~graph[0]))
    taken = structure.decode_with(parts, scores, lambda graph: graph.fix(graph[0]))
    assert (none.amounts[0], taken.amounts[0]) == (0, 1)
    assert free.objective == pytest.approx(max(none.objective, taken.objective))


def test_what_constraints_score_is_fixed(model):
    structure = GraphStructure(model)
    parts = structure.parts(OTHERS[0])
    scores = np.zeros(len(parts))
    liked = structure.decode_with(parts, scores, lambda graph: graph.reward(graph[0], graph[1], 7))
    assert liked.amounts[:2].tolist() == [1, 1]
    assert liked.fixed == pytest.approx(liked.objective)
    assert liked.fixed > 6.9


def test_marginals_are_those_of_enumeration(model):
    structure = GraphStructure(model)
    for basket in OTHERS:
        parts = structure.parts(basket)
        scores = np.random.default_rng(5).normal(size=len(parts))
        every = [(parts.amounts(np.array(on, bool)), on) for on in allowed(5)]
        totals = [float(scores @ amounts) + np.dot(on, basket.prior) for amounts, on in every]
        weights = np.exp(totals)
        expected = weights @ np.array([amounts for amounts, _ in every]) / weights.sum()
        assert structure.marginals(parts, scores) == pytest.approx(expected)
