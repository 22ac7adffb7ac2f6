"""Runs: parts are given to workers until all are done, whatever happens to the workers."""

from __future__ import annotations

import queue
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from treaty._streams import replacing
from treaty.cluster._connect import ClusterError, Connection
from treaty.cluster._folder import Finished, RunFolder
from treaty.cluster._models import missing_models
from treaty.cluster._parts import Part, fetch, item_pieces, pieces_of
from treaty.cluster._worker import PROBE, JobSpec, Unseen, do_part, fatal
from treaty.errors import InputError, OutputError, TreatyError
from treaty.learn._registry import model_path
from treaty.progress import OnProgress, Progress

__all__ = ["Run"]

AHEAD = 2
"""Parts per thread that workers have at hand."""
MOST_TRIES = 2
"""Number of tries of a part that fails and cannot be divided."""
MOST_DEATHS = 3
"""Number of tries of a part whose workers died, and which cannot be divided. It is tried alone,
because a worker that dies takes down all parts it has; Dask makes several attempts each time."""
TICK = 0.25
LONG = 5.0
"""Factor by which the wait for restarted workers exceeds the wait for the first ones."""


@dataclass
class _Leaf:
    """A part, or a piece of one, on its way."""

    part: Part
    tries: int = 0
    ship: bool = False
    future: Any = None
    done: Finished | None = None
    pieces: list[_Leaf] = field(default_factory=list)

    def leaves(self) -> Iterator[_Leaf]:
        if not self.pieces:
            yield self
        for piece in self.pieces:
            yield from piece.leaves()


