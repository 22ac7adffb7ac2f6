"""Runs with workers that fail, die and hang: nothing is lost, nothing comes twice."""

from __future__ import annotations

import json
import os
import signal
import threading
import time

import pytest

from treaty.cluster import Connection
from treaty.cluster._folder import RunFolder
from treaty.cluster._maps import run_parts
from treaty.cluster._parts import Source, parts_of, parts_of_items
from treaty.cluster._run import Run
from treaty.cluster._worker import JobSpec
from treaty.errors import InputError, OutputError, UsageError

SHOUTING = "tests.cluster.works:Shouting"


def run_lines(cluster: Connection, lines: list[str], size: int = 20, spec=None, **options):
    """What a run writes, and the faults that it reports."""
    data = "".join(f"{line}\n" for line in lines).encode()
    parts = parts_of([Source("in.txt", "lines", data)], size)
    done = list(run_parts(cluster, spec or JobSpec(SHOUTING), parts, **options))
    text = b"".join(content for _, content in done).decode()
    return text.splitlines(), [f["message"] for one, _ in done for f in one.report["faults"]]


WORDS = [f"word{number}" for number in range(60)]


def upper(lines: list[str]) -> list[str]:
    return [line.upper() for line in lines]


def test_results_come_in_order(cluster):
    assert run_lines(cluster, WORDS) == (upper(WORDS), [])


def test_a_line_that_fails_is_set_aside(cluster, tmp_path):
    lines = [*WORDS[:30], "raise", *WORDS[30:]]
    found, faults = run_lines(cluster, lines, 200, folder=tmp_path / "run")
    assert found == upper(WORDS)
    (fault,) = faults
    assert fault.startswith("in.txt:31: set aside, since it fails: ValueError: this line is poison")
    (told,) = (tmp_path / "run" / "poisoned.jsonl").read_text().splitlines()
    assert json.loads(told)["line"] == 31


def test_a_line_that_kills_workers_is_set_aside(cluster):
    found, faults = run_lines(cluster, [*WORDS[:9], "kill", *WORDS[9:12]], 200)
    assert found == upper(WORDS[:12])
    (fault,) = faults
    assert fault.startswith("in.txt:10: set aside, since workers died of it")


@pytest.mark.long
def test_a_worker_that_hangs_is_ended(cluster):
    found, faults = run_lines(cluster, ["a", "hang", "b"], 2, seconds=5.0)
    assert found == ["A", "B"]
    (fault,) = faults
    assert "in.txt:2: set aside" in fault
    assert "more than 5 seconds" in fault


def test_a_part_whose_worker_died_is_done_again(cluster, tmp_path):
    lines = ["a", f"once {tmp_path / 'died'}", "b"]
    found, faults = run_lines(cluster, lines, 1000)
    assert (found, faults) == (upper(lines), [])
    assert (tmp_path / "died").exists()


def test_a_full_disk_stops_the_run_and_it_is_resumed(cluster, tmp_path):
    folder = tmp_path / "run"
    lines = [*WORDS[:20], "full"]
    with pytest.raises(OutputError, match="No space left on device"):
        run_lines(cluster, lines, folder=folder)
    # The disk has room again: the finished parts are not done a second time.
    (folder / "parts").mkdir(exist_ok=True)
    done = {path.name for path in (folder / "parts").glob("*.json")}
    with pytest.raises(OutputError):
        run_lines(cluster, lines, folder=folder, resume=True)
    assert done <= {path.name for path in (folder / "parts").glob("*.json")}


def test_an_interrupted_run_is_resumed_to_the_same_bytes(cluster, tmp_path):
    data = "".join(f"{word}\n" for word in WORDS).encode()
    mark = tmp_path / "mark"
    spec = JobSpec(SHOUTING, {"mark": str(mark)})

    def parts():
        return parts_of([Source("in.txt", "lines", data)], 20)

    folder = tmp_path / "run"
    half = run_parts(cluster, spec, parts(), folder=folder)
    first = [next(half) for _ in range(5)]
    half.close()  # as when the client is killed
    finished = {path.stem for path in (folder / "parts").glob("*.json")}
    times = {n: (folder / "parts" / f"{n}.out").stat().st_mtime_ns for n in finished}
    again = list(run_parts(cluster, spec, parts(), folder=folder, resume=True))
    assert [content for _, content in again][:5] == [content for _, content in first]
    assert b"".join(content for _, content in again) == data.upper()
    for name, time_ns in times.items():
        assert (folder / "parts" / f"{name}.out").stat().st_mtime_ns == time_ns
    with pytest.raises(InputError, match="another state of its input"):
        changed = parts_of([Source("in.txt", "lines", data + b"x")], 20)
        list(run_parts(cluster, spec, changed, folder=folder, resume=True))


def test_items_that_belong_together_are_not_divided(cluster):
    spec = JobSpec(SHOUTING, divisible=False)
    parts = parts_of_items(["a", "raise", "b", "c"], 3)
    done = list(run_parts(cluster, spec, parts))
    assert b"".join(content for _, content in done) == b"C\n"
    (fault,) = (f["message"] for one, _ in done for f in one.report["faults"])
    assert fault.startswith("item 1: set aside")


def test_workers_that_cannot_see_the_folder_send_results(cluster, tmp_path, monkeypatch):
    folder = RunFolder(tmp_path, {})
    run = Run(cluster, JobSpec(SHOUTING), folder)
    run.token, written = "seen", []
    monkeypatch.setattr(Run, "_prepare", lambda self: written.append((tmp_path / "probe").exists()))
    parts = list(parts_of([Source("in.txt", "lines", b"a\nb\n")], 2))
    for part, content in parts:
        folder.keep_input(part, content)
    done = list(run(part for part, _ in parts))
    assert written == [False]
    assert run.moved == 4 + 4  # in and out
    assert [folder.output(one.part) for one in done] == [b"A\n", b"B\n"]


def test_a_model_that_workers_refuse_stops_the_run(cluster):
    spec = JobSpec(SHOUTING, {"unknown": 1})
    with pytest.raises(UsageError, match="cannot start the job"):
        run_lines(cluster, ["a"], spec=spec)


def kill_workers(cluster: Connection, times: int, ended: threading.Event) -> None:
    """Kill a worker at random moments."""
    import random

    chosen = random.Random(1)
    for _ in range(times):
        if ended.wait(chosen.uniform(0.1, 1.5)):
            return
        pids = [w["pid"] for w in cluster.client.run(lambda: {"pid": os.getpid()}).values()]
        if pids:
            os.kill(chosen.choice(pids), signal.SIGKILL)


def test_progress_tells_of_workers_and_rate(cluster):
    events = []
    run_lines(cluster, WORDS, progress=events.append)
    assert events[-1].scores["workers"] == 2
    assert events[-1].done == events[-1].total or events[-1].done > 0
    assert time.monotonic() > 0
