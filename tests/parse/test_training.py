"""MIRA against a reference, threads, averages, and going on after a break."""

import random
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from tests.features import reference as kernel
from tests.parse.enumeration import TREES
from tests.parse.parts_reference import Reference, label_buckets
from tests.parse.toy_parsers import (
    heads_of,
    random_sentence,
    randomize,
    small_templates,
    toy_parser,
    with_heads,
)

from treaty._native import parse as native
from treaty.errors import ModelError, UsageError
from treaty.parse import Parser, train_parser
from treaty.parse._words import gold_of, sequences_of
from treaty.progress import Progress
from treaty.text import Sentence

Table = npt.NDArray[np.float32]
SMALL = {"pruner_bits": 10, "parser_bits": 12, "label_bits": 10}


def treebank(seed: int, sentences: int, n: int = 4) -> list[Sentence]:
    rng = random.Random(seed)
    lengths = [rng.randint(1, n) for _ in range(sentences)]
    return [with_heads(random_sentence(rng, k), rng.choice(TREES[k, True]), rng) for k in lengths]


class Native:
    """A toy parser in training."""

    def __init__(self, parser: Parser, sentences: list[Sentence]) -> None:
        self.parser, self.sentences = parser, sentences
        self.sequences = sequences_of(sentences, parser.attributes)
        numbers = {label: i for i, label in enumerate(parser.labels)}
        self.gold, _, _ = gold_of(self.sequences, sentences, numbers)
        self.pruning, self.decoding = parser.options(None)
        self.candidates = native.list_candidates(
            parser.pruner_model, self.sequences, self.gold, self.pruning, 1
        )

    def options(self, rate: float, batch: int, threads: int) -> native.BatchOptions:
        options = native.BatchOptions()
        options.rate, options.batch, options.threads = rate, batch, threads
        return options

    def trees(self, ids: list[int], *, rate: float, batch: int = 1, threads: int = 1):
        return native.train_parser(
            self.parser.parser_model,
            self.sequences,
            self.gold,
            self.candidates,
            np.array(ids, np.int32),
            self.decoding,
            self.options(rate, batch, threads),
        )

    def labels(self, ids: list[int], *, rate: float, batch: int = 1, threads: int = 1):
        return native.train_labeler(
            self.parser.label_model,
            self.sequences,
            self.gold,
            np.array(ids, np.int32),
            self.options(rate, batch, threads),
        )


def mira_step(parser: Parser, sentence: Sentence, rate: float) -> Table:
    """The change of weights: to the gold tree from the best one, cost included (PA-I)."""
    reference, gold = Reference(parser, sentence), heads_of(sentence)

    def cost(tree: tuple[int, ...]) -> int:
        return sum(a != b for a, b in zip(tree, gold, strict=True))

    trees = TREES[len(sentence), True]
    rival = max(trees, key=lambda tree: reference.score(tree) + cost(tree))
    difference = reference.features(gold) - reference.features(rival)
    violation = cost(rival) + reference.score(rival) - reference.score(gold)
    norm = float(difference @ difference)
    step = 0.0 if norm == 0.0 else min(rate, max(0.0, violation) / norm)
    return (step * difference).astype(np.float32)


@pytest.mark.parametrize("order", ["first", "second", "third"])
@pytest.mark.parametrize("rate", [0.01, 10.0])
def test_mira_against_the_reference(order: str, rate: float) -> None:
    sentences = treebank(1, 6, 3)
    parser = toy_parser(order)
    randomize(parser, 1)
    values = parser.parser_model.weights.values
    values *= 0.1
    trainer = Native(parser, sentences)
    changed = 0
    for i in [*range(6), *range(6)]:
        before = values.copy()
        expected = before + mira_step(parser, sentences[i], rate)
        tally = trainer.trees([i], rate=rate)
        if tally.optimal:
            assert values == pytest.approx(expected, abs=1e-4)
            changed += bool((values != before).any())
    assert changed >= 4


def test_sentences_of_a_batch_see_the_same_weights() -> None:
    sentences = treebank(2, 5)
    parser = toy_parser("first")
    randomize(parser, 2)
    values = parser.parser_model.weights.values
    trainer = Native(parser, sentences)
    expected = values.copy()
    for batch in ([3, 0], [4, 2], [1]):
        parser.parser_model.weights.values[:] = expected
        expected = expected + sum(mira_step(parser, sentences[i], 0.1) for i in batch)
    randomize(parser, 2)
    trainer.trees([3, 0, 4, 2, 1], rate=0.1, batch=2)
    assert values == pytest.approx(expected, abs=1e-4)


