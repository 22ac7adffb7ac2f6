"""Twins of the native code that read like the definitions, and random models to compare on."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np

from treaty.label import Instances, PatternCrf, PatternKind


class Factor:
    """A factor as a user thinks of it."""

    def __init__(self, kind, vertices, features, values=None):
        self.kind, self.vertices, self.features = kind, vertices, features
        self.values = values or [1.0] * len(features)


def add_factors(instances, factors):
    for f in factors:
        instances.add(
            f.kind.name, [f.vertices], f.features, [0, len(f.features)], np.array(f.values)
        )


def batch_of(kinds, graphs):
    """Instances of graphs, each a number of vertices and a list of factors."""
    instances = Instances(kinds)
    for vertices, factors in graphs:
        instances.start(vertices)
        add_factors(instances, factors)
    return instances


def rows_of(crf):
    """The row of weights of every (kind, feature)."""
    rows = {}
    for number, (kind, table) in enumerate(zip(crf.kinds, crf.weights(), strict=True)):
        for feature, row in zip(crf.native.features(number).tolist(), table, strict=True):
            rows[kind.name, feature] = row.astype(float)
    return rows


def score(crf, factors, labels):
    """The score of a labeling, from the definition."""
    rows, total = rows_of(crf), 0.0
    for f in factors:
        pattern = tuple(labels[v] for v in f.vertices)
        if pattern in f.kind.forbidden:
            return -math.inf
        if pattern in f.kind.patterns:
            at = 0 if f.kind.tied else f.kind.patterns.index(pattern)
            pairs = zip(f.features, f.values, strict=True)
            total += sum(x * rows[f.kind.name, h][at] for h, x in pairs if (f.kind.name, h) in rows)
    return total


def all_scores(crf, vertices, factors):
    """The score of every labeling."""
    labels = range(len(crf.labels))
    return {y: score(crf, factors, y) for y in itertools.product(labels, repeat=vertices)}


def random_kinds(rng, labels, forbid=True):
    """A dense and a sparse kind of one, of two, and one of three vertices; some are tied."""
    pairs = list(itertools.product(range(labels), repeat=2))
    triples = list(itertools.product(range(labels), repeat=3))
    tied = [rng.random() < 0.3 for _ in range(3)]
    banned = tuple(rng.sample(pairs, 1)) if forbid and labels > 1 else ()
    return [
        PatternKind.every("word", labels, 1),
        PatternKind("rare", tuple((a,) for a in range(0, labels, 2)), tied=tied[0]),
        PatternKind.every("next", labels, 2, forbidden=banned),
        PatternKind("same", tuple((a, a) for a in range(labels)), tied=tied[1]),
        PatternKind("three", tuple(rng.sample(triples, min(4, len(triples)))), tied=tied[2]),
    ]


def random_factors(rng, kinds, vertices, pairs):
    """Features for all vertices and for these pairs."""
    word, rare, following, same, _ = kinds

    def features(n):
        return [rng.randint(0, 6) for _ in range(n)], [
            rng.choice([1.0, 0.5, -2.0]) for _ in range(n)
        ]

    factors = [Factor(word, (v,), *features(2)) for v in range(vertices)]
    factors += [Factor(rare, (v,), *features(1)) for v in range(vertices) if rng.random() < 0.5]
    for u, v in pairs:
        both = (u, v) if rng.random() < 0.5 else (v, u)
        factors.append(Factor(following, both, [1] if rng.random() < 0.5 else [rng.randint(1, 3)]))
        if rng.random() < 0.3:
            factors.append(Factor(same, (v, u), *features(2)))
    return factors


def random_tree(rng, vertices):
    """Edges of a forest, a chain often enough."""
    if rng.random() < 0.4:
        return list(itertools.pairwise(range(vertices)))
    names = rng.sample(range(vertices), vertices)
    return [(names[v], names[rng.randrange(v)]) for v in range(1, vertices) if rng.random() < 0.9]


def random_crf(rng, labels, kinds, instances, scale=1.0):
    """A model with random weights for all features of some instances."""
    crf = PatternCrf([f"L{a}" for a in range(labels)], kinds)
    crf.native.index(instances.native)
    values = crf.native.weights.values
    values[:] = [scale * rng.gauss(0, 1) for _ in range(len(values))]
    return crf


def random_forest(seed, *, forbid=True, scale=1.0, labels=None, vertices=None):
    """A random model, and a batch of one forest: (crf, instances, vertices, factors)."""
    rng = random.Random(seed)
    labels = labels or rng.randint(1, 3)
    vertices = rng.randint(0, 5) if vertices is None else vertices
    kinds = random_kinds(rng, labels, forbid)
    factors = random_factors(rng, kinds, vertices, random_tree(rng, vertices))
    instances = batch_of(kinds, [(vertices, factors)])
    return random_crf(rng, labels, kinds, instances, scale), instances, vertices, factors


def random_graph(seed, vertices=4, labels=3):
    """The same with cycles and triples."""
    rng = random.Random(seed)
    kinds = random_kinds(rng, labels)
    pairs = [p for p in itertools.combinations(range(vertices), 2) if rng.random() < 0.7]
    factors = random_factors(rng, kinds, vertices, pairs)
    for triple in itertools.combinations(range(vertices), 3):
        if rng.random() < 0.5:
            factors.append(Factor(kinds[4], tuple(rng.sample(triple, 3)), [9]))
    instances = batch_of(kinds, [(vertices, factors)])
    return random_crf(rng, labels, kinds, instances), instances, vertices, factors
