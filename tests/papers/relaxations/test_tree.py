"""Nodes: what their branchings leave, how they are divided, and how they are laid out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.reference import random_sentences, random_tree
from tests.papers.relaxations.points import point_of

from treaty.papers.relaxations._bounding import Bounded, Bounder, Box
from treaty.papers.relaxations._cuts import Cut
from treaty.papers.relaxations._filters import Choice
from treaty.papers.relaxations._program import build_program
from treaty.papers.relaxations._simplex import Basis
from treaty.papers.relaxations._tree import (
    ROOT,
    STEP,
    Branch,
    Node,
    box_of,
    choose_branch,
    pack,
    unpack,
)


def is_inside(box, x):
    return box is not None and np.all(box.lower <= x + 1e-9) and np.all(x <= box.upper + 1e-9)


def full_point(program, random):
    """Random parses, and parameters of which the live ones sum to one."""
    weight = np.zeros(program.layout.size)
    weight[program.live] = random.exponential(size=program.parameters) ** 3 + 1e-6
    total = np.bincount(program.layout.distribution, weight)[program.layout.distribution]
    heads = [random_tree(len(sentence), random) for sentence in program.sentences]
    return point_of(program, weight / np.where(total > 0, total, 1.0), heads)


def best_point(program, random):
    """Random parses, and the parameters that are best for them."""
    x, k, distribution = full_point(program, random), program.parameters, program.distribution
    count = x[k : 2 * k] + program.smoothing
    total = np.bincount(distribution, count)[distribution]
    used = total > 0
    x[:k][used] = np.log(np.maximum(count[used] / total[used], program.floor))
    return x


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0.0, 0.5]))
def test_dividing_loses_no_feasible_point(seed, counts, smoothing):
    random = np.random.default_rng(seed)
    program = build_program(2, random_sentences(random, (3, 2), n_tags=2), smoothing=smoothing)
    bounder = Bounder(program, Choice())
    x = (best_point if counts else full_point)(program, random)
    path = ROOT
    for _ in range(6):
        box = box_of(program, path, counts=counts)
        assert is_inside(box, x)
        found = bounder.bound(box)
        branch = choose_branch(program, box, found, 1e-3)
        if branch is None:
            break
        node = Node(found.bound, path, branch, found.basis)
        parts = [p for p in node.children() if is_inside(box_of(program, p, counts=counts), x)]
        assert parts
        path = parts[0]


def test_what_sums_to_less_than_one_is_empty():
    program = build_program(2, [[0, 1], [1, 0]])
    both = np.flatnonzero(program.distribution == program.distribution[0])
    path = ROOT
    for column in both:
        path = Node(0.0, path, Branch(int(column), -3.0, -3.0, False), None).children()[0]
    assert len(both) == 2
    assert box_of(program, path[:1]) is not None
    assert box_of(program, path) is None


def test_improbable_features_have_no_counts():
    program = build_program(2, [[0, 1], [1, 0], [0, 1]])
    k = program.parameters
    total = program.totals[program.distribution]
    column = int(np.flatnonzero(np.isfinite(total) & (program.upper[k : 2 * k] > 0))[0])
    value = math.log(0.9 / total[column])  # less than one of them
    below = Node(0.0, ROOT, Branch(column, value, value, False), None).children()[0]
    assert box_of(program, below).upper[k + column] > 0
    assert box_of(program, below, counts=True).upper[k + column] == 0


def test_the_part_of_the_relaxed_answer_comes_first():
    program = build_program(2, [[0, 1, 0]])
    box = box_of(program, ROOT)
    found = Bounder(program, Choice()).bound(box)
    branch = choose_branch(program, box, found, 0.0)
    first, second = Node(found.bound, ROOT, branch, None).children()
    assert is_inside_column(box_of(program, first), branch.column, found.x)
    assert not is_inside_column(box_of(program, second), branch.column, found.x)


def is_inside_column(box, column, x):
    return box.lower[column] - 1e-9 <= x[column] <= box.upper[column] + 1e-9


def test_fractional_arcs_are_divided_when_regrets_are_small():
    program = build_program(2, [[0, 1, 0]])
    x = np.concatenate([program.lower[: program.parameters], np.zeros(program.columns)])
    x = x[: program.columns]
    x[program.integral[3]] = 0.4
    k = program.parameters
    found = Bounded(-1.0, x, x[:k] * x[k : 2 * k], None, 0.0, 0)
    branch = choose_branch(program, box_of(program, ROOT), found, 0.1)
    assert branch == Branch(int(program.integral[3]), 0.0, 1.0, False)


def test_regrets_do_not_depend_on_where_a_parameter_lies_that_may_lie_anywhere():
    program = build_program(2, [[0, 1, 0]])
    k, box = program.parameters, box_of(program, ROOT)
    x = program.lower.copy()  # all parameters at the floor: their own regrets are large
    count = x[k : 2 * k]
    count[:] = np.arange(1.0, k + 1)
    total = np.bincount(program.distribution, count)[program.distribution]
    z = count * np.log(count / total)
    chosen = int(np.flatnonzero(count < total)[0])  # of a distribution of two or more
    z[chosen] += 1.0
    branch = choose_branch(program, box, Bounded(-1.0, x, z, None, 0.0, 0), 0.5)
    assert branch.column == chosen
    own = int(np.argmax(z - x[:k] * count))
    assert own != chosen


SPACE, SHAPE = Box(np.full(9, -9.0), np.full(9, 9.0)), (99, 7)


def random_node(random, cuts):
    node = Node(random.normal(), ROOT, Branch(0, 0.0, 0.0, False), None)
    for _ in range(random.integers(4)):
        values = random.normal(size=2)
        branch = Branch(int(random.integers(9)), *values, bool(random.integers(2)))
        node = Node(random.normal(), node.children()[0], branch, None)
    if random.random() < 0.3:
        return node
    used = tuple(cut for cut in cuts if random.random() < 0.5)
    columns, statuses = (random.integers(0, 5, n).astype(np.int8) for n in (7, 3 + len(used)))
    rows = random.permutation(99)[:3].astype(np.intp)
    return Node(node.bound, node.path, node.branch, Basis(columns, rows, used, statuses))


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_nodes_are_the_same_after_packing(seed, number):
    random = np.random.default_rng(seed)
    cuts = [Cut(random.permutation(9)[:n], random.random(n), random.random()) for n in (2, 3, 2)]
    nodes = [random_node(random, cuts) for _ in range(number)]
    packed = pack(nodes, cuts[:2])
    again, pool = unpack(packed, SPACE, SHAPE)
    assert len(again) == number
    for node, other in zip(nodes, again, strict=True):
        assert (node.bound, node.branch) == (other.bound, other.branch)
        assert np.array_equal(node.path, other.path)
        assert node.bytes == other.bytes
        assert (node.basis is None) == (other.basis is None)
        if node.basis is not None:
            assert np.array_equal(node.basis.columns, other.basis.columns)
            assert np.array_equal(node.basis.rows, other.basis.rows)
            assert np.array_equal(node.basis.statuses, other.basis.statuses)
            for one, two in zip(node.basis.cuts, other.basis.cuts, strict=True):
                assert np.array_equal(one.column, two.column)
                assert np.array_equal(one.probability, two.probability)
                assert one.right == two.right
    assert [cut.right for cut in pool] == [cut.right for cut in cuts[:2]]
    once = {id(cut) for node in again if node.basis for cut in node.basis.cuts}
    once |= {id(cut) for cut in pool}
    assert len(once) == len(packed["cut_right"]) <= 3


@pytest.mark.parametrize("ends", [[2**63 - 1, -(2**62), 0], [-1, 0, 0], [1, 0, 0], [0, 0, 1]])
def test_ends_of_lists_that_are_none_are_refused(ends):
    """The differences of the first overflow, and look as if they were in order."""
    whole = pack([], [])
    for name in (name for name in whole if name.endswith("_ends")):
        with pytest.raises(ValueError, match="it is damaged"):
            unpack({**whole, name: np.array(ends, np.int64)}, SPACE, SHAPE)


def test_what_is_of_another_program_is_refused():
    cut = Cut(np.array([0, 1]), np.array([0.5, 0.5]), 0.1)
    path = np.array([(3, True, 0.5)], STEP)
    basis = Basis(np.zeros(7, np.int8), np.array([4]), (cut,), np.zeros(2, np.int8))
    node = Node(-1.0, path, Branch(2, 0.0, 0.0, True), basis)
    unpack(pack([node], [cut]), SPACE, SHAPE)
    damaged = [
        replace(node, bound=math.inf),
        replace(node, path=np.array([(3, True, 800.0)], STEP)),
        replace(node, path=np.array([(9, True, 0.0)], STEP)),
        replace(node, branch=Branch(2, 0.0, math.nan, True)),
        replace(node, branch=Branch(-1, 0.0, 0.0, True)),
        replace(node, basis=replace(basis, columns=np.zeros(6, np.int8))),
        replace(node, basis=replace(basis, columns=np.full(7, 99, np.int8))),
        replace(node, basis=replace(basis, rows=np.array([99]))),
        replace(node, basis=replace(basis, rows=np.array([-1]))),
        replace(node, basis=replace(basis, rows=np.array([4, 4]), statuses=np.zeros(3, np.int8))),
        replace(node, basis=replace(basis, statuses=np.zeros(3, np.int8))),
        *(
            replace(node, basis=replace(basis, cuts=(other,)))
            for other in (
                replace(cut, column=np.array([0, 0])),
                replace(cut, column=np.array([0, 9])),
                replace(cut, probability=np.array([0.5, 1e300])),
                replace(cut, right=math.nan),
                Cut(np.zeros(0, np.int64), np.zeros(0), 0.0),
            )
        ),
    ]
    for number, other in enumerate(damaged):
        with pytest.raises(ValueError, match="it is damaged"):
            unpack(pack([other]), SPACE, SHAPE)
            raise AssertionError(f"number {number} is taken")
