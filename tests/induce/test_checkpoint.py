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

from treaty.errors import InputError, OutputError, UsageError
from treaty.induce import Corpus, EdgeConstraint, branch_and_bound

CORPORA = {
    "chords": random_corpus(2, [6, 7, 5, 6, 7]),
    "mccormick": Corpus.from_tags([["N", "V"], ["V", "N"]]),
}
LIMITS = {"chords": (50, 51, 120, 500, None), "mccormick": (1, 2, 31, 32, 90, None)}
METHODS = pytest.mark.parametrize("relaxation", CORPORA)


def solve(relaxation: str, **more):
    options = {"relaxation": relaxation, "relative_gap": 0.1, "seed": 3, **more}
    return branch_and_bound(CORPORA[relaxation], **options)


def outcome(run):
    return run.objective, run.bound, run.iterations, run.heads.tolist()


@METHODS
def test_in_pieces_as_in_one(tmp_path: Path, relaxation: str) -> None:
    whole = solve(relaxation)
    first, *rest = LIMITS[relaxation]
    found = [solve(relaxation, checkpoint=tmp_path, iterations=first)]
    for limit in rest:
        threads = 1 + (limit is None)
        found.append(solve(relaxation, resume=tmp_path, iterations=limit, threads=threads))
    bounds = [piece.bound for piece in found]
    assert bounds == sorted(bounds, reverse=True)
    seconds = [piece.seconds for piece in found]
    assert seconds == sorted(seconds)
    assert outcome(found[-1]) == outcome(whole)
    assert outcome(solve(relaxation, resume=tmp_path)) == outcome(whole)  # a search that is done


CHILD = """
    import sys
    from tests.induce.test_checkpoint import solve
    from treaty.induce import _branch_and_bound
    if sys.argv[1] != "chords":
        _branch_and_bound.SLICE = 0.0  # or it would be done before it tells anything
    told = lambda p: p.scores and print(p.scores["objective"], p.scores["bound"], flush=True)
    solve(sys.argv[1], checkpoint_every=0.01, progress=told, **{sys.argv[2]: sys.argv[3]})
"""


def run_and_kill(relaxation: str, how: str, folder: Path, wait: float) -> list[tuple[float, ...]]:
    """Run, kill -9 some time after the first report, and return what was reported."""
    command = [sys.executable, "-c", textwrap.dedent(CHILD), relaxation, how, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) as child:
        first = child.stdout.readline()
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        lines = [first, *child.stdout.read().splitlines(keepends=True)]
    return [tuple(map(float, line.split())) for line in lines if line.endswith("\n")]


@METHODS
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments(tmp_path: Path, relaxation: str, seed: int) -> None:
    rng = random.Random(seed)
    whole, how = solve(relaxation), "checkpoint"
    told = (-np.inf, np.inf)
    for _ in range(3):
        claims = run_and_kill(relaxation, how, tmp_path / "search", rng.uniform(0.0, 0.2))
        assert claims[0][0] >= told[0]  # neither the answer
        assert claims[0][1] <= told[1]  # nor the bound is worse than before the kill
        told, how = claims[-1], "resume"
    assert outcome(solve(relaxation, resume=tmp_path / "search")) == outcome(whole)


@METHODS
def test_damaged_files_are_refused(tmp_path: Path, relaxation: str) -> None:
    solve(relaxation, checkpoint=tmp_path, iterations=40)
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
            solve(relaxation, resume=tmp_path)
    state.write_bytes(sound + b"x")
    with pytest.raises(InputError, match="damaged"):
        solve(relaxation, resume=tmp_path)
    state.write_bytes(sound)
    assert solve(relaxation, resume=tmp_path, iterations=40).iterations >= 40


def edit(folder: Path, **changes: object) -> None:
    claims = folder / "claims.json"
    claims.write_text(json.dumps({**json.loads(claims.read_text()), **changes}))


@METHODS
def test_damaged_claims_are_refused(tmp_path: Path, relaxation: str) -> None:
    solve(relaxation, checkpoint=tmp_path, iterations=10)
    claims = tmp_path / "claims.json"
    sound = json.loads(claims.read_text())
    edits = [
        {"problem": None}, {"problem": {}}, {"nodes": -1}, {"nodes": 1.5}, {"nodes": True},
        {"seconds": -1.0}, {"seconds": np.nan}, {"seconds": np.inf}, {"seconds": "1"},
        {"trace": [[1.0]]}, {"trace": [1.0]}, {"trace": {}}, {"trace": [[1.0, 2.0, 10**400]]},
        {"heads": None}, {"heads": {}}, {"heads": "0"}, {"heads": sound["heads"][1:]},
    ]  # fmt: skip
    for bad in (99999999999, -1, 0.0, True, None, "1", [1], 10**4000):
        edits.append({"heads": [bad, *sound["heads"][1:]]})
    texts = ["", "[]", "1", "[" * 100_000, f'{{"nodes": {"9" * 10_000}}}', '{"problem": {}}', "\0"]
    for bad in [json.dumps({**sound, **changes}) for changes in edits] + texts:
        claims.write_text(bad)
        with pytest.raises(InputError, match=r"claims\.json: the search cannot be resumed"):
            solve(relaxation, resume=tmp_path)
    claims.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"claims\.json"):
        solve(relaxation, resume=tmp_path)


