"""A short run of the harnesses of searches, and states that once ended by errors of other kinds."""

from __future__ import annotations

import io
import json
import random

import numpy as np
import pytest

from research.fuzz._run import judged
from research.fuzz.searches import CORPORA, HARNESSES, HEAD, checksum, judge, made, resume
from treaty.errors import InputError

HARNESS = {harness.name: harness for harness in HARNESSES}


@pytest.mark.parametrize("name", HARNESS)
def test_changed_files_are_refused_or_change_no_certificate(name):
    harness, dice = HARNESS[name], random.Random(1)
    corpus = list(harness.make_corpus())
    for data in [*corpus, *(harness.mutate(dice, corpus, harness.words) for _ in range(30))]:
        _, found, text = judged(harness, data)
        assert found is None, text


@pytest.mark.parametrize("relaxation", CORPORA)
def test_claims_of_better_bounds_change_nothing(relaxation):
    name, _, content = made(relaxation)[1].partition(b"\n")
    claims = json.loads(content)
    claims["trace"] = [[0.0, -1.0, -1.0]]
    claims["nodes"] = 3
    judge(relaxation, name + b"\n" + json.dumps(claims).encode())


def changed(**arrays: np.ndarray) -> bytes:
    """Replace arrays of a state, with a checksum that is right."""
    name, _, content = made("mccormick")[0].partition(b"\n")
    with np.load(io.BytesIO(content[HEAD:-8])) as stored, io.BytesIO() as packed:
        np.savez(packed, allow_pickle=False, **{**stored, **arrays})
        data = packed.getvalue()
    sound = content[:16] + len(data).to_bytes(8, "little") + data
    return name + b"\n" + sound + checksum(sound)


def stored(name: str) -> np.ndarray:
    content = made("mccormick")[0].partition(b"\n")[2]
    with np.load(io.BytesIO(content[HEAD:-8])) as arrays:
        return arrays[name].copy()


def other(name: str, value: object) -> dict[str, np.ndarray]:
    array = stored(name)
    array[0] = value
    return {name: array}


@pytest.mark.parametrize(
    "change",
    [
        lambda: other("basis_columns", 127),
        lambda: other("basis_rows", -1),
        lambda: other("cut_column", 10**6),
        lambda: other("cut_probability", np.nan),
        lambda: other("cut_right", np.inf),
        lambda: other("basis_cuts", 10**6),
        lambda: other("numbers", -1),
        lambda: other("values", np.nan),
        lambda: {"cut_probability": stored("cut_probability")[:-1]},
        lambda: {"basis_rows_ends": stored("basis_rows_ends")[:-1]},
        lambda: {"path_ends": stored("path_ends")[::-1]},
        lambda: {"node": stored("node")[:0]},
    ],
)
def test_states_that_contradict_themselves_are_refused(change):
    assert resume("mccormick", changed()).status is not None  # the checksum is right
    with pytest.raises(InputError, match="cannot be resumed"):
        resume("mccormick", changed(**change()))
