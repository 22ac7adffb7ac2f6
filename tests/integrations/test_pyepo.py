"""Models of PyEPO against enumeration, and PyEPO's own training on them."""

import itertools
import pickle

import numpy as np
import pytest

pytest.importorskip("highspy")  # before OR-Tools, if that is installed
pytest.importorskip("pyepo")

import pyepo
import torch
from pyepo.data.dataset import optDataset
from torch.utils.data import DataLoader

from treaty import FactorGraph, SolverError, UsageError
from treaty.integrations.pyepo import Assignment, GraphModel, Knapsack, ShortestPath


def test_knapsacks_are_those_of_enumeration():
    random = np.random.default_rng(0)
    weights, capacity = random.integers(1, 9, (2, 8)).astype(float), [14.0, 17.0]
    every = np.array(list(itertools.product([0, 1], repeat=8)))
    every = every[(every @ weights.T <= capacity).all(axis=1)]
    model = Knapsack(weights, capacity)
    assert model.modelSense == pyepo.EPO.MAXIMIZE
    for _ in range(20):
        values = random.integers(1, 9, 8).astype(float)
        model.setObj(values)
        chosen, objective = model.solve()
        assert objective == pytest.approx((every @ values).max())
        assert chosen @ values == pytest.approx(objective)
        assert (weights @ chosen <= capacity).all()
        assert model.certificate.status == "OPTIMAL"


def test_assignments_are_those_of_enumeration():
    random, model = np.random.default_rng(1), Assignment(4)
    for _ in range(10):
        costs = random.normal(size=(4, 4))
        model.setObj(torch.tensor(costs.ravel()))
        best = min(sum(costs[i, p[i]] for i in range(4)) for p in itertools.permutations(range(4)))
        chosen, objective = model.solve()
        assert objective == pytest.approx(best)
        assert chosen.reshape(4, 4).sum(axis=0).tolist() == [1.0] * 4


@pytest.mark.parametrize("grid", [(3, 3), (2, 5), (1, 4), (4, 1)])
def test_paths_are_those_of_dynamic_programming(grid):
    random, model = np.random.default_rng(2), ShortestPath(grid)
    assert model.arcs == pyepo.model.utils._get_grid_arcs(grid)
    for _ in range(10):
        costs = random.uniform(0.1, 1.0, model.num_cost)
        best = {0: 0.0}
        for (tail, head), cost in sorted(zip(model.arcs, costs, strict=True), key=lambda e: e[0]):
            best[head] = min(best.get(head, np.inf), best[tail] + cost)
        model.setObj(costs)
        chosen, objective = model.solve()
        assert objective == pytest.approx(best[grid[0] * grid[1] - 1])
        assert chosen @ costs == pytest.approx(objective)


def test_any_graph_with_some_variables_and_more_constraints():
    graph = FactorGraph()
    x = graph.variables([0.0, 5.0, 0.0, 0.0])
    graph.reward(x[0], x[2], 3.0)
    graph.at_most(3, x)
    model = GraphModel(graph, [x[0], x[2], x[3]])
    model.setObj([1.0, -1.0, 1.5])
    chosen, objective = model.solve()
    assert chosen.tolist() == [1.0, 1.0, 0.0]  # with the graph's own 5 and 3
    assert objective == 0.0
    less = model.addConstr([1.0, 1.0, -1.0], 0.5)
    less.setObj([1.0, -1.0, 1.5])
    assert less.solve()[0].tolist() == [1.0, 0.0, 1.0]
    assert len(model._model.factors) == 2
    rebuilt = model.rebuild()
    rebuilt.setObj([1.0, -1.0, 1.5])
    assert rebuilt.solve()[0].tolist() == [1.0, 1.0, 0.0]
    assert pickle.loads(pickle.dumps(model)).num_cost == 3
    assert repr(model) == "<GraphModel: 3 costs, <FactorGraph: 4 variables, 2 factors>>"
    with pytest.raises(UsageError, match="expected 3 costs"):
        model.setObj([1.0])
    with pytest.raises(UsageError, match="expected 3 coefficients"):
        model.addConstr([1.0], 1.0)
    never = less.addConstr([-1.0, -1.0, -1.0], -4.0)
    with pytest.raises(SolverError, match="no answer"):
        never.solve()


@pytest.mark.parametrize("kind", [Knapsack, Assignment, ShortestPath])
def test_models_are_rebuilt_from_their_arguments(kind):
    arguments = {"weights": [[3.0, 4.0]], "capacity": [5.0]}
    model = {
        Knapsack: lambda: Knapsack(**arguments),
        Assignment: lambda: Assignment(3, minimize=False),
        ShortestPath: lambda: ShortestPath((2, 3)),
    }[kind]()
    twin = model.rebuild()
    costs = np.arange(1.0, model.num_cost + 1)
    model.setObj(costs)
    twin.setObj(costs)
    assert twin.solve()[0].tolist() == model.solve()[0].tolist()
    assert twin.modelSense == model.modelSense


def test_bad_arguments():
    with pytest.raises(UsageError, match="a row of weights for each capacity"):
        Knapsack([[1.0, 2.0]], [1.0, 2.0])
    with pytest.raises(UsageError, match="at least two cells"):
        ShortestPath((1, 1))


@pytest.mark.parametrize(
    "loss",
    [
        lambda model: pyepo.func.SPOPlus(model, processes=1),
        lambda model: pyepo.func.perturbedFenchelYoung(model, n_samples=3, sigma=0.5, processes=1),
    ],
    ids=["SPO+", "perturbed Fenchel-Young"],
)
def test_losses_of_pyepo_reduce_the_regret(loss):
    torch.manual_seed(0)
    feats, costs = pyepo.data.shortestpath.genData(60, 5, (3, 3), deg=4, seed=1)
    model = ShortestPath((3, 3))
    batches = DataLoader(optDataset(model, feats, costs), batch_size=20)
    predictor = torch.nn.Linear(5, model.num_cost)
    before = pyepo.metric.regret(predictor, model, batches)
    optimizer, criterion = torch.optim.Adam(predictor.parameters(), lr=0.1), loss(model)
    for _ in range(8):
        for x, c, w, z in batches:
            predicted = predictor(x)
            is_spo = isinstance(criterion, pyepo.func.SPOPlus)
            value = criterion(predicted, c, w, z) if is_spo else criterion(predicted, w)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
    assert pyepo.metric.regret(predictor, model, batches) < 0.5 * before


def test_spo_plus_is_that_of_treaty():
    """PyEPO minimizes costs; scores are their negatives."""
    from treaty.diff import spo_plus_loss

    feats, costs = pyepo.data.shortestpath.genData(6, 5, (3, 3), deg=4, seed=1)
    model = ShortestPath((3, 3))
    data = optDataset(model, feats, costs)
    predicted = torch.rand(6, model.num_cost, generator=torch.Generator().manual_seed(0))
    predicted.requires_grad_()
    theirs = pyepo.func.SPOPlus(model, processes=1, reduction="none")
    values = theirs(predicted, data.costs, data.sols, data.objs).squeeze()
    graph = model._given
    fill = np.zeros((6, len(graph) - model.num_cost))
    ours = spo_plus_loss(
        graph,
        np.hstack([-predicted.detach().numpy(), fill]),
        np.hstack([-data.costs.numpy(), fill]),
    )
    np.testing.assert_allclose(values.detach(), ours.value, rtol=1e-5, atol=1e-5)
    values.sum().backward()
    gradient = -ours.gradient.variables[:, : model.num_cost]
    np.testing.assert_allclose(predicted.grad, gradient, atol=1e-6)
