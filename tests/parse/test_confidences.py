"""Confidences: probabilities and margins against enumeration; calibration; MISC."""

import io
import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from tests.parse.parts_reference import Reference
from tests.parse.tag_reference import BITS, Toy, toys
from tests.parse.toy_parsers import random_sentence, randomize, toy_parser
from tests.parse.treebank import small_pipeline, treebank

from treaty._native import parse as native
from treaty.errors import UsageError
from treaty.learn import Calibration
from treaty.metrics import reliability
from treaty.parse import Pipeline, Root, calibrate
from treaty.parse._confidences import (
    ParserCalibration,
    with_confidences,
    without_confidences,
    written,
)
from treaty.text import Sentence, read_conllu


@settings(deadline=None, max_examples=60)
@given(toys())
def test_probabilities_of_tags_against_all_taggings(toy):
    tags, found = native.tag_with_probabilities(toy.model, toy.sequences, toy.choices, 2)
    assert tags.tolist() == native.tag(toy.model, toy.sequences, toy.choices, 1).tolist()
    done = 0
    for s, choices in enumerate(toy.lists):
        every = list(itertools.product(*choices))
        weight = np.exp([toy.score(s, one) for one in every])
        for i in range(len(choices)):
            own = sum(w for w, one in zip(weight, every, strict=True) if one[i] == tags[done + i])
            assert found[done + i] == pytest.approx(own / weight.sum(), abs=1e-5)
        done += len(choices)


def test_huge_scores_have_probabilities():
    rng = np.random.default_rng(1)
    toy = Toy([list("abcab" * 20)], [[(0, 1, 2)] * 100], 3)
    toy.model.weights.values[:] = 1e5 * rng.normal(size=2**BITS)
    _, found = native.tag_with_probabilities(toy.model, toy.sequences, toy.choices, 1)
    assert np.isfinite(found).all() and (found >= 0).all() and (found <= 1).all()


def is_tree(heads):
    for node in range(1, len(heads)):
        seen = set()
        while node and node not in seen:
            seen.add(node)
            node = heads[node]
        if node:
            return False
    return True


def neighbors(heads, m, single_root):
    """All trees in which m has another head, with the changes that this entails."""
    for h in range(len(heads)):
        if h in (m, heads[m]):
            continue
        made = list(heads)
        made[m] = h
        if not is_tree(made):
            made[h] = heads[m]
        if single_root and made.count(0) > 1:
            made[heads.index(0)] = m
        if is_tree(made) and (not single_root or made.count(0) == 1):
            yield tuple(made)


@pytest.mark.parametrize("order", ["first", "second", "third"])
@pytest.mark.parametrize("single_root", [True, False])
def test_margins_against_scores_of_other_trees(order, single_root):
    rng = random.Random(3)
    parser = toy_parser(order, single_root=single_root)
    randomize(parser, 4)
    for n in (1, 2, 5, 6):
        sentence = random_sentence(rng, n)
        reference = Reference(parser, sentence, order)
        ((_, found),) = parser.found([sentence], margins=True)
        heads = (-1, *found["head"][1:].tolist())
        for m in range(1, n + 1):
            others = [reference.score(tree) for tree in neighbors(heads, m, single_root)]
            margin = min([reference.score(heads) - score for score in others] + [30.0])
            assert found["margin"][m] == pytest.approx(margin, abs=1e-3)
        marginals = parser.marginals(sentence)
        for m in range(1, n + 1):
            assert found["marginal"][m] == pytest.approx(marginals[heads[m], m])


def test_margins_of_labels_are_those_of_their_scores():
    parser = toy_parser("first")
    rng = np.random.default_rng(2)
    parser.label_model.weights.values[:] = rng.normal(size=len(parser.label_model.weights.values))
    sentence = random_sentence(random.Random(1), 5)
    ((_, found),) = parser.found([sentence], margins=True)
    heads = found["head"].astype(np.int32)
    for m in range(1, 6):
        sequences = parser.sequences([sentence])
        labels, scores = native.label_scores(
            parser.label_model, sequences, 0, heads, int(heads[m]), m
        )
        first, second = sorted(scores)[-1:-3:-1]
        assert found["label_margin"][m] == pytest.approx(first - second)
        assert labels[int(np.argmax(scores))] == found["label"][m]


