"""Topics to learn from, and small problems made of them."""

from __future__ import annotations

import numpy as np
from tests.summarize.subgradients import BITS
from tests.summarize.toys import problem, sentences

from treaty.summarize import ArcFeatures, CoverageFeatures, k_grams
from treaty.summarize.scores._oracle import reference_counts
from treaty.summarize.scores._topic import Topic, parts_of


def topic(seed: int = 0, words: int = 9) -> Topic:
    stated = problem(seed, documents=2, size=3)
    counts = reference_counts(
        stated, [sentences(seed + 50, 2), sentences(seed + 60, 2)], k_grams(2, str)
    )
    arcs = ArcFeatures(bits=BITS)([s.sentence for s in stated.sources])
    return Topic(stated, CoverageFeatures(bits=BITS)(stated), arcs, counts, words)


def test_parts_know_the_whole_text() -> None:
    given = topic(3)
    part = given.part([0, 2, 5], 7)
    assert len(part.problem.sources) == 3
    place = {name: n for n, name in enumerate(given.problem.concepts)}
    for number, name in enumerate(part.problem.concepts):
        assert part.counts[number] == given.counts[place[name]]
        assert part.problem.document_counts[number] == given.problem.document_counts[place[name]]
        assert np.array_equal(part.coverage.places[number], given.coverage.places[place[name]])
    assert part.arcs is not None
    assert len(part.arcs.head) == part.problem.begin[-1]
    made = parts_of([given], parts=6, sentences=3, share=0.5, seed=1)
    assert 0 < len(made) <= 6
    assert all(part.words == round(0.5 * part.problem.words.sum()) for part in made)
    assert len(parts_of([given, given], parts=6, sentences=3, share=0.5, seed=1)) > len(made)
    again = parts_of([given], parts=6, sentences=3, share=0.5, seed=1)
    assert [p.problem.concepts for p in made] == [p.problem.concepts for p in again]
