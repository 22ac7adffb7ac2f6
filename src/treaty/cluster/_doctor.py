"""What a cluster looks like, and what is wrong with it."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from treaty import __version__
from treaty.cluster._connect import Connection

__all__ = ["ClusterStatus", "WorkerStatus", "examine"]

LARGE_LAG, LITTLE_MEMORY = 5.0, 2**30
SECONDS = 10.0


@dataclass(frozen=True)
class WorkerStatus:
    """A worker: where it is, what it has, and what is wrong with it."""

    address: str
    host: str
    threads: int
    memory: int
    """Bytes that it may use; 0 if there is no limit."""
    used: int
    treaty: str
    python: str
    distributed: str
    models: dict[str, str]
    """The first digits of the hashes of installed models, by name."""
    lag: float
    """Seconds by which its clock differs from this machine's."""
    has_nanny: bool
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ClusterStatus:
    """A cluster: its scheduler, its workers, and what is wrong with it."""

    address: str
    dashboard: str | None
    """None if there is none, as of the processes of this machine."""
    encrypted: bool
    tasks: int
    workers: list[WorkerStatus]
    problems: list[str]

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not any(worker.problems for worker in self.workers)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return {**asdict(self), "is_well": self.is_well}


def _described() -> dict[str, Any]:
    """Describe the process of a worker."""
    import distributed

    from treaty.learn import models

    known = {}
    try:
        from treaty.cluster._models import file_hash

        known = {model.name: file_hash(model.path)[:12] for model in models()}
    except Exception as error:
        known = {"?": f"{type(error).__name__}: {error}"}
    return {
        "host": platform.node(),
        "pid": os.getpid(),
        "treaty": __version__,
        "python": platform.python_version(),
        "distributed": distributed.__version__,
        "models": known,
        "clock": time.time(),
    }


def examine(connection: Connection) -> ClusterStatus:
    """Ask all workers what they have, and compare it with this machine.

    Parameters
    ----------
    connection
        An open connection.
    """
    client = connection.client
    before = time.time()
    told = client.run(_described, on_error="return")
    middle = (before + time.time()) / 2
    info = client.scheduler_info(n_workers=-1)
    own = _described()
    workers = []
    for address, worker in info["workers"].items():
        answer = told.get(address)
        workers.append(_status(address, worker, answer, own, middle))
    problems = [] if workers else ["no workers: start some by 'dask worker ADDRESS'"]
    encrypted = connection.client.scheduler.address.startswith(("tls://", "wss://"))
    if not encrypted and not client.scheduler.address.startswith("inproc://"):
        problems.append(
            "traffic is not encrypted and anyone who reaches the scheduler can run code: use TLS "
            "(docs/how-to/clusters.md), or a network that is closed"
        )
    tasks = sum(len(keys) for keys in client.processing().values())
    return ClusterStatus(
        str(client.scheduler.address), connection.dashboard, encrypted, tasks, workers, problems
    )


def _status(
    address: str, info: Mapping[str, Any], answer: Any, own: Mapping[str, Any], now: float
) -> WorkerStatus:
    memory, used = int(info.get("memory_limit") or 0), int(info["metrics"].get("memory") or 0)
    nanny = bool(info.get("nanny"))
    if not isinstance(answer, Mapping):
        problem = f"does not answer: {answer!r}"[:300]
        if isinstance(answer, ModuleNotFoundError):
            problem = f"lacks a package ({answer}): install 'treaty[cluster]' {__version__} there"
        return WorkerStatus(address, str(info.get("host", "")), info["nthreads"], memory, used, "?",
                            "?", "?", {}, 0.0, nanny, [problem])  # fmt: skip
    lag = float(answer["clock"]) - now
    problems = [
        f"{name} {answer[name]}, here {own[name]}: install the same"
        for name in ("treaty", "distributed")
        if answer[name] != own[name]
    ]
    if answer["python"].split(".")[:2] != own["python"].split(".")[:2]:
        problems.append(f"Python {answer['python']}, here {own['python']}: install the same")
    for name, sha256 in own["models"].items():
        if (found := answer["models"].get(name)) not in (None, sha256):
            problems.append(f"has another model {name!r} ({found}): this machine's is sent to it")
    if abs(lag) > LARGE_LAG:
        problems.append(f"its clock is {abs(lag):.0f} s {'ahead' if lag > 0 else 'behind'}")
    if memory and memory - used < LITTLE_MEMORY:
        problems.append(f"{(memory - used) / 2**20:.0f} MB of memory are free: models need 1 GB")
    if not nanny:
        problems.append("has no nanny: if it dies or hangs, it is not started again")
    return WorkerStatus(
        address, str(answer["host"]), info["nthreads"], memory, used, answer["treaty"],
        answer["python"], answer["distributed"], answer["models"], round(lag, 3), nanny, problems,
    )  # fmt: skip
