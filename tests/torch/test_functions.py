"""Functions of tensors against those of arrays, and their gradients by torch's own check."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import treaty  # noqa: E402
from treaty import FactorGraph, SolverError, UsageError, diff  # noqa: E402
from treaty import torch as layers  # noqa: E402

FUNCTIONS = [
    (layers.lp_sparsemap, diff.lp_sparsemap),
    (layers.marginals, diff.marginals),
    (layers.blackbox, diff.blackbox),
    (layers.implicit_mle, diff.implicit_mle),
]
LOSSES = [
    (layers.sparsemap_loss, diff.sparsemap_loss),
    (layers.log_loss, diff.log_loss),
    (layers.hinge_loss, diff.hinge_loss),
    (layers.perceptron_loss, diff.perceptron_loss),
    (layers.perturbed_loss, diff.perturbed_loss),
]
GOLD = [[1, 0, 0, 1, 1, 0], [0, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 1]]


def names(pair):
    return pair.__name__ if callable(pair) else None


def chain():
    graph = FactorGraph()
    tags = [graph.categorical(np.zeros(2)) for _ in range(3)]
    graph.sequence(tags, np.random.default_rng(0).normal(size=(2, 2, 2)))
    graph.reward(tags[0][0], ~tags[2][1], 0.7)
    return graph


def drawn(graph, items=3, *, every=True, dtype=torch.float64, size=1.0):
    width = len(graph.parameters) if every else len(graph)
    rows = np.random.default_rng(1).normal(size=(items, width)) * size
    return torch.tensor(rows, dtype=dtype, requires_grad=True)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize(("function", "twin"), FUNCTIONS, ids=names)
def test_values_and_gradients_are_those_of_arrays(function, twin, every, dtype):
    graph = chain()
    scores = drawn(graph, every=every, dtype=dtype)
    values = function(graph, scores)
    assert values.dtype == dtype
    answer = twin(graph, scores.detach().double().numpy())
    cotangent = torch.randn(values.shape, generator=torch.Generator().manual_seed(0), dtype=dtype)
    values.backward(cotangent)
    gradient = answer.pullback(cotangent.double().numpy())
    expected = gradient.parameters if every else gradient.variables
    tolerance = {torch.float64: 1e-12, torch.float32: 1e-6, torch.bfloat16: 1e-2}[dtype]
    np.testing.assert_allclose(values.detach().double(), answer.values, atol=tolerance)
    assert scores.grad.dtype == dtype
    np.testing.assert_allclose(scores.grad.double(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("function", "twin"), LOSSES, ids=names)
def test_losses_and_their_gradients_are_those_of_arrays(function, twin):
    graph = chain()
    scores = drawn(graph)
    for gold in (GOLD, np.array(GOLD), torch.tensor(GOLD), GOLD[0]):
        scores.grad = None
        values = function(graph, scores, gold)
        loss = twin(graph, scores.detach().numpy(), torch.as_tensor(gold).numpy())
        np.testing.assert_array_equal(values.detach().numpy(), loss.value)
        (values * torch.tensor([1.0, 2.0, -1.0], dtype=torch.float64)).sum().backward()
        np.testing.assert_allclose(scores.grad, loss.pullback([1.0, 2.0, -1.0]).parameters)


@pytest.mark.parametrize("every", [True, False])
def test_torch_checks_the_gradients_of_smooth_functions(every):
    graph = chain()
    scores = drawn(graph, every=every)
    gold = torch.tensor(GOLD)
    for function in (
        lambda s: layers.lp_sparsemap(graph, s, strength=0.7),
        lambda s: layers.marginals(graph, s, temperature=0.7),
        lambda s: layers.log_partition(graph, s),
        lambda s: layers.log_loss(graph, s, gold),
        lambda s: layers.sparsemap_loss(graph, s, gold),
        lambda s: layers.hinge_loss(graph, s, gold),
        lambda s: layers.perturbed_loss(graph, s, gold),
    ):
        assert torch.autograd.gradcheck(function, (scores,))


def test_torch_checks_the_gradients_of_trees_matchings_and_sparsemap():
    random = np.random.default_rng(2)
    tree, matching = FactorGraph(), FactorGraph()
    ends = [(h, m) for h in range(4) for m in range(1, 4) if h != m]
    tree.arborescence(ends, tree.variables(np.zeros(len(ends))))
    x = matching.variables(np.zeros(9))
    for i in range(3):
        matching.exactly_one(x[3 * i : 3 * i + 3])
        matching.exactly_one(x[i::3])
    for graph in (tree, matching):
        rows = random.normal(size=(2, len(graph))) * 0.5
        scores = torch.tensor(rows, requires_grad=True)
        assert torch.autograd.gradcheck(lambda s, g=graph: layers.lp_sparsemap(g, s), (scores,))
    scores = torch.tensor(random.normal(size=len(ends)), requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: layers.sparsemap(tree.factors[0], s), (scores,))
    assert torch.autograd.gradcheck(lambda s: layers.marginals(tree, s), (scores,))


def test_spo_plus_takes_true_scores():
    graph = chain()
    scores, truth = drawn(graph, every=False), torch.randn(3, 6, dtype=torch.float64)
    layers.spo_plus_loss(graph, scores, truth).sum().backward()
    loss = diff.spo_plus_loss(graph, scores.detach().numpy(), truth.numpy())
    np.testing.assert_allclose(scores.grad, loss.gradient.variables)


def test_more_axes_are_a_batch_and_none_is_one_item():
    graph = chain()
    scores = drawn(graph, 6)
    values = layers.lp_sparsemap(graph, scores)
    grid = layers.lp_sparsemap(graph, scores.reshape(2, 3, -1))
    assert grid.shape == (2, 3, 6)
    torch.testing.assert_close(grid.reshape(6, -1), values, atol=0, rtol=0)
    one = layers.lp_sparsemap(graph, scores[4])
    assert one.shape == (6,)
    torch.testing.assert_close(one, values[4])
    gold = torch.tensor(GOLD).expand(2, 3, 6)
    loss = layers.sparsemap_loss(graph, scores.reshape(2, 3, -1), gold)
    assert loss.shape == (2, 3)
    assert layers.lp_sparsemap(graph, torch.zeros(0, 6)).shape == (0, 6)


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor")  # of torch's own making
def test_layers_work_inside_of_compiled_functions():
    graph = chain()
    torch._dynamo.reset()

    @torch.compile(backend="aot_eager")
    def model(inputs, weight):
        scores = torch.tanh(inputs @ weight)
        return (layers.lp_sparsemap(graph, scores) ** 2).sum() + layers.log_loss(
            graph, scores, GOLD
        ).mean()

    def plain(inputs, weight):
        scores = torch.tanh(inputs @ weight)
        loss = layers.log_loss(graph, scores, GOLD).mean()
        return (layers.lp_sparsemap(graph, scores) ** 2).sum() + loss

    inputs = torch.randn(3, 4, generator=torch.Generator().manual_seed(1))
    weights = [torch.ones(4, 6, requires_grad=True) for _ in range(2)]
    for _ in range(2):
        torch.testing.assert_close(model(inputs, weights[0]), plain(inputs, weights[1]))
    model(inputs, weights[0]).backward()
    plain(inputs, weights[1]).backward()
    torch.testing.assert_close(weights[0].grad, weights[1].grad)


def test_second_derivatives_are_refused():
    graph = chain()
    scores = drawn(graph)
    (gradient,) = torch.autograd.grad(
        (layers.lp_sparsemap(graph, scores) ** 2).sum(), scores, create_graph=True
    )
    with pytest.raises(UsageError, match="first derivatives only"):
        gradient.sum().backward()
    loss = layers.sparsemap_loss(graph, scores, GOLD).sum()
    (gradient,) = torch.autograd.grad(loss, scores, create_graph=True)
    with pytest.raises(UsageError, match="first derivatives only"):
        (gradient**2).sum().backward()


def test_bad_tensors_are_refused_by_name():
    graph = chain()
    bad = drawn(graph, every=False).detach().clone()
    bad[1, 4] = torch.nan
    with pytest.raises(UsageError, match=r"item 1: the score of .* is nan"):
        layers.lp_sparsemap(graph, bad)
    bad[1, 4] = torch.inf
    with pytest.raises(UsageError, match=r"item 1: the score of .* is inf"):
        layers.sparsemap_loss(graph, bad, GOLD)
    with pytest.raises(UsageError, match=r"floating-point scores, got one of torch\.int64"):
        layers.marginals(graph, torch.zeros(6, dtype=torch.int64))
    with pytest.raises(UsageError, match="floating-point scores, got list"):
        layers.lp_sparsemap(graph, [0.0] * 6)
    with pytest.raises(UsageError, match="for each of the 6 variables"):
        layers.lp_sparsemap(graph, torch.zeros(5))
    graph.at_least(3, [c[0] for c in graph.categoricals])
    graph.fix(graph.categoricals[0], 1)
    with pytest.raises(SolverError, match="item 0: no assignment"):
        layers.lp_sparsemap(graph, torch.zeros(2, 6))


@pytest.mark.parametrize("function", [pair[0] for pair in FUNCTIONS], ids=names)
def test_a_graph_that_changed_before_the_backward_pass_is_refused(function):
    graph = chain()
    scores = drawn(graph)
    values = function(graph, scores)
    graph.fix(graph.categoricals[0], 1)
    with pytest.raises(UsageError, match="the graph has changed after the forward pass"):
        values.sum().backward()


def test_tensors_that_require_grad_are_no_scores_of_graphs():
    graph, tensor = FactorGraph(), torch.zeros(2, requires_grad=True)
    x, y = graph.variables(torch.tensor([0.5, 1.0]))  # without gradients they are arrays
    for call in (
        lambda: graph.variables(tensor),
        lambda: graph.variables([tensor[0], tensor[1]]),
        lambda: graph.variable(tensor[0]),
        lambda: graph.categorical(tensor),
        lambda: graph.set_scores(tensor),
        lambda: graph.set_score(x, tensor[0]),
        lambda: graph.table([x], tensor),
        lambda: graph.reward(x, y, tensor[0]),
        lambda: diff.lp_sparsemap(graph, tensor),
        lambda: graph.batch(torch.zeros(1, 2, requires_grad=True)),
    ):
        with pytest.raises(UsageError, match=r"requires grad: give it to a function of treaty\."):
            call()


def test_importing_treaty_imports_no_torch():
    code = "import sys, treaty, treaty.diff; print('torch' in sys.modules, 'jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert set(layers.__all__) <= set(dir(treaty.torch))


def test_warm_starts_go_through():
    graph, warm = chain(), diff.WarmStarts()
    scores = drawn(graph)
    first = layers.lp_sparsemap(graph, scores, warm=warm, keys=[5, 6, 7])
    again = layers.lp_sparsemap(graph, scores, warm=warm, keys=[5, 6, 7])
    torch.testing.assert_close(first, again)
    again.sum().backward()
    assert pickle.loads(pickle.dumps(scores.grad)).shape == scores.shape
