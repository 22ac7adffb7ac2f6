"""Points of mathematical programs: what parameters and parses mean there, word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from tests.induce.reference import count_tree, frequencies, likelihoods, parses, random_tree

from treaty.papers.relaxations._program import Program
from treaty.papers.relaxations._sentence import SentenceRows, sentence_rows
from treaty.papers.relaxations._sparse import Sparse


def times(matrix: Sparse, x: np.ndarray) -> np.ndarray:
    """A x, row by row."""
    ends = zip(matrix.begin[:-1], matrix.begin[1:], strict=True)
    return np.array([matrix.value[a:b] @ x[matrix.column[a:b]] for a, b in ends])


def sentence_point(rows: SentenceRows, heads: Sequence[int]) -> np.ndarray:
    """The columns of a tree: its arcs, its flow, and its decisions."""
    values = np.zeros(rows.columns)
    on = np.asarray(heads)[rows.child - 1] == rows.head
    values[: rows.arcs] = on
    below = np.zeros(rows.words + 1)  # the flow on an arc is the number of words beyond it
    for word in range(1, rows.words + 1):
        for above in chain(heads, word):
            below[above] += 1
    values[rows.arcs : 2 * rows.arcs] = on * below[rows.child]
    for d, (word, side) in enumerate(zip(rows.token, rows.direction, strict=True)):
        children = [child for child, head in enumerate(heads, 1) if head == word]
        values[2 * rows.arcs + d] = any((child > word) == bool(side) for child in children)
    return values


def chain(heads: Sequence[int], word: int) -> Iterator[int]:
    """A word and all above it."""
    for _ in heads:
        yield word
        word = heads[word - 1]
        if word == 0:
            return
    raise RecursionError("a cycle has no flow")


def point_of(program: Program, probabilities: np.ndarray, heads: Sequence) -> np.ndarray:
    """The columns of parameters and parses: a feasible point if those are legal."""
    x = np.zeros(program.columns)
    x[: program.parameters] = np.log(np.maximum(probabilities[program.live], program.floor))
    for number, (sentence, own) in enumerate(zip(program.sentences, heads, strict=True)):
        rows, first = sentence_rows(len(sentence)), int(program.first_column[number])
        x[first : first + rows.columns] = sentence_point(rows, own)
    # Equality row k says what count k is (see `build_program`).
    counts = slice(program.parameters, 2 * program.parameters)
    x[counts] = (program.equal_right - times(program.equal, x))[: program.parameters]
    return x


def feasible_point(program: Program, random: np.random.Generator) -> np.ndarray:
    """Random parses, and random parameters or the parses' own."""
    layout = program.layout
    heads = [random_tree(len(sentence), random) for sentence in program.sentences]
    if random.random() < 0.5:
        both = zip(program.sentences, heads, strict=True)
        counts = sum(count_tree(s.tolist(), tree, layout.tags).flat for s, tree in both)
        return point_of(program, frequencies(counts), heads)
    weight = random.exponential(size=layout.size) ** 3
    total = np.bincount(layout.distribution, weight)[layout.distribution]
    return point_of(program, weight / total, heads)


def box_around(
    program: Program, x: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Random bounds of the parameters that leave the point inside, and some arcs fixed."""
    k = program.parameters
    lower, upper = program.lower.copy(), program.upper.copy()
    narrow = random.random(k) < 0.6
    share = random.random(k)
    lower[:k] += np.where(narrow, share * (x[:k] - lower[:k]), 0.0)
    upper[:k] -= np.where(narrow, random.random(k) * (upper[:k] - x[:k]), 0.0)
    arcs = program.arc_columns(0)
    fixed = random.random(arcs.stop - arcs.start) < 0.3
    lower[arcs] = np.where(fixed, x[arcs], lower[arcs])
    upper[arcs] = np.where(fixed, x[arcs], upper[arcs])
    return lower, upper


def optimum(n_tags: int, sentences: Sequence[np.ndarray], is_allowed=lambda counts: True) -> float:
    """The best log-likelihood there is, or -inf."""
    allowed = [counts for _, counts in parses(n_tags, sentences) if is_allowed(counts)]
    return max(likelihoods(np.array(allowed))) if allowed else -np.inf
