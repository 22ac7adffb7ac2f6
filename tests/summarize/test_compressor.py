"""Compression of single sentences that is learned by itself."""

from __future__ import annotations

import pytest
from tests.summarize.toys import compressions, sentences

from treaty.errors import UsageError
from treaty.metrics import compression_scores
from treaty.summarize import Compressor, Costs, Rules
from treaty.text import Compression

BITS = 12


@pytest.mark.parametrize("events", [("cut",), ("cut", "lift", "keep")])
@pytest.mark.parametrize("rules", [None, Rules.of_structure()])
def test_compressors_learn_what_is_left_out(events: tuple[str, ...], rules: Rules | None) -> None:
    train, held_out = compressions(0, 60), compressions(1, 20)
    made = Compressor.train(train, bits=BITS, events=events, rules=rules, epochs=5)
    assert made.compress([e.sentence for e in held_out]) == [e.keep for e in held_out]


def test_the_length_of_compressions_is_tuned_on_held_out_ones() -> None:
    made = Compressor.train(compressions(0, 8), bits=BITS, epochs=1)
    whole = [Compression(s, [True] * len(s)) for s in sentences(1, 20)]
    kept = [sum(map(sum, c.compress(sentences(1, 20)))) for c in (made, made.tuned(whole))]
    assert kept[0] < kept[1] == 120


def test_the_best_f1_of_all_lengths_is_told() -> None:
    made = Compressor.train(compressions(0, 30), bits=BITS, epochs=1, folds=3)
    mixed = compressions(1, 20) + [Compression(s, [True] * len(s)) for s in sentences(2, 20)]

    def f1(compressor: Compressor) -> float:
        found = compressor.compress([example.sentence for example in mixed])
        return compression_scores([example.keep for example in mixed], found).kept.f1

    tuned = made.tuned(mixed)
    assert f1(made) < f1(tuned) == tuned.tuned_f1 < 1.0


def test_compressors_need_cuts() -> None:
    with pytest.raises(UsageError, match="'cut'"):
        Compressor.train(compressions(0, 2), events=("keep",), costs=Costs())
