"""What is known of posts and pairs, against thread by thread and pair by pair."""

import hashlib

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.corpus import Post, Thread
from treaty.errors import UsageError
from treaty.label.threads._batch import Batch
from treaty.label.threads._codes import CODES, LIKENESS, codes_of
from treaty.label.threads._cues import TYPES, type_of, words_of
from treaty.label.threads._models import MODELS, kinds_of
from treaty.label.threads._pairs import PairGrid, pieces_of
from treaty.label.threads._posts import NOBODY, PostTable
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts, likeness

CHAT = Thread(
    [
        Post("hello all", "ann", time="23:58"),
        Post("rennoc: any sheep?", "Ann", time="23:59"),
        Post("no, sorry ann", "rennoc1", time="00:03"),
        Post("*** server restarts", ""),
        Post("can you wait", "Bob"),
        Post("thanks", "ann", time="2024-05-01T10:00:00"),
    ]
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Any sheep?", "question"),
        ("well can you wait", "question"),
        ("have sheep", "statement"),
        ("thx a lot", "thanks"),
        ("ok", "agreement"),
        ("nope", "refusal"),
        (":-)", "silence"),
        ("", "silence"),
        ("the game is young", "statement"),
    ],
)
def test_types(text, kind):
    assert TYPES[type_of(words_of(text))] == kind


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


def codes(threads, window=50):
    posts = PostTable(threads)
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
        posts = PostTable(chosen)
        pieces = [p for n, thread in enumerate(chosen) for p in pieces_of(n, thread, 3)]
        return codes_of(posts, pieces, PairGrid(pieces, posts.begin, 3), counts, 3)

    together, alone = some(threads), [some([thread]) for thread in threads]
    for name, values in together.items():
        assert np.array_equal(values, np.concatenate([part[name] for part in alone])), name


def test_likeness_against_its_definition():
    posts = [["any", "sheep", "sheep"], ["sheep", "!"], [], ["dragon", "sheep"], ["dragon"]]
    counts = WordCounts.of(posts * 500)
    cosine, overlap, shared = likeness(posts, counts)
    vectors = [{w: p.count(w) * counts.weight(w) for w in p} for p in posts]
    norms = [max(sum(x * x for x in v.values()) ** 0.5, 1e-6) for v in vectors]
    for i, a in enumerate(posts):
        for j, b in enumerate(posts):
            dot = sum(vectors[i][w] * vectors[j].get(w, 0) for w in vectors[i])
            assert cosine[i, j] == pytest.approx(dot / norms[i] / norms[j], abs=1e-5)
            both = set(a) & set(b)
            assert overlap[i, j] == pytest.approx(len(both) / max(len(set(a) | set(b)), 1))
            assert shared[i, j] == sum(counts.is_rare(w) for w in both)


def test_all_templates_are_sound():
    for families in MODELS.values():
        for family in families:
            assert len(family.compiled) == len(family.templates)
            assert len(set(family.templates)) == len(family.templates)


@pytest.mark.parametrize("template", ["nonsense", "2.same", "same.", "0.same 1.x"])
def test_other_templates_are_refused(template):
    with pytest.raises(UsageError, match=r"no code|names item 2"):
        Family("f", ("right",), (template,), ((1, 1),))


def test_features_are_those_that_shipped_models_were_trained_with():
    threads = toy_threads(3)
    counts = WordCounts.of([words_of(post.text) for thread in threads for post in thread.posts])
    families = MODELS["3-wise"]
    factors = Batch(threads, counts, families, kinds_of(families), 30).factors
    assert factors[1][1][0, :3].tolist() == [
        5235868017390925849, 10213363292760683231, 7850384271341362126
    ]  # fmt: skip
    digest = hashlib.sha256(b"".join(features.tobytes() for _, features in factors))
    assert digest.hexdigest() == "ad134442de00f2f9f37b361e4512ddf846b194939f9a484f56b4b02ea2a49bb5"