def test_a_tally_counts_words_and_optima() -> None:
    sentences = treebank(3, 5)
    parser = toy_parser("first")
    tally = Native(parser, sentences).trees([0, 1, 2, 3, 4], rate=0.0, batch=3)
    assert (tally.sentences, tally.optimal) == (5, 5)
    assert tally.words == sum(map(len, sentences)) and 0 <= tally.right <= tally.words


def test_the_average_is_the_mean_of_all_weights() -> None:
    sentences = treebank(4, 8)
    parser = toy_parser("second")
    weights = parser.parser_model.weights
    weights.start_averaging()
    trainer, seen = Native(parser, sentences), []
    for i in [*range(8), *range(8)]:
        trainer.trees([i], rate=0.1)
        seen.append(weights.values.astype(np.float64))
    assert weights.step == 16 and np.abs(weights.values).max() > 0.0
    assert weights.average() == pytest.approx(np.mean(seen, axis=0), abs=1e-5)


def label_scores(parser: Parser, sentence: Sentence, m: int) -> npt.NDArray[np.int64]:
    """The buckets of each label (rows) for word m of a sentence's tree."""
    hashes = label_buckets(Reference(parser, sentence), heads_of(sentence), m)
    bits = parser.label_model.weights.bits
    return np.array(
        [
            [(kernel.bucket(h, bits) + label) % 2**bits for h in hashes]
            for label in range(len(parser.labels))
        ]
    )


def test_label_scores_against_the_reference() -> None:
    parser = toy_parser("first")
    values = parser.label_model.weights.values
    values[:] = np.random.default_rng(5).normal(size=len(values))
    for sentence in treebank(5, 8, 5):
        sequences, tree = sequences_of([sentence], parser.attributes), heads_of(sentence)
        for m in range(1, len(tree)):
            labels, scores = native.label_scores(
                parser.label_model, sequences, 0, np.array(tree, np.int32), tree[m], m
            )
            assert labels.tolist() == [0, 1, 2]
            expected = values[label_scores(parser, sentence, m)].sum(axis=1)
            assert scores == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("batch", [1, 3])
def test_label_mira_against_the_reference(batch: int) -> None:
    """Each word's gold label against its strongest rival; the words of a batch see the same."""
    sentences = treebank(6, 6)
    parser = toy_parser("first")
    values = parser.label_model.weights.values
    values[:] = 0.1 * np.random.default_rng(6).normal(size=len(values))
    trainer = Native(parser, sentences)
    expected = values.astype(np.float64)
    for begin in range(0, 6, batch):
        now = expected.copy()
        for sentence in sentences[begin : begin + batch]:
            for m, token in enumerate(sentence.tokens, start=1):
                buckets = label_scores(parser, sentence, m)
                scores, gold = now[buckets].sum(axis=1), parser.labels.index(token.deprel)
                rival = max((i for i in range(3) if i != gold), key=lambda i: scores[i])
                violation = 1.0 + scores[rival] - scores[gold]
                step = min(0.05, max(0.0, violation) / (2 * buckets.shape[1]))
                np.add.at(expected, buckets[gold], step)
                np.add.at(expected, buckets[rival], -step)
    trainer.labels(list(range(6)), rate=0.05, batch=batch)
    assert values == pytest.approx(expected, abs=1e-4)


def test_labels_that_were_seen_are_the_only_ones() -> None:
    sentences = treebank(7, 10, 5)
    parser = toy_parser("first")
    trainer = Native(parser, sentences)
    parser.label_model.see(trainer.sequences, trainer.gold)
    seen = {
        (sentence.tokens[t.head - 1].upos if t.head else "", t.upos, t.head > i, t.deprel)
        for sentence in sentences
        for i, t in enumerate(sentence.tokens)
    }
    for parse in parser.predict(sentences):
        tokens = parse.sentence.tokens
        for i, t in enumerate(tokens):
            key = (tokens[t.head - 1].upos if t.head else "", t.upos, t.head > i)
            known = {label for *rest, label in seen if tuple(rest) == key}
            assert t.deprel in known or not known


def trained(sentences: list[Sentence], **options: object) -> Parser:
    how = {"order": "second", "epochs": 3, "templates": small_templates(), **SMALL, **options}
    return train_parser(sentences, **how)


def test_the_seed_decides() -> None:
    one, other = (trained(treebank(9, 20), seed=seed).to_bytes() for seed in (1, 2))
    assert one != other


