"""Connections to a cluster: by the address of a scheduler, or with processes of this machine."""

from __future__ import annotations

import gc
import logging
import time
import traceback
import warnings
from types import TracebackType
from typing import Any, Self

from treaty.errors import TreatyError, UsageError

__all__ = ["ClusterError", "Connection", "connect"]

LOCAL = "local:"
PATIENCE = 60.0
"""Seconds in which a scheduler that is gone may come back."""
MOST_WORKERS = 1024
UNREACHABLE = (OSError, TimeoutError, RuntimeError, ValueError, TypeError, AssertionError)
"""What a client raises that cannot connect; AssertionError: its thread did not start in time."""
QUIET = ("distributed", "distributed.nanny", "distributed.worker", "distributed.scheduler",
         "distributed.client", "distributed.core", "distributed.comm", "tornado.application",
         "distributed.process", "distributed.batched", "asyncio")  # fmt: skip
"""Loggers whose messages are not for users: what matters is told by exceptions."""


class ClusterError(TreatyError):
    """The cluster cannot be reached, or has no workers."""

    exit_code = 3


def connect(address: str, *, patience: float = PATIENCE) -> Connection:
    """Connect to a cluster.

    Parameters
    ----------
    address
        Of a scheduler, such as ``tcp://10.0.0.5:8786`` or ``tls://…``; or ``local:4`` for four
        processes of this machine, which end with the connection and take orders from nobody else:
        they know each other by a certificate that is made for them and kept in memory. The
        certificates of ``tls`` are those of Dask's configuration (``distributed.comm.tls``).
    patience
        Seconds in which a scheduler that cannot be reached may come back.

    Raises
    ------
    UsageError
        When the address makes no sense, or ``treaty[cluster]`` is not installed.
    ClusterError
        When nothing answers.

    Examples
    --------
    >>> connect("local:none")
    Traceback (most recent call last):
    treaty.errors.UsageError: --cluster local:N takes a number of processes, not 'none'
    """
    return Connection(address, patience)