def test_heads_that_are_no_trees_are_refused(tmp_path: Path) -> None:
    solve("chords", checkpoint=tmp_path, iterations=10)
    heads = json.loads((tmp_path / "claims.json").read_text())["heads"]
    for bad, cause in (
        ([0, 0, 1, 1, 1, 1], "second root"),
        ([2, 1, 0, 1, 1, 1], "cycle"),
        ([3, 4, 0, 3, 3, 3], "projective"),
    ):
        edit(tmp_path, heads=bad + heads[6:])
        with pytest.raises(InputError, match=cause):
            solve("chords", resume=tmp_path)


@METHODS
def test_edited_claims_do_not_become_certificates(tmp_path: Path, relaxation: str) -> None:
    whole = solve(relaxation)
    found = solve(relaxation, checkpoint=tmp_path, iterations=20)
    assert found.status == "FEASIBLE"
    proof = {"trace": [[0.0, found.objective, found.objective]], "nodes": 10**9}
    edit(tmp_path, **proof, bound=found.objective, objective=found.objective + 1.0)
    again = solve(relaxation, resume=tmp_path, iterations=20)
    assert (again.status, again.objective, again.bound) == ("FEASIBLE", *outcome(found)[:2])
    assert all(moment.bound >= found.bound for moment in again.trace)
    edit(tmp_path, **proof)
    assert outcome(solve(relaxation, resume=tmp_path)) == outcome(whole)


def test_worse_trees_of_an_edited_file_are_scored_again(tmp_path: Path) -> None:
    found = solve("chords", checkpoint=tmp_path, iterations=200)
    lines = CORPORA["chords"].trees(found.heads)
    chains = [head for tree in lines for head in range(len(tree))]
    edit(tmp_path, heads=chains)
    again = solve("chords", resume=tmp_path, iterations=200)
    assert (again.objective, again.bound) == (found.objective, found.bound)


def test_trees_that_break_the_constraint_are_refused(tmp_path: Path) -> None:
    corpus = Corpus.from_tags([["N", "V"], ["V", "N"], ["N", "V", "N"]])
    rule = EdgeConstraint([("ROOT", "V"), ("V", "N")], share=1.0)
    branch_and_bound(corpus, constraint=rule, checkpoint=tmp_path)
    edit(tmp_path, heads=[0, 1, 0, 1, 0, 1, 2])
    with pytest.raises(InputError, match="do not satisfy the constraint"):
        branch_and_bound(corpus, constraint=rule, resume=tmp_path)


FORMAT = 8 + 8  # bytes before the counters: magic number and identity


def forge(data: bytes, offset: int, value: bytes) -> bytes:
    """Change a state and make its checksum right again."""
    body, total = bytearray(data[:-8]), 0xCBF29CE484222325
    body[offset : offset + len(value)] = value
    for byte in body:
        total = (total ^ byte) * 0x100000001B3 % 2**64
    return bytes(body) + total.to_bytes(8, "little")


def test_forged_states_do_no_harm(tmp_path: Path) -> None:
    found = solve("chords", checkpoint=tmp_path, iterations=60)
    state = tmp_path / "search.state"
    sound = state.read_bytes()
    assert forge(sound, 0, sound[:1]) == sound
    rng, refused = random.Random(4), 0
    for _ in range(40):
        value = rng.randbytes(rng.choice((1, 2, 4, 8)))
        state.write_bytes(forge(sound, rng.randrange(FORMAT, min(len(sound) - 16, 600)), value))
        try:
            again = solve("chords", resume=tmp_path, iterations=120)
        except InputError:
            refused += 1
        else:
            assert again.objective >= found.objective
    assert refused > 10


@METHODS
def test_other_searches_and_folders_are_refused(tmp_path: Path, relaxation: str) -> None:
    solve(relaxation, checkpoint=tmp_path, iterations=10)
    with pytest.raises(InputError, match=r"other settings \(relative_gap\)"):
        solve(relaxation, relative_gap=0.04, resume=tmp_path)
    with pytest.raises(InputError, match=r"other settings \(relaxation\)"):
        branch_and_bound(
            CORPORA[relaxation], relaxation="rlt-obj", relative_gap=0.1, seed=3, resume=tmp_path
        )
    with pytest.raises(InputError, match="another corpus"):
        branch_and_bound(
            random_corpus(3, [4, 4]),
            relaxation=relaxation,
            relative_gap=0.1,
            seed=3,
            resume=tmp_path,
        )
    with pytest.raises(UsageError, match="already holds a search"):
        solve(relaxation, checkpoint=tmp_path)
    with pytest.raises(InputError, match="no search to resume"):
        solve(relaxation, resume=tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        solve(relaxation, checkpoint=tmp_path / "file")


def test_a_state_with_the_claims_of_another_search_is_refused(tmp_path: Path) -> None:
    for relaxation in CORPORA:
        solve(relaxation, checkpoint=tmp_path / relaxation, iterations=10)
    (tmp_path / "mccormick" / "search.state").rename(tmp_path / "chords" / "search.state")
    with pytest.raises(InputError, match=r"search\.state.*another corpus or other settings"):
        solve("chords", resume=tmp_path / "chords")


def test_memory_and_limits_may_change(tmp_path: Path) -> None:
    solve("mccormick", checkpoint=tmp_path, iterations=10, memory=2**20)
    assert solve("mccormick", resume=tmp_path, time_limit=60.0).status == "OPTIMAL"
