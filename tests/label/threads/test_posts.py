"""What is known of posts, thread by thread."""

import numpy as np
from tests.label.threads.toy import CHAT, toy_threads

from treaty.label.threads._posts import NOBODY, PostTable
from treaty.text import Post, Thread


def test_columns_of_a_chat():
    posts = PostTable([CHAT])
    assert posts.author.tolist() == [1, 1, 2, NOBODY, 3, 1]
    assert posts.addressee.tolist() == [0, 2, 0, 0, 0, 0]
    assert posts.mentions[:, 0].tolist() == [0, 2, 1, 0, 0, 0]
    assert posts.minute[:4].tolist() == [23 * 60 + 58, 23 * 60 + 59, 3, -1]
    assert posts.turn.tolist() == [1, 1, 2, 3, 4, 5]
    assert posts.rank.tolist() == [0, 1, 0, 0, 0, 2]
    assert posts.next_same.tolist() == [1, 5, 6, 6, 6, 6]
    assert posts.next_question.tolist() == [6, 4, 6, 6, 6, 6]


def test_threads_do_not_touch():
    threads = [*toy_threads(3), Thread([]), CHAT, Thread([Post("")]), *toy_threads(2, seed=5)]
    together = PostTable(threads)
    for number, thread in enumerate(threads):
        alone, begin = PostTable([thread]), together.begin[number]
        part = slice(begin, begin + len(thread))
        for name in ("author", "addressee", "mentions", "minute", "type", "rank", "first", "last"):
            assert np.array_equal(getattr(together, name)[part], getattr(alone, name))
        assert np.array_equal(np.diff(together.turn[part]), np.diff(alone.turn))
        for name in ("next_same", "next_question"):
            own = np.where(
                getattr(alone, name) == len(thread), len(together), getattr(alone, name) + begin
            )
            assert np.array_equal(getattr(together, name)[part], own)
