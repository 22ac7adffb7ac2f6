"""Harnesses of checkpoints, for each task whose training has them: refused, or it goes on.

An input is the checkpoint of one stage of training, with the name of the stage before it. Each is
restored into the learner of its stage, which then learns from some examples and is saved. One of
`WHOLE` inputs goes through the whole training instead, to its end: what comes before and after the
stage takes a hundred times as long, and depends on the input only if it was accepted.
"""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from research.fuzz._mutate_models import LONGEST, mutated_file
from research.fuzz._run import Harness
from treaty.learn import ModelFile, _loop, model_class, remove_checkpoints, tasks

__all__ = ["HARNESSES", "go_on", "made", "resume"]

NAME = "c"
NONE = ("grammar",)
"""Tasks whose checkpoints are not those of `treaty.learn`."""
WHOLE = 50
MOST_EXAMPLES = 8


class _Stage(NamedTuple):
    """A training as it is when it reads the checkpoint of a stage."""

    learner: _loop.Learner
    run: Mapping[str, Any]
    examples: int


class _Reached(BaseException):
    """Ends a training once it has reached a stage."""


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
    """Go on from a checkpoint to the end of training, for one epoch more than it has."""
    name, _, content = data.partition(b"\n")
    with TemporaryDirectory(dir=_quick()) as folder:
        (Path(folder) / name.decode()).write_bytes(content)
        try:
            _train(task, Path(folder) / NAME, resume=True, **_longer(task))
        finally:
            remove_checkpoints(Path(folder) / NAME)


def go_on(task: str, data: bytes) -> None:
    """Restore the learner of a stage from a checkpoint, learn from some examples, and save it."""
    name, _, content = data.partition(b"\n")
    stage = _stage(task, name.decode())
    path = _file()
    path.write_bytes(content)
    scores = _loop._restore(stage.learner, path, stage.run)
    stage.learner.learn(np.arange(min(stage.examples, MOST_EXAMPLES), dtype=np.int32))
    ModelFile(_loop.TASK, {"run": stage.run, "scores": scores}, stage.learner.state()).to_bytes()


@cache
def _stage(task: str, name: str) -> _Stage:
    """Train up to a stage, and keep its learner."""
    found: list[_Stage] = []
    restore = _loop._restore

    def reached(learner: _loop.Learner, path: Path, run: Mapping[str, Any]) -> list[Any]:
        if path.name != name:
            return restore(learner, path, run)
        found.append(_Stage(learner, run, int(run["examples"])))
        raise _Reached

    with TemporaryDirectory(dir=_quick()) as folder, patch.object(_loop, "_restore", reached):
        content = dict(data.split(b"\n", 1) for data in made(task))[name.encode()]
        (Path(folder) / name).write_bytes(content)
        try:
            _train(task, Path(folder) / NAME, resume=True, **_longer(task))
        except _Reached:
            remove_checkpoints(Path(folder) / NAME)
    return found[0]


def _quick() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


@cache
def _folder() -> TemporaryDirectory[str]:
    """Make a folder for all workers, which the process that started them removes."""
    return TemporaryDirectory(dir=_quick())


def _file() -> Path:
    return Path(_folder().name) / str(os.getpid())


def _longer(task: str) -> dict[str, int]:
    usual = model_class(task).sample().options.get("epochs")
    return {} if usual is None else {"epochs": usual + 1}


def _corpus(task: str) -> Sequence[bytes]:
    _folder()
    return made(task)


def _run(task: str, data: bytes) -> None:
    (resume if zlib.crc32(data) % WHOLE == 0 else go_on)(task, data)


def _mutated(
    task: str, dice: random.Random, corpus: Sequence[bytes], words: Sequence[bytes]
) -> bytes:
    """Change a checkpoint: a whole one every other time, as those of the corpus are refused."""
    chosen = dice.choice(made(task) if dice.random() < 0.5 else corpus)
    name, _, content = chosen.partition(b"\n")
    return name + b"\n" + mutated_file(dice, [content], words)


def _harnesses() -> Iterator[Harness]:
    for task in tasks():
        if task not in NONE:
            yield Harness(
                f"checkpoint-{task}",
                partial(_corpus, task),
                partial(_run, task),
                mutate=partial(_mutated, task),
                longest=LONGEST,
            )


HARNESSES = list(_harnesses())
