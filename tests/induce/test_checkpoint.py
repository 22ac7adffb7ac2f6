"""A search that is killed at any moment goes on as if nothing had happened."""

import json
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
from tests.induce.reference import random_corpus

from treaty.errors import InputError, UsageError
from treaty.induce import branch_and_bound

CORPUS = random_corpus(2, [6, 7, 5, 6, 7])


def solve(**more):
    return branch_and_bound(CORPUS, epsilon=0.1, seed=3, **more)


def same(one, other) -> bool:
    numbers = [(run.objective, run.bound, run.nodes) for run in (one, other)]
    return numbers[0] == numbers[1] and np.array_equal(one.heads, other.heads)


def test_in_pieces_as_in_one(tmp_path: Path) -> None:
    whole = solve()
    pieces = solve(checkpoint=tmp_path, node_limit=50)
    bounds = [pieces.bound]
    for limit in (51, 120, 500, None):
        pieces = solve(resume=tmp_path, node_limit=limit, threads=1 + (limit is None))
        bounds.append(pieces.bound)
    assert bounds == sorted(bounds, reverse=True)
    assert same(pieces, whole)
    again = solve(resume=tmp_path)  # a search that is done
    assert (again.objective, again.bound, again.nodes) == (
        whole.objective,
        whole.bound,
        whole.nodes,
    )


CHILD = """
    import sys
    from tests.induce.test_checkpoint import solve
    how = {sys.argv[1]: sys.argv[2]}
    solve(checkpoint_every=0.01, progress=lambda p: print(p.objective, p.bound, flush=True), **how)
"""


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    whole, how = solve(), "checkpoint"
    told = (-np.inf, np.inf)
    for _ in range(3):
        command = [sys.executable, "-c", textwrap.dedent(CHILD), how, str(tmp_path / "search")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) as child:
            first = child.stdout.readline()
            time.sleep(rng.uniform(0.0, 0.2))
            child.send_signal(signal.SIGKILL)
            lines = [first, *child.stdout.read().splitlines()]
        claims = [tuple(map(float, line.split())) for line in lines if len(line.split()) == 2]
        assert claims[0][0] >= told[0]  # neither the answer
        assert claims[0][1] <= told[1]  # nor the bound is worse than before the kill
        told, how = claims[-2] if len(claims) > 1 else claims[-1], "resume"
    final = solve(resume=tmp_path / "search")
    assert (final.objective, final.bound, final.nodes) == (
        whole.objective,
        whole.bound,
        whole.nodes,
    )
    assert np.array_equal(final.heads, whole.heads)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    solve(checkpoint=tmp_path, node_limit=200)
    state = tmp_path / "search.state"
    sound = state.read_bytes()
    rng = random.Random(1)
    for _ in range(30):
        data = bytearray(sound)
        if rng.random() < 0.5:
            data = data[: rng.randrange(len(data))]
        else:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        state.write_bytes(data)
        with pytest.raises(InputError, match=r"search\.state: the search cannot be resumed"):
            solve(resume=tmp_path)
    state.write_bytes(sound + b"x")
    with pytest.raises(InputError, match="damaged"):
        solve(resume=tmp_path)
    state.write_bytes(sound)
    assert solve(resume=tmp_path, node_limit=200).nodes >= 200


def test_damaged_claims_are_refused(tmp_path: Path) -> None:
    solve(checkpoint=tmp_path, node_limit=100)
    claims = tmp_path / "claims.json"
    sound = json.loads(claims.read_text())
    for bad in (
        "",
        "[]",
        json.dumps({**sound, "bound": "x"}),
        json.dumps({**sound, "identity": 1}),
    ):
        claims.write_text(bad)
        with pytest.raises(InputError, match=r"claims\.json"):
            solve(resume=tmp_path)


def test_other_searches_and_folders_are_refused(tmp_path: Path) -> None:
    solve(checkpoint=tmp_path, node_limit=10)
    with pytest.raises(InputError, match="other settings"):
        branch_and_bound(CORPUS, epsilon=0.04, seed=3, resume=tmp_path)
    with pytest.raises(InputError, match="another corpus"):
        branch_and_bound(random_corpus(3, [4, 4]), epsilon=0.1, seed=3, resume=tmp_path)
    with pytest.raises(UsageError, match="there is a search in"):
        solve(checkpoint=tmp_path)
    with pytest.raises(InputError, match="no search to resume"):
        solve(resume=tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        solve(checkpoint=tmp_path / "file")
