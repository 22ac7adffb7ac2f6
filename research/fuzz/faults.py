"""Run every command that writes with every fault at many places, and check that nothing is lost.

``python -m research.fuzz.faults`` goes on for the seconds it is given and reports how many runs
there were of each fault. What must hold is in `tests.faults.checking`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.faults.checking import House
from tests.faults.commands import COMMANDS
from tests.faults.zygote import Zygote

__all__ = ["draw", "main"]

ERRORS = ("ENOSPC", "EDQUOT", "EROFS", "EIO", "EACCES", "EINTR", "EMFILE")


def draw(rng: random.Random, size: int) -> list[Any]:
    """Draw a fault for a command whose output has so many bytes."""
    number, code = rng.choice([1, 1, 2, 3, 5]), rng.choice(ERRORS)
    return rng.choice(
        [
            [
                "full_at_byte",
                rng.choice([0, 1, rng.randrange(size), size - 1, rng.randrange(10**6)]),
            ],
            ["failing_call", rng.choice(["fsync", "replace"]), number, code],
            ["failing_write", number, code],
            ["short_writes", rng.choice([100, 1000, 4095])],
            ["signals", rng.choice([0.0005, 0.003])],
            ["clock_jumps", rng.randrange(10**6)],
            ["low_memory", rng.choice([0, 1, 2, 4, 8, 16])],
            ["closed", rng.choice(["stdin", "stdout", "stderr"])],
            ["no_folders"],
            ["kill", rng.uniform(0.0, 0.5)],
        ]
    )


def main() -> None:
    """Run until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, runs, failed = random.Random(options.seed), Counter[str](), 0
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder, Zygote() as zygote:
        house = House(zygote, Path(folder))
        while time.monotonic() < end:
            name = rng.choice(list(COMMANDS))
            fault = draw(rng, min(map(len, house.good(name).values())) or 1)
            # Without memory, Python and its packages may end by errors of their own.
            says = None if fault[0] == "low_memory" else "cannot write"
            try:
                if fault[0] == "kill":
                    result = house.check(name, kill=fault[1])
                else:
                    result = house.check(name, fault, says=says)
                runs[f"{fault[0]}: {'done' if result.code in (0, 4) else result.code}"] += 1
            except AssertionError as error:
                failed += 1
                sys.stdout.write(f"{name} {fault}: {error}\n")
    for kind, count in sorted(runs.items()):
        sys.stdout.write(f"{kind:<24}{count:>6}\n")
    sys.stdout.write(f"{runs.total()} runs, {failed} failed\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