@pytest.fixture(scope="module")
def pipeline():
    made = small_pipeline(order="second")
    calibrate(made, treebank(30, seed=7))
    return made


def test_confidences_are_in_misc_and_nothing_else_changes(pipeline, tmp_path):
    sentences = treebank(5, seed=3)
    plain = list(pipeline.predict(sentences, tags="predict"))
    found = list(pipeline.predict(sentences, tags="predict", confidences=True, threads=2))
    for bare, sure in zip(plain, found, strict=True):
        assert "Confidence" not in bare.sentence.to_conllu()
        assert without_confidences(sure.sentence) == bare.sentence
        assert sure.certificate == bare.certificate
        for token in sure.sentence:
            names = [item.partition("=")[0] for item in token.misc.split("|")]
            assert names[-3:] == ["TagConfidence", "ArcConfidence", "LabelConfidence"]
    document = pipeline("The cat sees a dog.", confidences=True)
    for word in document:
        assert 0 <= word.label_confidence <= 1 and 0 <= word.arc_confidence <= 1
        assert 0 <= word.tag_confidence <= 1
    assert "label_confidence" in document.to_json()
    assert "Confidence" in document.to_conllu()
    assert "Confidence" not in document.to_conllu(confidences=False)


def test_given_tags_have_no_confidence(pipeline):
    (parse,) = pipeline.predict(treebank(1), confidences=True)
    assert "TagConfidence" not in parse.sentence.to_conllu()
    assert "ArcConfidence" in parse.sentence.to_conllu()


def test_long_sentences_have_confidences(pipeline):
    words = " ".join(["the cat sees a dog"] * 5).split()
    (parse,) = pipeline.predict([Sentence.from_words(words)], confidences=True, longest=10)
    assert parse.sentence.to_conllu().count("ArcConfidence") == len(words)
    assert parse.sentence.to_conllu().count("TagConfidence") == len(words)


def test_constraints_have_none(pipeline):
    with pytest.raises(UsageError, match="no confidences of trees with constraints"):
        list(pipeline.predict(treebank(1), confidences=True, constraints=[Root(1)]))


def test_calibration_is_kept_in_the_file(pipeline, tmp_path):
    pipeline.save(tmp_path / "toy.treaty")
    again = Pipeline.load(tmp_path / "toy.treaty")
    assert again.tagger.calibration == pipeline.tagger.calibration != Calibration.none(1)
    assert again.parser.calibration.arc == pipeline.parser.calibration.arc
    assert again.parser.calibration.label == pipeline.parser.calibration.label
    assert again.parser.calibration.label != ParserCalibration().label
    again.parser.calibration = ParserCalibration()
    assert "calibration" not in again.parser.to_file().header


def test_calibration_makes_confidences_reliable():
    """On text with noise, mean confidence is the share of right answers."""
    rng = random.Random(2)
    noisy = treebank(60, seed=11)
    for sentence in noisy:
        for token in sentence:
            if rng.random() < 0.25:
                token.upos = rng.choice(["NOUN", "VERB", "ADJ"])
    made = small_pipeline(order="first")
    calibrate(made, noisy)
    made.tag_choice = None  # it knows more than the tagger does
    found = [p.sentence for p in made.predict(noisy, tags="predict", confidences=True)]
    sure = [float(t.misc.split("TagConfidence=")[1].split("|")[0]) for s in found for t in s]
    gold = [t.upos for s in noisy for t in s]
    right = [a == t.upos for a, t in zip(gold, (t for s in found for t in s), strict=True)]
    assert math.isclose(sum(sure) / len(sure), sum(right) / len(right), abs_tol=0.01)
    assert reliability(sure, right).error < 0.1


def test_training_with_dev_data_calibrates(tmp_path):
    made = small_pipeline(order="first", dev=treebank(10, seed=5))
    assert made.tagger.calibration != Calibration.none(1)
    with pytest.raises(UsageError, match="no sentences"):
        calibrate(made, [])


def test_numbers_are_short():
    assert written(np.array([0.5, 1.0, 0.0, 0.12345])) == ["0.5", "1", "0", "0.1235"]
    made = with_confidences(Sentence.from_words(["a", "b"]), Tag=["1", "0.5"])
    assert [t.misc for t in made] == ["TagConfidence=1", "TagConfidence=0.5"]
    assert list(read_conllu(io.StringIO(made.to_conllu()))) == [made]
