"""A short run of the harnesses of checkpoints: damaged ones are refused, or training goes on."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from research.fuzz._run import judged
from research.fuzz.checkpoints import HARNESSES, made, resume
from treaty.errors import ModelError
from treaty.learn import ModelFile, model_class
from treaty.parse import Tokenizer
from treaty.text import Sentence, Token

HARNESS = {harness.name.removeprefix("checkpoint-"): harness for harness in HARNESSES}
INPUTS = {"pipeline": 4, "summarizer": 4}


@pytest.mark.parametrize("task", HARNESS)
def test_mutated_checkpoints_are_refused_or_work(task):
    harness, dice = HARNESS[task], random.Random(1)
    corpus = list(harness.make_corpus())
    count = INPUTS.get(task, 12)
    for data in [corpus[-1], *(harness.mutate(dice, corpus, ()) for _ in range(count))]:
        _, found, text = judged(harness, data)
        assert found is None, text
    resume(task, corpus[-1])  # to the end


def stage(task: str, name: str) -> ModelFile:
    """Return the checkpoint of a stage."""
    content = dict(data.split(b"\n", 1) for data in made(task))[name.encode()]
    return ModelFile.from_bytes(content)


WRONG = {
    "values": [
        lambda a: a[:-1], lambda a: a[:0], lambda a: a.astype(np.float64),
        lambda a: a.reshape(1, -1),
        lambda a: np.full_like(a, 1e38), lambda a: np.full_like(a, -2e9),
    ],
    "late": [lambda a: a[:0], lambda a: a[:-1], lambda a: np.full_like(a, 1e38)],
    "past": [lambda a: np.zeros(1, np.float32), lambda a: np.zeros(0)],
    "clock": [
        lambda a: a[:2], lambda a: a * -1, lambda a: a * [0, 1, 1], lambda a: a * [9, 1, 1],
        lambda a: a * [5e-324, 1, 1],
        lambda a: a + np.array([0, 0, 0.5]), lambda a: a + np.array([0, 1e300, 0]),
        lambda a: a * [1, 1, 1e300],
    ],
    "seen": [lambda a: a * -1, lambda a: a[:0], lambda a: a.astype(np.int32), lambda a: a + 2**60],
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_states_of_other_sizes_types_and_ranges_are_refused(name):
    """Native code once wrote beyond its tables, or counted with what is not a number."""
    file = stage("parser", "c.labels")
    for change in WRONG[name]:
        tensors = {**file.tensors, name: change(file.tensors[name])}
        data = ModelFile(file.task, file.header, tensors).to_bytes()
        with pytest.raises(ModelError, match="not a checkpoint of this model"):
            resume("parser", b"c.labels\n" + data)


@pytest.mark.parametrize("task", HARNESS)
def test_the_checkpoint_of_the_same_examples_in_another_order_is_refused(task, tmp_path: Path):
    kind = model_class(task)
    sample = kind.sample()
    options = {"seed": 1, **sample.options, "checkpoint": tmp_path / "c"}
    for data in made(task):
        name, _, content = data.partition(b"\n")
        (tmp_path / name.decode()).write_bytes(content)
    with pytest.raises(ModelError, match="a checkpoint of another training run, with other"):
        kind.train(list(sample.examples)[::-1], resume=True, **options)


def test_the_checkpoint_of_other_sentences_is_refused(tmp_path: Path):
    def sentences(*forms: str) -> list[Sentence]:
        return [Sentence([Token(form), Token(".")]) for form in forms]

    options = {"checkpoint": tmp_path / "c", "epochs": 2, "bits": 8}
    Tokenizer.train(sentences("a", "b"), **options)
    Tokenizer.train(sentences("a", "b"), resume=True, **options)
    with pytest.raises(ModelError, match="another training run, with other data; use"):
        Tokenizer.train(sentences("a", "c"), resume=True, **options)
    with pytest.raises(ModelError, match=r"with other bits \(8, not 9\); use"):
        Tokenizer.train(sentences("a", "b"), resume=True, **{**options, "bits": 9})
