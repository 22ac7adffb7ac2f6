"""Harnesses of model files, one for each registered task: a file is refused, or it works."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from functools import cache, partial

from research.fuzz._mutate_models import LONGEST, mutated_file
from research.fuzz._run import Harness
from treaty.learn import ModelFile, load, model_class, tasks
from treaty.show import model_record, model_text

__all__ = ["HARNESSES", "trained", "use"]


@cache
def trained(task: str) -> Sequence[bytes]:
    """Train a small model on the sample of its class."""
    kind = model_class(task)
    sample = kind.sample()
    return [kind.train(sample.examples, **{"seed": 1, **sample.options}).to_bytes()]


def use(task: str, data: bytes) -> None:
    """Do with a file what users do: describe it, load it, predict, save it."""
    file = ModelFile.from_bytes(data)
    model_text(file).encode()
    json.dumps(model_record(file), ensure_ascii=False).encode()
    model = load(io.BytesIO(data))
    repr(model).encode()
    for result in model.predict(model_class(task).sample().inputs):
        json.dumps(result.to_dict(), ensure_ascii=False).encode()
    model.to_bytes()


def _mutated(
    task: str, dice: random.Random, corpus: Sequence[bytes], words: Sequence[bytes]
) -> bytes:
    """Change a file: a whole one every other time, since those of the corpus are mostly refused."""
    return mutated_file(dice, trained(task) if dice.random() < 0.5 else corpus, words)


HARNESSES = [
    Harness(
        f"model-{task}",
        partial(trained, task),
        partial(use, task),
        mutate=partial(_mutated, task),
        longest=LONGEST,
    )
    for task in tasks()
]