class Connection:
    """A connection to a cluster; `client` is a `distributed.Client`.

    It is a context manager: at the end the client is closed, and with it a cluster of its own.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self.address, self.patience = address, patience
        self._processes = _number(address)
        distributed()
        self._cluster: Any = None
        self._config: Any = None
        self.client: Any = None

    def open(self) -> Self:
        """Connect now rather than in a with statement."""
        if self.client is not None:
            return self
        _hush()
        if self._processes:
            self._config = _configured()
            self._cluster = _local(self._processes, self.address)
        self.client = self._new_client(self.patience)
        return self

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _hush()
        for thing in (self.client, self._cluster):
            if thing is not None:
                try:
                    thing.close(timeout=5)
                except Exception as failure:  # closing twice, or after a scheduler has gone
                    logging.getLogger("treaty.cluster").debug("closing: %s", failure)
        if self._config is not None:
            self._config.__exit__(None, None, None)

    def reconnect(self) -> None:
        """Connect again to a scheduler that was lost.

        Raises
        ------
        ClusterError
            When it does not come back in time.
        """
        try:
            self.client.close(timeout=2)
        except Exception as failure:
            logging.getLogger("treaty.cluster").debug("closing: %s", failure)
        self.client = self._new_client(self.patience)

    @property
    def dashboard(self) -> str | None:
        """The address of the dashboard; a local cluster has none, which all users could read."""
        return None if self._processes else str(self.client.dashboard_link)

    def threads(self) -> int:
        """Return the number of threads of all workers."""
        return int(sum(self.client.nthreads().values()))

    def wait(self, patience: float | None = None) -> None:
        """Wait for at least one worker; raise `ClusterError` if none comes."""
        end = time.monotonic() + (self.patience if patience is None else patience)
        while not self.client.nthreads():
            if time.monotonic() > end:
                raise ClusterError(
                    f"the cluster at {self.address} has no workers: start some, such as by "
                    "'dask worker ADDRESS'"
                )
            time.sleep(0.05)

    def settle(self) -> None:
        """Wait until the processes of a local cluster are up."""
        if self._processes:
            self.client.wait_for_workers(self._processes, timeout=self.patience)

    def _new_client(self, patience: float) -> Any:
        place: Any = self.address if self._cluster is None else self._cluster
        end = time.monotonic() + patience
        while True:
            client, error = _attempt(place, max(1.0, min(10.0, patience)))
            if error is None:
                return client
            gc.collect()  # what is left of the client: Dask deadlocks if it goes while one starts
            if isinstance(error, ValueError | TypeError) or time.monotonic() > end:
                raise _unreachable(self.address, error)
            time.sleep(0.5)


def _attempt(place: Any, timeout: float) -> tuple[Any, Exception | None]:
    """Make a client; return the error if that fails, without anything that refers to the client."""
    from distributed import Client

    try:
        return Client(place, timeout=timeout, set_as_default=False), None
    except UNREACHABLE as error:
        cause: BaseException | None = error
        while cause is not None:
            traceback.clear_frames(cause.__traceback__)
            cause.__traceback__ = None
            cause = cause.__cause__ or cause.__context__
        return None, error


def _unreachable(address: str, error: Exception) -> TreatyError:
    cause = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, ValueError | TypeError):
        return UsageError(f"--cluster {address}: {cause}")
    return ClusterError(
        f"no scheduler answers at {address} ({cause[:200]}): start one by 'dask scheduler', or "
        "check the address; 'treaty cluster doctor' looks closer"
    )


def distributed() -> Any:
    """Import `distributed`, or say what to install."""
    try:
        import distributed as found
    except ImportError as error:
        raise UsageError(
            "clusters need Dask: install it with pip install 'treaty[cluster]'"
        ) from error
    return found


def _number(address: str) -> int:
    """Return the number of processes of a local cluster, 0 for an address."""
    if not address.startswith(LOCAL):
        if address.strip() and not address.isspace():
            return 0
        raise UsageError("--cluster takes the address of a scheduler, or local:N")
    text = address.removeprefix(LOCAL)
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"--cluster local:N takes a number of processes, not {text!r}")
    if not 1 <= int(text) <= MOST_WORKERS:
        raise UsageError(f"--cluster local:N takes 1 to {MOST_WORKERS} processes, not {text}")
    return int(text)


def _configured() -> Any:
    """Set up Dask as long as a local cluster lives.

    A worker that has died is started again; on a busy machine that takes longer than the 15 s after
    which Dask would give it up. Nothing is served over HTTP, which every user could ask.
    """
    import dask

    return dask.config.set(
        {
            "distributed.scheduler.http.routes": [],
            "distributed.worker.http.routes": [],
            "distributed.scheduler.worker-ttl": "60s",
            "distributed.admin.tick.limit": "60s",
            "distributed.worker.profile.enabled": False,
            "distributed.deploy.lost-worker-timeout": "1h",
        }
    )


def _local(processes: int, address: str) -> Any:
    """Start processes that only this one can connect to.

    Every user of the machine reaches its ports, and who reaches a scheduler runs code as its owner:
    both sides show a certificate whose key is in the memory of these processes alone.
    """
    from distributed import LocalCluster
    from distributed.security import Security

    try:
        private = Security.temporary()
    except ImportError as error:
        raise UsageError(
            f"--cluster {address} needs the package cryptography: install it with pip install "
            "'treaty[cluster]'"
        ) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ports that others use
        try:
            return LocalCluster(
                n_workers=processes,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                protocol="tls://",
                security=private,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        except UNREACHABLE as error:  # a worker was killed, or there is no memory for it
            cause = " ".join(str(error).split()) or type(error).__name__
            raise ClusterError(
                f"the processes of {address} did not start ({cause[:200]}): try fewer, or run "
                "without --cluster"
            ) from error


def _hush() -> None:
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
