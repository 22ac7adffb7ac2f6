"""Phrases as nodes of compression trees."""

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem

from treaty.summarize.cuts._nodes import Nodes

SEEDS = st.integers(0, 10**6)


@given(SEEDS)
@settings(deadline=None, max_examples=60)
def test_nodes_are_trees_in_preorder(seed):
    problem = random_problem(random.Random(seed), sentences=3, longest=8)
    nodes = Nodes.of(problem, np.zeros(len(problem.source_of)))
    assert nodes.cost.sum() == problem.counts.sum()
    for node, parent in enumerate(nodes.parent.tolist()):
        if parent >= 0:
            assert parent < node < parent + nodes.size[parent]
    for token, head in enumerate(problem.heads.tolist()):
        same = head >= 0 and nodes.of_token[token] == nodes.of_token[head]
        assert same or head < 0 or problem.cuttable[token]
