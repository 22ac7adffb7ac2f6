import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.induce.relaxation.tiny import (
    corpora,
    count,
    frequencies,
    random_sentences,
    trees,
)

from treaty.errors import UsageError
from treaty.induce.relaxation._layout import Layout
from treaty.induce.relaxation._program import build_program
from treaty.induce.relaxation._sentence import sentence_rows


def holds(program, x, tolerance=1e-9):
    """Whether a point meets all rows and bounds."""
    return (
        np.all(x >= program.lower - tolerance)
        and np.all(x <= program.upper + tolerance)
        and np.allclose(program.equal.times(x), program.equal_right, atol=tolerance)
        and np.all(program.at_most.times(x) <= program.at_most_right + tolerance)
    )


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_the_integral_points_of_the_parse_rows_are_the_projective_trees(words):
    parses = sentence_rows(words)
    listed = set(trees(words))
    for bits in range(2**parses.arcs if parses.arcs <= 9 else 0):
        on = np.array([bits >> a & 1 for a in range(parses.arcs)], dtype=bool)
        heads = heads_of(parses, on)
        assert (heads in listed) == (heads is not None and is_feasible(parses, heads))
    for heads in listed:
        assert is_feasible(parses, heads)


def heads_of(parses, on):
    heads = [0] * parses.words
    for head, child in zip(parses.head[on], parses.child[on], strict=True):
        heads[child - 1] = int(head)
    one_each = np.all(np.bincount(parses.child[on], minlength=parses.words + 1)[1:] == 1)
    return tuple(heads) if one_each else None


def is_feasible(parses, heads):
    try:
        x = parses.point(np.array(heads))
    except RecursionError:  # a cycle has no flow
        return False
    equal = np.bincount(
        parses.equal.row, parses.equal.value * x[parses.equal.column], len(parses.equal.right)
    )
    at_most = np.bincount(
        parses.at_most.row, parses.at_most.value * x[parses.at_most.column],
        len(parses.at_most.right),
    )  # fmt: skip
    return np.allclose(equal, parses.equal.right) and np.all(
        at_most <= parses.at_most.right + 1e-12
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_every_parse_is_a_point_with_the_counts_of_the_model(seed, lengths):
    random = np.random.default_rng(seed)
    sentences = random_sentences(random, lengths)
    times = random.integers(1, 4, len(lengths))
    layout = Layout(3)
    program = build_program(3, sentences, times)
    for _ in range(5):
        heads = [trees(n)[random.integers(len(trees(n)))] for n in lengths]
        counts = sum(
            often * count(layout, sentence, own)
            for often, sentence, own in zip(times, sentences, heads, strict=True)
        )
        x = program.point(frequencies(layout, counts), heads)
        assert holds(program, x)
        k = program.parameters
        assert np.allclose(x[k : 2 * k], counts[program.live])
        assert not counts[np.setdiff1d(np.arange(layout.count), program.live)].any()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_counts_never_leave_their_range_and_the_best_parameters_are_above_the_floor(seed):
    random = np.random.default_rng(seed)
    layout = Layout(2)
    sentences = random_sentences(random, (3, 4), tags=2)
    program = build_program(2, sentences)
    k = program.parameters
    for _, counts in corpora(layout, sentences):
        own = counts[program.live]
        assert np.all(program.lower[k : 2 * k] <= own)
        assert np.all(own <= program.upper[k : 2 * k])
        probability = frequencies(layout, counts)
        assert np.all(probability[counts > 0] > program.floor)


def test_posterior_constraints_cut_off_what_breaks_them_and_nothing_else():
    layout = Layout(2)
    sentences = [np.array([0, 1, 0])]
    wanted = np.zeros(layout.count)
    wanted[layout.child(1, np.arange(2), 0)] = 1.0
    wanted[layout.root(1)] = 1.0
    program = build_program(2, sentences, kinds=wanted, least=2.25)
    verdicts = []
    for heads, counts in corpora(layout, sentences):
        x = program.point(frequencies(layout, counts), heads)
        verdicts.append(holds(program, x))
        assert verdicts[-1] == (counts @ wanted >= 2.25)
    assert True in verdicts and False in verdicts


def test_an_empty_corpus_is_refused():
    with pytest.raises(UsageError, match="at least one sentence"):
        build_program(2, [])
    with pytest.raises(UsageError, match="none may be empty"):
        build_program(2, [[0], []])
