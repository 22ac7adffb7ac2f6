"""Random models, their optima by enumeration, and what the relaxations make of them."""

import functools
import math

import numpy as np
from tests.parse.enumeration import TREES

from treaty.papers.decompositions import (
    SiblingModel,
    flow_program,
    small_components,
    tree_and_automata,
)

INF = math.inf
SEEDS = range(20)
LP = 1e-6  # HiGHS solves to 1e-7 in rows and prices; scores are of order 1, parts at most hundreds
AD3 = 2e-5  # AD3 stops when its relaxed point, not quite feasible, is worth its bound
STRICT = 1e-2  # far above either


@functools.cache
def random_model(seed: int, grandparents: bool = False) -> SiblingModel:
    """Sizes, roots and densities change with the seed."""
    rng = np.random.default_rng(seed)
    n = 2 + seed % 4
    arcs = rng.normal(size=(n + 1, n + 1))
    siblings = 2.0 * rng.normal(size=(n + 1, n + 1, n + 2))
    above = 2.0 * rng.normal(size=(n + 1, n + 1, n + 1)) if grandparents else None
    if seed % 3 == 0:
        chain = np.eye(n + 1, k=1, dtype=bool)  # so that some tree is left
        arcs[(rng.random(arcs.shape) < 0.3) & ~chain] = -INF
        siblings[rng.random(siblings.shape) < 0.1] = -INF
    return SiblingModel(arcs, siblings, above, single_root=seed % 8 < 4)


@functools.cache
def values(seed: int, grandparents: bool = False) -> dict[str, float]:
    """The optimum, and what the relaxations make of it."""
    model = random_model(seed, grandparents)
    return {
        "optimum": optimum(model),
        "automata": tree_and_automata(model).graph.solve("lp").bound,
        "small": small_components(model).graph.solve("lp").bound,
        "multi": flow_program(model, "multi").value,
        "single": flow_program(model, "single").value,
    }


def optimum(model: SiblingModel) -> float:
    return max(model.score(heads) for heads in TREES[model.words, model.single_root])


def feasible(seed: int) -> bool:
    return values(seed)["optimum"] > -INF
