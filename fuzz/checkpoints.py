"""Harnesses of checkpoints, for each task whose training has them: refused, or it goes on.

An input is the checkpoint of one stage of training, with the name of the stage before it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fuzz._mutate_models import LONGEST, mutated_file
from fuzz._run import Harness
from treaty.learn import model_class, remove_checkpoints, tasks

__all__ = ["HARNESSES", "made", "resume"]

NAME = "c"
NONE = ("grammar",)
"""Tasks whose checkpoints are not those of `treaty.learn`."""


def _train(task: str, checkpoint: Path, **options: Any) -> None:
    kind = model_class(task)
    sample = kind.sample()
    given = {"seed": 1, **sample.options, "checkpoint": checkpoint, **options}
    kind.train(sample.examples, **given)


@cache
def made(task: str) -> tuple[bytes, ...]:
    """Train on the sample; return the checkpoint of each stage, a stage and a line break first."""
    with TemporaryDirectory() as folder:
        _train(task, Path(folder) / NAME)
        found = sorted(Path(folder).iterdir())
        return tuple(path.name.encode() + b"\n" + path.read_bytes() for path in found)


def resume(task: str, data: bytes) -> None:
    """Go on from a checkpoint, for one epoch more than it has."""
    name, _, content = data.partition(b"\n")
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        (Path(folder) / name.decode()).write_bytes(content)
        try:
            _train(task, Path(folder) / NAME, resume=True, **_longer(task))
        finally:
            remove_checkpoints(Path(folder) / NAME)


def _longer(task: str) -> dict[str, int]:
    usual = model_class(task).sample().options.get("epochs")
    return {} if usual is None else {"epochs": usual + 1}


def _mutated(dice: random.Random, corpus: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    name, _, content = dice.choice(corpus).partition(b"\n")
    return name + b"\n" + mutated_file(dice, [content], words)


def _harnesses() -> Iterator[Harness]:
    for task in tasks():
        if task not in NONE:
            yield Harness(
                f"checkpoint-{task}",
                partial(made, task),
                partial(resume, task),
                mutate=_mutated,
                longest=LONGEST,
            )


HARNESSES = list(_harnesses())