def test_batches_are_parsed_by_several_threads_to_the_same_bytes() -> None:
    files = {
        trained(treebank(8, 20, 5), order="third", threads=threads, batch=3).to_bytes()
        for threads in (1, 2, 3)
    }
    assert len(files) == 1


def test_the_mean_of_several_trainings_is_kept() -> None:
    # The pruner drops nothing here, so that its seed does not matter.
    tables = [
        trained(treebank(9, 20), threshold=0.0, seed=seed, seeds=seeds).parser_model.weights.values
        for seed, seeds in ((3, 1), (4, 1), (3, 2))
    ]
    assert (tables[0] != tables[1]).any()
    mean = (tables[0].astype(float) + tables[1]) / 2
    assert np.array_equal(tables[2], mean.astype(np.float32))


class BrokenError(Exception):
    pass


@pytest.mark.parametrize("stage", ["pruner", "labels", "trees", "trees-2"])
def test_a_broken_run_goes_on_to_the_same_bytes(stage: str, tmp_path: Path) -> None:
    sentences, dev = treebank(10, 15), treebank(11, 5)
    whole = trained(sentences, dev=dev, seeds=2).to_bytes()

    def breaks(event: Progress) -> None:
        if (event.stage, event.epoch) == (stage, 2):
            raise BrokenError

    how = {"dev": dev, "seeds": 2, "checkpoint": tmp_path / "run"}
    with pytest.raises(BrokenError):
        trained(sentences, progress=breaks, **how)
    assert trained(sentences, resume=True, threads=2, **how).to_bytes() == whole
    # Once more: all is done already.
    assert trained(sentences, resume=True, **how).to_bytes() == whole


def test_checkpoints_of_other_trainings_are_refused(tmp_path: Path) -> None:
    sentences, checkpoint = treebank(12, 5), tmp_path / "run"
    trained(sentences, checkpoint=checkpoint)
    with pytest.raises(ModelError, match="another training"):
        trained(sentences, checkpoint=checkpoint, resume=True, seed=2)
    with pytest.raises(ModelError, match="another training run, with other "):
        trained(sentences, checkpoint=checkpoint, resume=True, pruner_bits=11)


def test_a_toy_treebank_is_learned() -> None:
    sentences = treebank(13, 12, 5)
    parser = trained(sentences, order="third", epochs=30, parser_bits=16, label_bits=14)
    found = [parse.sentence for parse in parser.predict(sentences)]
    words = sum(map(len, sentences))
    right = sum(
        (t.head, t.deprel) == (g.head, g.deprel)
        for s, gold in zip(found, sentences, strict=True)
        for t, g in zip(s.tokens, gold.tokens, strict=True)
    )
    assert right >= 0.9 * words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 0}, "batch"),
        ({"batch": -3}, "batch"),
        ({"seeds": 0}, "seeds"),
        ({"epochs": -1}, "epochs"),
        ({"order": "fourth"}, "expected one of first"),
        ({"heads": 0}, "heads"),
        ({"modifiers": 0}, "modifiers"),
        ({"iterations": 0}, "iterations"),
        ({"parser_bits": 60}, "bits"),
    ],
)
def test_wrong_options_tell_what_is_wrong(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        trained(treebank(14, 2), **options)


def test_nothing_to_train_on() -> None:
    with pytest.raises(UsageError, match="no sentences"):
        trained([Sentence([])])


def test_dev_data_are_scored_and_kept() -> None:
    told: list[Progress] = []
    sentences, dev = treebank(15, 12), treebank(16, 6)
    parser = trained(sentences, dev=dev, threshold=0.0, progress=told.append)
    scores = parser.info["scores"]
    assert list(scores) == ["pruner recall", "candidates", "UAS", "LAS"]
    found = parser.evaluate(dev)
    assert (scores["UAS"], scores["LAS"]) == (round(found["UAS"], 4), round(found["LAS"], 4))
    assert scores["pruner recall"] == 1.0  # nothing is dropped where the threshold is 0
    arcs = sum(len(sentence) ** 2 for sentence in dev)
    assert scores["candidates"] == round(arcs / sum(map(len, dev)), 4)
    ends = [event.scores for event in told if event.scores]
    assert len(ends) == 3 and ends[-1] == found


def test_empty_dev_sentences_do_not_count() -> None:
    parser = trained(treebank(15, 3), dev=[Sentence([])])
    assert "scores" not in parser.info
