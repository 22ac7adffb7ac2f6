"""Harnesses of the checkpoints of searches for grammars: refused, or it goes on to the truth.

An input is the state or the claims of a search, with the name of the file before it. The checksum
of a changed state is made right again, so that what is behind it is reached.
"""

from __future__ import annotations

import io
import math
import os
import random
import zipfile
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from research.fuzz._mutate import mutated
from research.fuzz._run import Harness
from treaty.induce import Corpus, Induced, branch_and_bound
from treaty.induce._checkpoint import CLAIMS, STATE

__all__ = ["HARNESSES", "checksum", "judge", "made", "resume"]

CORPORA = {
    "chords": [["N", "V"], ["N", "V", "N"], ["V", "N"]],
    "mccormick": [["N", "V"], ["V", "N"]],
}
NODES = 6
"""Nodes before the checkpoint, and after it."""
WORDS = (
    b'"nodes": ', b'"heads": ', b'"trace": ', b'"seconds": ', b'"problem": ', b"[", b"]", b"null",
    b"1e999", b"NaN", b"-1", b"9" * 5000, b"[" * 3000, b"\0" * 8, b"\xff" * 8,
    b"\0\0\0\0\0\0\xf0\x7f",
)  # fmt: skip
HEAD = 24
"""Bytes before the arrays in the state of a search by linear programs."""
START, PRIME = 0xCBF29CE484222325, 0x100000001B3
"""Of FNV-1a, the checksum of `native/induce/archive.hpp`."""


def _search(relaxation: str, **options: Any) -> Induced:
    corpus = Corpus.from_tags(CORPORA[relaxation])
    return branch_and_bound(corpus, relaxation=relaxation, restarts=2, **options)


@cache
def _truth(relaxation: str) -> Induced:
    """Find the optimum by chords, which takes far less time."""
    corpus = Corpus.from_tags(CORPORA[relaxation])
    found = branch_and_bound(corpus, restarts=2, relative_gap=1e-6)
    assert found.status == "OPTIMAL", found
    return found


@cache
def made(relaxation: str) -> tuple[bytes, ...]:
    """Search for some nodes; return the state and the claims, a name and a line break first."""
    with TemporaryDirectory() as folder:
        _search(relaxation, relative_gap=1e-6, iterations=NODES, checkpoint=folder)
        return tuple(
            name.encode() + b"\n" + (Path(folder) / name).read_bytes() for name in (STATE, CLAIMS)
        )


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


def resume(relaxation: str, data: bytes) -> Induced:
    """Go on from a checkpoint of which one file was changed."""
    folder = Path(_folder().name) / str(os.getpid())
    folder.mkdir(exist_ok=True)
    for given in (*made(relaxation), data):
        name, _, content = given.partition(b"\n")
        (folder / name.decode()).write_bytes(content)
    return _search(relaxation, relative_gap=1e-6, iterations=2 * NODES, resume=folder)


def judge(relaxation: str, data: bytes) -> None:
    """Go on from changed claims, which must not change what is found.

    A state is what its checksum says it is: who makes that right has written another state. It must
    not crash the search, and its trees are scored again.
    """
    found, truth = resume(relaxation, data), _truth(relaxation)
    least = 1e-9 * max(1.0, abs(truth.objective))
    assert found.objective <= truth.objective + least, f"{found.objective} is more than the optimum"
    if data.startswith(CLAIMS.encode()):
        assert found.bound >= truth.objective - least, f"the bound {found.bound} is too low"
        right = math.isclose(found.objective, truth.objective, rel_tol=1e-5)
        assert found.status != "OPTIMAL" or right, f"{found.objective} is not the optimum"


def checksum(content: bytes) -> bytes:
    """Return the checksum that ends a state."""
    found = START
    for byte in content:
        found = (found ^ byte) * PRIME % 2**64
    return found.to_bytes(8, "little")


def _mutated(
    relaxation: str, dice: random.Random, corpus: Sequence[bytes], words: Sequence[bytes]
) -> bytes:
    """Change a file: a whole one every other time, since those of the corpus are refused."""
    chosen = dice.choice(made(relaxation) if dice.random() < 0.5 else corpus)
    name, _, content = chosen.partition(b"\n")
    if name == CLAIMS.encode():
        return name + b"\n" + mutated(dice, [content], words)
    packed = content.find(b"PK") == HEAD and dice.random() < 0.7
    sound = (_other_arrays if packed else _other_bytes)(dice, content[:-8], words)
    return name + b"\n" + sound + (checksum(sound) if dice.random() < 0.9 else dice.randbytes(8))


def _other_bytes(dice: random.Random, content: bytes, words: Sequence[bytes]) -> bytes:
    made = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 4))):
        place = dice.randrange(16 if len(made) > 24 else 0, max(17, len(made)))
        if dice.random() < 0.5:
            made[place : place + 1] = bytes([dice.randrange(256)])
        else:
            start = place - place % 8
            made[start : start + 8] = dice.choice(words)[:8]
    return bytes(made)


def _other_arrays(dice: random.Random, content: bytes, words: Sequence[bytes]) -> bytes:
    """Change the arrays within a state, if there are any; else its bytes."""
    try:
        with np.load(io.BytesIO(content[HEAD:])) as stored:
            arrays = dict(stored)
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
        return _other_bytes(dice, content, words)
    for _ in range(dice.choice((1, 1, 2))):
        name = dice.choice(sorted(arrays))
        array = arrays[name].copy()
        if array.size and dice.random() < 0.8:
            number = np.frombuffer(dice.choice(words)[:8].ljust(8, b"\0"), np.int64)[0]
            way = dice.choice((0, 1, -1, 2, 127, 2**31 - 1, number))
            with np.errstate(all="ignore"):
                array.flat[dice.randrange(array.size)] = np.int64(way).astype(array.dtype)
        else:
            array = array[:-1] if dice.random() < 0.5 else np.concatenate([array, array])
        arrays[name] = array
    with io.BytesIO() as packed:
        np.savez(packed, allow_pickle=False, **arrays)
        data = packed.getvalue()
    return content[:16] + len(data).to_bytes(8, "little") + data


def _corpus(relaxation: str) -> Sequence[bytes]:
    _folder()
    _truth(relaxation)
    return made(relaxation)


HARNESSES = [
    Harness(
        f"search-{relaxation}",
        partial(_corpus, relaxation),
        partial(judge, relaxation),
        WORDS,
        mutate=partial(_mutated, relaxation),
        longest=2**16,
    )
    for relaxation in CORPORA
]