class Run:
    """The parts of a job on a cluster.

    Parameters
    ----------
    connection
        The cluster.
    spec
        The job.
    folder
        The folder of the run.
    seconds
        Limit for a part, after which its worker is ended; None for no limit.
    progress
        Called with `treaty.Progress` events.
    """

    def __init__(
        self,
        connection: Connection,
        spec: JobSpec,
        folder: RunFolder,
        *,
        seconds: float | None = None,
        progress: OnProgress | None = None,
    ) -> None:
        self.connection, self.spec, self.folder = connection, spec, folder
        self.seconds, self.progress = seconds, progress
        self.token = secrets.token_hex(16)
        self.lost = self.moved = self.tasks = self.total = self.done = self.results = 0
        self._began = self._counted_at = 0.0
        self._known_threads = 0
        self._events: queue.SimpleQueue[tuple[_Leaf, Any]] = queue.SimpleQueue()
        self._flying: dict[str, _Leaf] = {}
        self._waiting: deque[_Leaf] = deque()
        self._suspects: deque[_Leaf] = deque()
        self._is_alone = False  # whether a suspect is tried, and nothing else

    def __call__(self, parts: Iterable[Part]) -> Iterator[Finished]:
        """Do all parts; yields them in order, a divided one as its pieces.

        Raises
        ------
        OutputError, ModelError, UsageError, InputError
            What stops the run: a full disk, a model that workers refuse, an input that changed.
        ClusterError
            When the scheduler has gone, or no workers are left.
        """
        every = [_Leaf(part) for part in parts]
        self._began = time.perf_counter()
        self._waiting.extend(leaf for leaf in every if not self._is_finished(leaf))
        self.total = len(self._waiting)
        if self._waiting:
            self._surviving(self._prepare)
        try:
            for root in every:
                while any(leaf.done is None for leaf in root.leaves()):
                    self._surviving(self._step)
                    self._surviving(self._tell)
                yield from (leaf.done for leaf in root.leaves() if leaf.done is not None)
        finally:
            self.cancel()

    def _surviving(self, step: Callable[[], None]) -> None:
        """Do something that needs the cluster, also if a worker or the scheduler goes meanwhile."""
        end = time.monotonic() + LONG * self.connection.patience
        while True:
            try:
                return step()
            except TreatyError:
                raise
            except (OSError, TimeoutError, RuntimeError, AttributeError) as error:
                # Dask has no one error for a connection that breaks in the middle of a call.
                if time.monotonic() > end:
                    raise ClusterError(f"the cluster does not answer: {error}") from error
                time.sleep(TICK)
                if self.connection.client.status not in ("running", "connecting"):
                    self._start_again()
                    return None

    def _is_finished(self, leaf: _Leaf) -> bool:
        leaf.done = self.folder.finished(leaf.part)
        return leaf.done is not None

    def _prepare(self) -> None:
        """Bring models to the workers, and let them recognize the folder."""
        with replacing(self.folder.path / PROBE) as stream:
            stream.write(self.token.encode())
        self.connection.wait()
        from treaty.cluster._plugin import ModelPlugin

        client, models = self.connection.client, dict(self.spec.models)
        files: dict[str, bytes] = {}
        if models:
            lacking = client.run(missing_models, models, on_error="return")
            named = (names for names in lacking.values() if isinstance(names, list))
            for name in {name for names in named for name in names}:
                files[models[name]] = model_path(name).read_bytes()
            client.register_plugin(ModelPlugin(models, files))

    def _step(self) -> None:
        """Send parts to workers, and take finished ones."""
        client = self.connection.client
        if client.status not in ("running", "connecting"):
            self._start_again()
            return
        room = AHEAD * max(1, self._threads()) - len(self._flying)
        while self._waiting and room > 0 and not self._is_alone:
            self._submit(self._waiting.popleft())
            room -= 1
        if self._suspects and not self._flying:
            self._is_alone = True
            self._submit(self._suspects.popleft())
        try:
            leaf, future = self._events.get(timeout=TICK)
        except queue.Empty:
            if not self.connection.threads():
                self.connection.wait(LONG * self.connection.patience)
            return
        if self._flying.get(leaf.part.name) is leaf and leaf.future is future:
            del self._flying[leaf.part.name]
            self._is_alone = False
            self._take(leaf, future)

    def _threads(self) -> int:
        """Ask for the number of threads, at most once a second: it costs as much as a task."""
        if time.monotonic() - self._counted_at > 1.0 or not self._known_threads:
            self._known_threads, self._counted_at = self.connection.threads(), time.monotonic()
        return self._known_threads

    def _submit(self, leaf: _Leaf) -> None:
        if "-" in leaf.part.name and self._is_finished(leaf):  # a piece of an earlier run
            self.done += 1
            return
        part, content = leaf.part, None
        if part.shipped or leaf.ship:
            content = self._content(part)
            self.moved += len(content)
        self.tasks += 1
        leaf.future = self.connection.client.submit(
            do_part, self.spec, part, content, str(self.folder.path), self.token, self.seconds,
            key=f"treaty-{part.name}-{self.token[:8]}-{self.tasks}", pure=False, retries=0,
            priority=-int(part.name.split("-")[0]),
        )  # fmt: skip
        self._flying[part.name] = leaf
        leaf.future.add_done_callback(lambda future: self._events.put((leaf, future)))

    def _content(self, part: Part) -> bytes:
        try:
            if part.shipped:
                return self.folder.input(part)
            return fetch(part.source, part.begin, part.end)
        except OSError as error:
            cause = f"cannot be read: {error.strerror or error}"
            raise InputError(cause, path=part.source) from error

    def _take(self, leaf: _Leaf, future: Any) -> None:
        error: BaseException | None = None
        if future.status == "finished":
            try:
                finished = future.result()
            except Exception as failure:  # the worker with the result has gone
                error = failure
            else:
                future.release()
                return self._finish(leaf, finished)
        elif future.status in ("cancelled", "lost"):  # the scheduler has forgotten it
            self.lost += 1
            self._waiting.appendleft(leaf)
            return None
        else:
            error = future.exception()
        return self._fail(leaf, error or ClusterError("the task was lost"))

    def _finish(self, leaf: _Leaf, finished: Finished | Unseen) -> None:
        if isinstance(finished, Unseen):
            leaf.ship = True
            self._waiting.appendleft(leaf)
            return
        self.moved += len(finished.data or b"")
        self.done += 1
        self.results += int(finished.report.get("results", 0))
        leaf.done = self.folder.take(finished)

    def _fail(self, leaf: _Leaf, error: BaseException) -> None:
        """Divide a part that failed; what cannot be divided is tried again, then set aside."""
        if fatal(error):
            raise error
        self.lost += 1
        leaf.tries += 1
        if self.spec.divisible and len(pieces := self._pieces(leaf.part)) > 1:
            for part, data in pieces:
                if part.shipped:
                    self.folder.keep_input(part, data)
            self.total += len(pieces) - 1
            leaf.pieces = [_Leaf(part, ship=leaf.ship) for part, _ in pieces]
            self._waiting.extendleft(reversed(leaf.pieces))
        elif _has_died(error) and leaf.tries <= MOST_DEATHS:
            self._suspects.append(leaf)
        elif leaf.tries < MOST_TRIES:
            self._waiting.appendleft(leaf)
        else:
            self._set_aside(leaf, error)

    def _pieces(self, part: Part) -> list[tuple[Part, bytes]]:
        content = self._content(part)
        return item_pieces(part, content) if part.source == "items" else pieces_of(part, content)

    def _set_aside(self, leaf: _Leaf, error: BaseException) -> None:
        part, cause = leaf.part, _cause(error, self.seconds)
        at = (
            f"item {part.begin + 1}" if part.source == "items" else f"{part.source}:{part.line + 1}"
        )
        message = f"{at}: set aside, since {cause}"
        self.folder.set_aside(part, cause)
        fault = {"path": part.source, "line": part.line + 1, "message": message}
        report = {"results": 0, "faults": [fault], "set_aside": 1}
        self.done += 1
        leaf.done = self.folder.take(Finished(part, report, b""))

    def _start_again(self) -> None:
        """Connect to a scheduler that has come back, and give it what was lost."""
        self.lost += len(self._flying)
        self._waiting.extendleft(sorted(self._flying.values(), key=_name, reverse=True))
        self._flying.clear()
        self._is_alone = False
        self.connection.reconnect()
        self._surviving(self._prepare)

    def cancel(self) -> None:
        """Cancel the parts that workers have not finished."""
        futures = [leaf.future for leaf in self._flying.values()]
        self._flying.clear()
        if futures and self.connection.client.status == "running":
            self.connection.client.cancel(futures, force=True)

    def _tell(self) -> None:
        if self.progress is None:
            return
        seconds = time.perf_counter() - self._began
        scores = {
            "workers": float(len(self.connection.client.nthreads())),
            "rate": self.results / seconds if seconds > 0 else 0.0,
            "lost": float(self.lost),
        }
        self.progress(Progress("parts", self.done, self.total, scores, seconds=seconds))


def _name(leaf: _Leaf) -> str:
    return leaf.part.name


def _has_died(error: BaseException) -> bool:
    return type(error).__name__ == "KilledWorker"


def _cause(error: BaseException, seconds: float | None) -> str:
    name = type(error).__name__
    if _has_died(error):
        over = "" if seconds is None else f", or it took more than {seconds:g} seconds"
        return f"workers died of it (out of memory, a crash{over})"
    if isinstance(error, OutputError):
        return str(error)
    return f"it fails: {name}: {' '.join(str(error).split())[:300]}"
