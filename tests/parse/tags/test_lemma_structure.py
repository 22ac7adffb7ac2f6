"""Edit scripts under any scores: against enumeration, and against the native classifier."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from treaty import Status
from treaty.learn import HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.parse import Lemmatizer
from treaty.parse._samples import treebank
from treaty.parse.tags._lemma_structure import LemmaStructure
from treaty.text import Sentence, Token

ROWS = [
    *[("dogs", "dog"), ("cats", "cat"), ("birds", "bird"), ("grass", "grass"), ("glass", "glass")],
    *[("saws", "saw"), ("saws", "see"), ("boxes", "box"), ("houses", "house")],
]


@pytest.fixture(scope="module", name="structure")
def _structure() -> LemmaStructure:
    sentences = [Sentence([Token(*row, upos="NOUN")]) for row in ROWS]
    return Lemmatizer.train(sentences * 4, epochs=3, bits=10).structures()["lemmas"]


def words(*forms: str) -> Sentence:
    return Sentence([Token(form, upos="NOUN") for form in forms])


@pytest.mark.parametrize("seed", range(3))
def test_decoding_any_scores_is_enumeration(structure, seed):
    parts = structure.parts(words("girls", "saws", "dog", "classes"))
    assert len(parts.items) >= 2
    scores = np.random.default_rng(seed).normal(size=len(parts))
    lists = [item.candidates.scripts for item in parts.items]
    every = np.array([parts.amounts(scripts) for scripts in itertools.product(*lists)])
    totals = sorted(every @ scores, reverse=True)
    decoding = structure.decode(parts, scores)
    assert decoding.status is Status.OPTIMAL
    assert decoding.objective == pytest.approx(totals[0])
    best = structure.k_best(parts, scores, 3)
    assert [one.objective for one in best] == pytest.approx(totals[:3])
    weights = np.exp(every @ scores)
    expected = weights @ every / weights.sum()
    assert structure.marginals(parts, scores) == pytest.approx(expected)


def test_scores_of_the_model_give_its_lemmas(structure):
    scored, lemmatizer = structure.model_scores(), structure.lemmatizer
    given = [words("girls", "saws"), words("foxes", "mass", "dogs"), words(), *treebank()]
    for sentence, predicted in zip(given, lemmatizer.predict(given), strict=True):
        parts = structure.parts(sentence)
        decoding = structure.decode(parts, scored(parts))
        assert structure.read(parts, decoding).tokens == predicted.tokens
        assert structure.fused(parts).amounts.tolist() == decoding.amounts.tolist()


def test_other_scores_give_other_lemmas(structure):
    parts = structure.parts(words("saws"))
    lemmas = set()
    for script in range(len(parts)):
        scores = np.eye(len(parts))[script]
        read = structure.read(parts, structure.decode(parts, scores))
        lemmas.add(read.tokens[0].lemma)
    assert lemmas >= {"saw", "see"}


def test_forbidden_scripts(structure):
    parts = structure.parts(words("saws"))
    none = structure.decode(parts, np.full(len(parts), -np.inf))
    assert not none.is_answer
    assert none.status is Status.INFEASIBLE


def test_scripts_learn(structure):
    examples = [Sentence([Token(*row, upos="NOUN")]) for row in ROWS if row[1] != "see"]
    trained = train_scorer(
        structure, HashedLinear(10), examples, LearnerOptions("mira"), TrainOptions(epochs=10)
    )
    for example in examples:
        parts = structure.training_parts(example)
        decoding = structure.decode(parts, trained.scores(parts))
        assert decoding.amounts.tolist() == structure.gold(parts, example).tolist()
