"""Likeness of posts against its definition."""

import pytest

from treaty.label.threads._words import WordCounts, likeness


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
