"""Kill trainings, searches and long parses at random moments; what goes on must give the same.

``python -m research.fuzz.kills`` trains each model on its own sample, kills it (SIGKILL) at a
random moment, resumes it, kills it again, and at last lets it end: the file must have the bytes of
a training that nothing happened to. A search must give the same grammar and bound, and never report
a worse one. A parse that is killed leaves the old file; run again, it gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.faults.zygote import Zygote

from treaty._streams import replacing
from treaty.induce import Corpus, branch_and_bound
from treaty.learn import model_class, tasks
from treaty.text import write_conllu

__all__ = ["kill", "kinds", "main"]

OLD = b"what was there before"
MOST_KILLS = 4
"""Kills of one run before it is let go on to its end."""
LONGER: dict[str, dict[str, int]] = {"grammar": {}, "summarizer": {"epochs": 10}}
"""Trainings take this many epochs, 20 by default."""
SENTENCES = 60


def train(task: str, folder: str) -> int:
    """Train a model on its sample; goes on if there is a checkpoint."""
    kind, place = model_class(task), Path(folder)
    sample = kind.sample()
    longer = LONGER.get(task, {"epochs": 20})
    model = kind.train(
        list(sample.examples) * 5, seed=1, **{**sample.options, **longer},
        checkpoint=place / "checkpoint", resume=True,
    )  # fmt: skip
    model.save(place / "result")
    return 0


def induce(relaxation: str, folder: str) -> int:
    """Search for the best grammar of some tags; goes on if there is a checkpoint."""
    state = Path(folder) / "search"
    rng = random.Random(2)
    tags = [[rng.choice("NVAD") for _ in range(rng.randint(2, 7))] for _ in range(12)]
    small = relaxation != "chords"
    corpus = Corpus.from_tags([["N", "V"], ["V", "N"]] if small else tags)
    how = "resume" if (state / "search.state").exists() else "checkpoint"
    options: dict[str, Any] = {how: state, "checkpoint_every": 0.02, "restarts": 5}
    found = branch_and_bound(
        corpus, relaxation=relaxation, relative_gap=0.05, iterations=None if small else 3000,
        progress=_Honest(Path(folder) / "told.json"), **options,
    )  # fmt: skip
    told = [found.objective, found.bound, found.iterations, found.heads.tolist(), found.status]
    with replacing(Path(folder) / "result") as stream:
        stream.write(json.dumps(told).encode())
    return 0


class _Honest:
    """Checks that a search never takes back what it has reported."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.last = json.loads(path.read_text()) if path.exists() else [-math.inf, math.inf]

    def __call__(self, event: Any) -> None:
        if event.scores:
            now = [event.scores["objective"], event.scores["bound"]]
            if now[0] < self.last[0] or now[1] > self.last[1]:
                raise AssertionError(f"{self.last} was reported, now {now}")
            self.last = now
            with replacing(self.path) as stream:
                stream.write(json.dumps(now).encode())


def parse(model: str, folder: str) -> int:
    """Parse many sentences into a file."""
    from treaty.cli import main as treaty

    return treaty(["parse", f"{model}.conllu", "--model", model, "-q", "-o", f"{folder}/result"])


def kill(zygote: Zygote, call: list[str], good: bytes, length: float, rng: random.Random) -> int:
    """Kill a run some times, then let it end, and compare; returns how often it was killed."""
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "result"
        place.write_bytes(OLD)
        for _ in range(rng.randint(1, MOST_KILLS)):
            result = zygote.run(*call, folder, kill=rng.uniform(0.0, length))
            assert result.code in (0, -9), result
            assert place.read_bytes() in (OLD, good), f"{call}: a file is half written"
            kills += result.code == -9
        result = zygote.run(*call, folder)
        assert result.code == 0, result
        assert place.read_bytes() == good, f"{call}: other bytes after {kills} kills"
    return kills


def kinds(folder: Path) -> dict[str, list[str]]:
    """Return what is run for each kind: a function and its first argument."""
    model = folder / "pipeline.treaty"
    sample = model_class("pipeline").sample()
    model_class("pipeline").train(sample.examples, seed=1, **sample.options).save(model)
    write_conllu(list(sample.examples) * SENTENCES, f"{model}.conllu")
    found = {task: ["research.fuzz.kills:train", task] for task in tasks()}
    for relaxation in ("chords", "mccormick"):
        found[f"search by {relaxation}"] = ["research.fuzz.kills:induce", relaxation]
    found["parse -o"] = ["research.fuzz.kills:parse", str(model)]
    return found


def main() -> None:
    """Kill each kind as often as asked, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", help="some kinds")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Zygote() as zygote:
        for name, call in kinds(Path(folder)).items():
            if options.only and name not in options.only:
                continue
            rng = random.Random(f"{options.seed} {name}")
            good, length = b"", math.inf
            for _ in range(2):  # the first also imports
                with tempfile.TemporaryDirectory() as place:
                    began = time.perf_counter()
                    result = zygote.run(*call, place)
                    length = time.perf_counter() - began
                    assert result.code == 0, result
                    good = (Path(place) / "result").read_bytes()
            kills = runs = 0
            while kills < options.kills:
                kills += kill(zygote, call, good, length, rng)
                runs += 1
            told = f"{name}: {kills} kills in {runs} runs of {length:.2f} s, same bytes\n"
            sys.stdout.write(told)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
