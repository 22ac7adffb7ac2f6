"""The grid of pairs, against its definition spelled out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.label.threads import _pairs
from treaty.label.threads._pairs import PairGrid, pairs_left_out, pieces_of
from treaty.text import Post, Thread

SHAPES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4)


def threads_of(shapes):
    return [Thread([Post("a")] * size, annotated_from=min(start, size)) for size, start in shapes]


def grid_of(threads, window):
    begin = np.concatenate([[0], np.cumsum([len(thread) for thread in threads])]).astype(np.int64)
    pieces = [piece for n, thread in enumerate(threads) for piece in pieces_of(n, thread, window)]
    return pieces, begin, PairGrid(pieces, begin, window)


def spelled_out(pieces, begin, window):
    """Every pair: its piece, source and target."""
    return [
        (number, begin[piece.thread] + source, begin[piece.thread] + target)
        for number, piece in enumerate(pieces)
        for source in range(piece.start, piece.stop)
        for target in range(max(0, source - window), source)
    ]


@given(SHAPES, st.integers(1, 6), st.integers(1, 30))
@settings(deadline=None, max_examples=80)
def test_the_grid_is_what_it_should_be(shapes, window, most):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_pairs, "MOST_PAIRS", most)
        threads = threads_of(shapes)
        pieces, begin, grid = grid_of(threads, window)
        pairs = spelled_out(pieces, begin, window)
        assert list(zip(grid.source.tolist(), grid.target.tolist(), strict=True)) == [
            (source, target) for _, source, target in pairs
        ]
        place = {pair: number for number, pair in enumerate(pairs)}
        for name, down, right in (
            ("left", 0, -1), ("right", 0, 1), ("up", -1, 0), ("down", 1, 0)
        ):  # fmt: skip
            expected = [place.get((n, s + down, t + right), -1) for n, s, t in pairs]
            assert getattr(grid, name).tolist() == expected
        assert [len(range(*two)) for two in zip(grid.begin, grid.begin[1:], strict=False)] == [
            sum(n == number for n, _, _ in pairs) for number in range(len(pieces))
        ]


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 5))
@settings(deadline=None, max_examples=60)
def test_pairs_that_are_left_out_are_counted(size, start, window):
    [thread] = threads_of([(size, start)])
    every = [
        (source, target)
        for source in range(thread.annotated_from, size)
        for target in range(source)
    ]
    _, _, grid = grid_of([thread], window)
    assert pairs_left_out(thread, window) == len(every) - len(grid)


def test_pieces_are_small_and_cover_all_sources():
    thread = Thread([Post("a")] * 5000)
    pieces = list(pieces_of(3, thread, 50))
    assert [piece.start for piece in pieces[1:]] == [piece.stop for piece in pieces[:-1]]
    assert (pieces[0].start, pieces[-1].stop, pieces[0].thread) == (1, 5000, 3)
    assert max(50 * (piece.stop - piece.start) for piece in pieces) <= _pairs.MOST_PAIRS


def test_adjacent_edges_make_six_triples_in_the_middle():
    _, _, grid = grid_of([Thread([Post("a")] * 6)], 10)
    middle = next(v for v in range(len(grid)) if (grid.source[v], grid.target[v]) == (4, 2))
    ways = ["left", "right", "up", "down"]
    pairs = [(a, b) for i, a in enumerate(ways) for b in ways[i + 1 :]]
    found = [
        tuple(row) for a, b in pairs for row in grid.factors(a, b).tolist() if row[1] == middle
    ]
    assert len(found) == 6
    assert all(len(set(triple)) == 3 for triple in found)
