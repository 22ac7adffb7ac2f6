"""Features of concepts."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from tests.summarize.toys import problem

from treaty.errors import UsageError
from treaty.summarize import CoverageFeatures, Problem, Source
from treaty.summarize._coverage_features import CODES, NUMBERS, _Facts
from treaty.text import Sentence


def test_facts_of_concepts_are_counted_in_the_whole_text() -> None:
    texts = [["Ada", "sells", "cars"], ["Bo", "sells", "cars"], ["Ada", "sells", "pots"]]
    places = [(0, 0), (0, 1), (1, 2)]
    sources = [
        Source(d, n, Sentence.from_words(text)) for (d, n), text in zip(places, texts, strict=True)
    ]
    stated = Problem.of(sources, stemmer=str, stop_words=frozenset(["sells"]), titles=["Old cars!"])
    found = dict(zip(stated.concepts, range(9), strict=False))
    facts = _Facts(stated)
    names = ["ada sells", "sells cars", "bo sells", "sells pots"]
    assert list(found) == names
    numbers = {name: NUMBERS[name](facts).tolist() for name in NUMBERS}
    assert numbers["share"] == [1.0, 0.5, 0.5, 0.5]
    assert numbers["lead share"] == [0.5, 0.5, 0.0, 0.0]
    assert numbers["earliness"] == [1.0, 1.0, 0.5, 1 / 3]
    assert numbers["title share"] == [0.0, 0.25, 0.0, 0.0]
    assert numbers["first documents"] == [1.0, 1.0, 1.0, 0.5]
    assert numbers["relative documents"] == [3.0, 1.5, 1.5, 1.5]
    codes = {name: CODES[name](facts).tolist() for name in CODES}
    assert codes["stops"] == [2, 1, 2, 1]
    assert codes["style"] == [1, 0, 1, 0]
    assert codes["titled"] == [0, 1, 0, 0]
    assert codes["repeated"] == [0, 1, 0, 0]


def test_genres_tell_lengths_of_documents() -> None:
    assert _Facts(problem(0, documents=1)).genre == 0
    assert _Facts(problem(0, documents=12, size=1)).genre == 1
    assert _Facts(problem(0)).genre == 2


def test_totals_are_scores_the_other_way_round() -> None:
    coverage = CoverageFeatures(bits=12)(problem(1))
    weights = np.random.default_rng(0).normal(size=2**12)
    amounts = np.linspace(0, 1, len(coverage.places))
    places, values = coverage.total(amounts)
    assert weights[places] @ values == pytest.approx(amounts @ coverage.scores(weights))


def test_templates_that_name_what_is_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="there is no code 'color'"):
        CoverageFeatures(["color documents"])
    with pytest.raises(UsageError, match="there is no number 'color'"):
        CoverageFeatures(["*color"])


def test_features_are_those_that_shipped_models_were_trained_with() -> None:
    coverage = CoverageFeatures()(problem(1))
    assert coverage.places[3, -4:].tolist() == [225032, 231049, 174893, 178813]
    digest = hashlib.sha256(coverage.places.astype(np.int64).tobytes())
    assert digest.hexdigest() == "198c4159ca30c290688cb757ea423a6e23e06ab090cd8d29831b41a1e6a1fdac"
    assert coverage.values is not None
    digest = hashlib.sha256(coverage.values.tobytes())
    assert digest.hexdigest() == "ad7bd6ea674dd6359d9eb70ae0a70d4e6354f67c1ec018edda36adfbb0b9b338"
