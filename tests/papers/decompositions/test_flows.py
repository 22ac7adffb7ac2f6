"""Programs with flows: the best tree when integral, and what only many commodities can do."""

import numpy as np
import pytest
from tests.papers.decompositions.random_models import INF, LP, SEEDS, optimum, random_model

from treaty.errors import UsageError
from treaty.papers.decompositions import (
    FlowSolution,
    SiblingModel,
    flow_program,
    tree_and_automata,
)
from treaty.parse import best_tree


@pytest.mark.parametrize("grandparents", [False, True], ids=["siblings", "grandparents"])
@pytest.mark.parametrize("seed", SEEDS[::2])
def test_integer_programs_find_the_best_tree(seed, grandparents):
    model = random_model(seed, grandparents)
    best = optimum(model)
    for commodities in ("single", "multi"):
        answer = flow_program(model, commodities, integral=True)
        assert answer.value == pytest.approx(best, rel=LP, abs=LP)
        assert answer.integral
        if best > -INF:
            heads = [-1, *answer.arcs[:, 1:].argmax(axis=0)]
            assert model.score(heads) == pytest.approx(best)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("words", [0, 1, 2, 9])
def test_arcs_alone_are_solved_by_all_but_the_single_commodity(words, single_root):
    arcs = np.random.default_rng(words).normal(size=(words + 1, words + 1))
    model = SiblingModel(arcs, single_root=single_root)
    heads, score = best_tree(arcs, single_root=single_root)
    assert model.score(heads) == pytest.approx(score)
    answer = flow_program(model, "multi")
    assert answer.value == pytest.approx(score)
    assert tree_and_automata(model).graph.solve().objective == pytest.approx(score)
    assert flow_program(model, "single").value >= score - LP


def test_unknown_commodities_are_refused():
    with pytest.raises(UsageError, match="'single' or 'multi'"):
        flow_program(random_model(1), "many")


def test_an_answer_with_half_an_arc_is_not_integral():
    assert FlowSolution(1.0, np.array([[0.0, 1.0], [0.0, 0.0]])).integral
    assert not FlowSolution(1.0, np.array([[0.0, 0.5], [0.0, 0.5]])).integral
    assert FlowSolution(0.0, np.zeros((0, 0))).integral
