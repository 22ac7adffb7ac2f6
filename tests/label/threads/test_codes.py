"""What is known of pairs of posts."""

import numpy as np
from tests.label.threads.toy import CHAT, toy_threads

from treaty.label.threads._codes import CODES, LIKENESS, codes_of
from treaty.label.threads._cues import words_of
from treaty.label.threads._pairs import PairGrid, pieces_of
from treaty.label.threads._posts import PostTable
from treaty.label.threads._words import WordCounts
from treaty.languages import get


def codes(threads, window=50):
    posts = PostTable(threads, get("en"))
    counts = WordCounts.of(posts.words)
    pieces = [p for n, thread in enumerate(threads) for p in pieces_of(n, thread, window)]
    grid = PairGrid(pieces, posts.begin, window)
    return grid, codes_of(posts, pieces, grid, counts, window)


def test_codes_of_pairs():
    grid, found = codes([CHAT])
    pair = {(s, t): v for v, (s, t) in enumerate(zip(grid.source, grid.target, strict=True))}
    assert set(found) == {*CODES, *LIKENESS}
    answer = pair[2, 1]  # rennoc answers the question that begins with the name
    assert found["same"][answer] == 0
    assert found["mentioned"][answer] == 3
    assert found["mention"][answer] == 2
    assert found["latest-question"][answer] == 2
    assert found["other-before"][answer] == 1
    assert found["gap"][answer] == 3  # four minutes, over midnight
    assert found["same"][pair[1, 0]] == 1
    assert found["same"][pair[4, 3]] == 2
    assert found["latest"][pair[4, 0]] == 0
    assert found["opening"][pair[4, 0]] == 1
    assert found["own-between"][pair[5, 1]] == 1
    assert found["newcomer"][pair[2, 0]] == 3


def test_codes_do_not_depend_on_the_other_threads():
    threads = toy_threads(4)
    counts = WordCounts.of([words_of(p.text) for t in threads for p in t.posts])

    def some(chosen):
        posts = PostTable(chosen, get("en"))
        pieces = [p for n, thread in enumerate(chosen) for p in pieces_of(n, thread, 3)]
        return codes_of(posts, pieces, PairGrid(pieces, posts.begin, 3), counts, 3)

    together, alone = some(threads), [some([thread]) for thread in threads]
    for name, values in together.items():
        assert np.array_equal(values, np.concatenate([part[name] for part in alone])), name
