"""Workers, the scheduler and the client are killed at random moments: the bytes stay the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest

from treaty.cli import main
from treaty.cluster import connect

SENTENCES = [
    "The old man who lived by the river saw a boat.",
    "Ada and Charles wrote a long letter to the Royal Society about their engine.",
    "It rained, and nobody went to the market on Monday.",
    "When the children came home, the cat slept on the warm stove.",
    "She said that he had not paid for the books.",
]
KILLS = 20


def text_of(count: int) -> str:
    chosen = random.Random(7)
    lines = []
    for number in range(count):
        words = chosen.choice(SENTENCES).split()
        chosen.shuffle(words)
        lines.append(f"Number {number}: {' '.join(words)}")
        if number % 3 == 2:
            lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "in.txt"
    path.write_text(text_of(600))
    return path


@pytest.mark.long
def test_twenty_workers_are_killed_and_not_a_byte_differs(text, tmp_path, monkeypatch):
    monkeypatch.setenv("TREATY_PART_BYTES", "1000")
    assert main(["parse", str(text), "-o", str(tmp_path / "alone.conllu"), "-q"]) == 0
    ended, killed = threading.Event(), []

    def kill() -> None:
        chosen = random.Random(11)
        while len(killed) < KILLS and not ended.wait(chosen.uniform(0.5, 4.0)):
            pids = list(connection.client.run(os.getpid, on_error="ignore").values())
            if pids:
                killed.append(chosen.choice(pids))
                os.kill(killed[-1], signal.SIGKILL)

    with connect("local:2") as connection:
        connection.settle()
        killer = threading.Thread(target=kill)
        killer.start()
        runs = 0
        while len(killed) < KILLS:  # a fast machine is done before twenty are dead
            out, run = tmp_path / f"{runs}.conllu", str(tmp_path / f"run{runs}")
            address = connection.client.scheduler.address
            arguments = ["parse", str(text), "--cluster", address, "--run", run, "-o", str(out)]
            assert main([*arguments, "-q"]) == 0
            assert out.read_bytes() == (tmp_path / "alone.conllu").read_bytes()
            runs += 1
        ended.set()
        killer.join()
    assert len(killed) == KILLS


def started(arguments, tmp_path, name):
    log = (tmp_path / name).open("w")
    return subprocess.Popen([sys.executable, *arguments], stdout=log, stderr=log)


@pytest.mark.long
def test_the_scheduler_and_the_client_are_killed(text, tmp_path, monkeypatch):
    """The client is killed and resumed; meanwhile the scheduler is killed and started again."""
    monkeypatch.setenv("TREATY_PART_BYTES", "3000")
    assert main(["parse", str(text), "-o", str(tmp_path / "alone.conllu"), "-q"]) == 0
    address = "tcp://127.0.0.1:18786"
    scheduler = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "18786",
                 "--no-dashboard"]  # fmt: skip
    worker = ["-m", "distributed.cli.dask_worker", address, "--nworkers", "2", "--nthreads", "1",
              "--no-dashboard", "--host", "127.0.0.1"]  # fmt: skip
    run, out = tmp_path / "run", tmp_path / "far.conllu"
    client = ["-m", "treaty", "parse", str(text), "--cluster", address, "--run", str(run),
              "-o", str(out)]  # fmt: skip
    processes = [started(scheduler, tmp_path, "s1"), started(worker, tmp_path, "w1")]
    try:
        first = started(client, tmp_path, "c1")
        while len(list((run / "parts").glob("*.json"))) < 3:
            assert first.poll() is None, (tmp_path / "c1").read_text()
            time.sleep(0.2)
        first.send_signal(signal.SIGKILL)
        first.wait()
        second = started([*client, "--resume"], tmp_path, "c2")
        before = len(list((run / "parts").glob("*.json")))
        while len(list((run / "parts").glob("*.json"))) < before + 3:
            assert second.poll() is None, (tmp_path / "c2").read_text()
            time.sleep(0.2)
        for process in processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
        processes = [started(scheduler, tmp_path, "s2"), started(worker, tmp_path, "w2")]
        assert second.wait(timeout=900) == 0, (tmp_path / "c2").read_text()
    finally:
        for process in processes:
            process.terminate()
            process.wait()
    assert out.read_bytes() == (tmp_path / "alone.conllu").read_bytes()
