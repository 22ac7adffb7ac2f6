"""Load on the server: requests per second and latencies by endpoint and number of clients.

    python -m research.benchmarks.serving
    python -m research.benchmarks.serving --clients 1 8 --seconds 10
    python -m research.benchmarks.serving --soak 30       # minutes of mixed and hostile requests

Server and clients are processes of this machine, and the clients take their share of its cores. The
same work is done by the library without a server; the difference at the median, with one client, is
the overhead. CPU milliseconds are those of the server per request, and do not depend on what else
the machine does. spaCy's blank pipeline (words and sentences only) runs behind the same server.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from research.benchmarks._serving_clients import Client, percentile
from research.benchmarks._serving_soak import attacks, usual_and_odd
from research.report import Run, append_run, say

CHILD = Path(__file__).with_name("_serving_child.py")
TEXT = "She saw the man with the telescope in London. Old friends of Ada Lovelace can fish there."
REQUESTS = {
    "solve": {
        "graph": {
            "variables": [{"name": n, "score": s} for n, s in (("sun", 1.2), ("rain", 0.7))],
            "factors": [{"kind": "exactly_one", "of": ["sun", "rain"]}],
        }
    },
    "tag": {"text": TEXT},
    "parse": {"text": TEXT},
    "label": {"text": TEXT},
    "link": {
        "posts": [
            {"author": "ann", "text": "how do I mount a usb stick?"},
            {"author": "bob", "text": "ann: sudo mount /dev/sdb1 /mnt"},
            {"author": "ann", "text": "thanks!"},
        ]
    },
}
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    options = _options()
    if options.soak:
        sys.exit(_soak(options))
    jobs = [_direct(options), _served("treaty", list(REQUESTS), options)]
    if importlib.util.find_spec("spacy") is None:
        say("spaCy is left out: spacy is not installed")
    else:
        jobs.append(_served("spacy", ["tag"], options))
    runs = [append_run(options.out, run) for job in jobs for run in job]
    print(_table(runs))
    print(_overheads(runs))


@contextmanager
def server(kind: str) -> Iterator[tuple[str, int, int]]:
    """Start a server; yields host, port and process."""
    command = [sys.executable, str(CHILD), kind]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    address = urlsplit(child.stdout.readline().strip())
    host, port = address.hostname or "", address.port or 0
    try:
        asyncio.run(_until_ready(host, port))
        yield host, port, child.pid
    finally:
        child.terminate()
        child.wait(30)


async def _until_ready(host: str, port: int) -> None:
    for _ in range(1200):
        try:
            async with Client(host, port) as client:
                if (await client.ask("GET", "/readyz"))[0] == 200:
                    return
        except OSError:
            pass
        await asyncio.sleep(0.1)
    raise TimeoutError("the server does not get ready")


def _served(kind: str, names: list[str], options: argparse.Namespace) -> Iterator[Run]:
    with server(kind) as (host, port, process):
        for name in names:
            body = json.dumps(REQUESTS[name]).encode()
            asyncio.run(_load(host, port, name, body, 1, 0.5))
            for clients in options.clients:
                say(f"{kind}, {name}, {clients} clients")
                busy = cpu_seconds(process)
                began = time.perf_counter()
                taken, statuses = asyncio.run(
                    _load(host, port, name, body, clients, options.seconds)
                )
                seconds = time.perf_counter() - began
                yield {
                    "run": f"{kind} served",
                    "endpoint": name,
                    "clients": clients,
                    "requests": len(taken),
                    "requests per second": len(taken) / seconds,
                    **_percentiles(taken),
                    "cpu ms": 1000 * (cpu_seconds(process) - busy) / max(len(taken), 1),
                    "refused or failed": sum(n for status, n in statuses.items() if status != 200),
                }


async def _load(
    host: str, port: int, name: str, body: bytes, clients: int, seconds: float
) -> tuple[list[float], Counter[int]]:
    taken, statuses, end = list[float](), Counter[int](), time.perf_counter() + seconds

    async def work() -> None:
        async with Client(host, port) as client:
            while (began := time.perf_counter()) < end:
                status, _ = await client.ask("POST", f"/api/{name}", body)
                taken.append(time.perf_counter() - began)
                statuses[status] += 1

    await asyncio.gather(*(work() for _ in range(clients)))
    return taken, statuses


def _direct(options: argparse.Namespace) -> Iterator[Run]:
    """Do the same work without a server."""
    say("direct calls")
    lines = "".join(json.dumps([name, asked]) + "\n" for name, asked in REQUESTS.items())
    command = [sys.executable, str(CHILD), "direct", str(options.repeat)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        found = json.loads(line)
        yield {
            "run": "treaty called directly",
            "endpoint": found["name"],
            "clients": 1,
            "requests": len(found["seconds"]),
            "requests per second": len(found["seconds"]) / sum(found["seconds"]),
            **_percentiles(found["seconds"]),
            "cpu ms": 1000 * found["cpu"],
            "refused or failed": 0,
        }


def _percentiles(taken: list[float]) -> dict[str, float]:
    return {f"p{p} ms": 1000 * percentile(taken, p) for p in (50, 95, 99)}


def processes_of(server: int) -> list[int]:
    """The process, and all that it has started."""
    parents = dict[int, int]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(fields[1])
    found = [server]
    for one in found:
        found += [process for process, parent in parents.items() if parent == one]
    return found


def cpu_seconds(server: int) -> float:
    """User and system time so far, of a process and of all that it has started."""
    ticks = 0
    for process in processes_of(server):
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # with those of children that have ended
    return ticks / TICKS


def megabytes(server: int) -> float:
    """Memory now, of a process and of all that it has started; shared pages are counted once."""
    kilobytes = 0
    for process in processes_of(server):
        with suppress(OSError):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes * 1024 / 1e6


def _table(runs: list[Run]) -> str:
    columns = ("requests per second", "p50 ms", "p95 ms", "p99 ms", "cpu ms")
    lines = [f"| run | endpoint | clients | {' | '.join(columns)} |", "| --- " * 8 + "|"]
    for run in runs:
        numbers = " | ".join(f"{run[name]:.1f}" for name in columns)
        lines.append(f"| {run['run']} | {run['endpoint']} | {run['clients']} | {numbers} |")
    return "\n".join(lines)


def _overheads(runs: list[Run]) -> str:
    direct = {run["endpoint"]: run for run in runs if run["run"] == "treaty called directly"}
    lines = []
    for run in runs:
        if run["run"] == "treaty served" and run["clients"] == 1:
            twin = direct[run["endpoint"]]
            more = (run[name] - twin[name] for name in ("p50 ms", "cpu ms"))
            lines.append(
                "overhead, {}: {:.2f} ms at the median, {:.2f} ms of CPU".format(
                    run["endpoint"], *more
                )
            )
    return "\n".join(lines)


# Soak


def _soak(options: argparse.Namespace) -> int:
    """Ask all kinds of things for a while, beside one friendly client.

    Memory must not grow, no error must be the server's, and the friendly client must hardly notice.
    """
    with server("usual") as (host, port, process):
        told = asyncio.run(_mix(host, port, process, options))
    run = append_run(options.out, told)
    for name, value in run.items():
        print(f"{name}: {value}")
    return 1 if told["errors of the server"] or told["friendly client, failed"] else 0


async def _friendly(host: str, port: int, seconds: float) -> tuple[list[float], int]:
    """Run the friendly client; returns how long its requests took, and how many failed."""
    command = [
        sys.executable,
        "-m",
        "research.benchmarks._serving_soak",
        host,
        str(port),
        str(seconds),
    ]
    child = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told, _ = await child.communicate()
    taken, failed = json.loads(told)
    return taken, failed


async def _mix(host: str, port: int, process: int, options: argparse.Namespace) -> Run:
    others = list(attacks())
    quiet, _ = await _friendly(host, port, min(15.0, 15 * options.soak))
    began = time.monotonic()
    end = began + 60 * options.soak
    statuses, samples = Counter[int](), list[tuple[float, float]]()

    async def watch() -> None:
        while time.monotonic() < end:
            samples.append((time.monotonic() - began, megabytes(process)))
            await asyncio.sleep(2)

    beside, _, *_ = await asyncio.gather(
        _friendly(host, port, 60 * options.soak),
        watch(),
        *(usual_and_odd(seed, host, port, end, statuses, REQUESTS, TEXT) for seed in range(3)),
        *(attack(host, port, end, statuses) for attack in others),
    )
    late = [one for one in samples if one[0] > 0.25 * (end - began)]  # caches fill at first
    seconds, sizes = zip(*late, strict=True)
    slope = statistics.linear_regression(seconds, sizes).slope if len(late) > 2 else 0.0
    taken, failed = beside
    return {
        "run": "soak",
        "minutes": options.soak,
        "requests": sum(statuses.values()),
        "statuses": {str(status): n for status, n in sorted(statuses.items())},
        "friendly client, quiet": {k: round(v, 1) for k, v in _percentiles(quiet).items()},
        "friendly client, beside the others": {
            "requests": len(taken),
            **{k: round(v, 1) for k, v in _percentiles(taken).items()},
            "longest ms": round(1000 * max(taken), 1),
        },
        "p95 by quiet p95": round(percentile(taken, 95) / percentile(quiet, 95), 2),
        "friendly client, failed": failed,
        "megabytes at first, then, at last": [
            round(samples[0][1]), round(sizes[0]), round(sizes[-1]),
        ],
        "megabytes at most": round(max(size for _, size in samples)),
        "megabytes per hour": round(3600 * slope, 2),
        "errors of the server": statuses[500],
    }  # fmt: skip


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", nargs="+", type=int, default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=5.0, help="for each measurement")
    parser.add_argument("--repeat", type=int, default=200, help="direct calls")
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--out", type=Path, help="a file of run lines to add to")
    return parser.parse_args()


if __name__ == "__main__":
    main()
