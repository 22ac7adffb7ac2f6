"""What starts at each character under any scores: against enumeration, and the native tokenizer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from treaty import Status
from treaty.learn import HashedLinear, LearnerOptions, TrainOptions, train_scorer
from treaty.parse import Tokenizer
from treaty.parse._samples import treebank
from treaty.parse.tokens._character_structure import CharacterStructure

TEXTS = ["Hi.", "A b", "No.\n\nOh", "", "The dog sleeps. Cats  sing!\n\nDogs don't.", "  \n\n "]


@pytest.fixture(scope="module", name="structure")
def _structure() -> CharacterStructure:
    tokenizer = Tokenizer.train(treebank(), epochs=3, bits=12)
    return tokenizer.structures()["characters"]


@pytest.mark.parametrize("text", TEXTS[:4])
@pytest.mark.parametrize("seed", range(2))
def test_decoding_any_scores_is_enumeration(structure, text, seed):
    parts = structure.parts(text)
    scores = np.random.default_rng(seed).normal(size=len(parts))
    tags = [allowed.tolist() for chain in parts.chains for allowed in chain.tags]
    every = np.array([parts.of_tags(some) for some in itertools.product(*tags)])
    totals = sorted(every @ scores, reverse=True)
    decoding = structure.decode(parts, scores)
    assert decoding.status is Status.OPTIMAL
    assert decoding.objective == pytest.approx(totals[0])
    assert float(scores @ decoding.amounts) == pytest.approx(totals[0])
    best = structure.k_best(parts, scores, 3)
    assert [one.objective for one in best] == pytest.approx(totals[:3])
    weights = np.exp(every @ scores)
    expected = weights @ every / weights.sum()
    assert structure.marginals(parts, scores) == pytest.approx(expected)


@pytest.mark.parametrize("text", TEXTS)
def test_scores_of_the_model_give_its_documents(structure, text):
    parts = structure.parts(text)
    scores = structure.model_scores()(parts)
    decoding, fast = structure.decode(parts, scores), structure.fused(parts)
    assert decoding.objective == pytest.approx(fast.objective, abs=1e-4)
    document = structure.tokenizer.document(text)
    assert structure.read(parts, decoding).to_dict() == document.to_dict()


def test_other_scores_split_otherwise(structure):
    parts = structure.parts("cats sing")
    tags = parts.chains[0]
    scores = np.zeros(len(parts))
    for allowed, (single, *_) in zip(tags.tags, tags.tables(scores), strict=True):
        single[allowed == 2] = 1.0  # a token at every character
    read = structure.read(parts, structure.decode(parts, scores))
    assert [token.form for s in read.sentences for token in s] == list("catssing")


def test_pieces_are_those_of_blank_lines(structure):
    parts = structure.parts("No.\n\nOh")
    assert list(parts.kinds) == [
        f"{kind} {n}" for n in (0, 1) for kind in ("tag", "pair", "triple")
    ]
    assert structure.decode(parts, np.zeros(len(parts))).objective == 0.0
    scores = np.zeros(len(parts))
    scores[parts.kinds["tag 1"]] = -np.inf
    assert structure.decode(parts, scores).status is Status.INFEASIBLE


def test_characters_learn(structure):
    examples = treebank()
    trained = train_scorer(
        structure, HashedLinear(12), examples, LearnerOptions("mira"), TrainOptions(epochs=8)
    )
    right = 0
    for example in examples:
        parts = structure.training_parts(example)
        decoding = structure.decode(parts, trained.scores(parts))
        right += decoding.amounts.tolist() == structure.gold(parts, example).tolist()
    assert right >= len(examples) - 1
