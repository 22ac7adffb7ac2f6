"""Work of a worker on a part."""

from __future__ import annotations

import faulthandler
import json
import os
import pickle
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from treaty.cluster._folder import PARTS, Finished, write_part
from treaty.cluster._models import cached_work
from treaty.cluster._parts import Part, content_hash, content_of
from treaty.errors import InputError, ModelError, OutputError, TreatyError, UsageError

__all__ = ["PROBE", "JobSpec", "Unseen", "do_part", "fatal"]

PROBE = "probe"
"""The file by which a worker recognizes the folder of the run."""


@dataclass(frozen=True)
class JobSpec:
    """A job, by name: no code is sent to workers.

    Parameters
    ----------
    maker
        What makes the worker's side, as ``module:name``: a class of Treaty, or of a package that
        workers have. Its instances are called with a path, or a list of items, and a function
        that takes texts; they return what is to be reported.
    settings
        Its arguments, as JSON knows them. Names of models among them are resolved on workers.
    models
        The hashes of model files, by name.
    divisible
        Whether the results of an item do not depend on the others, so that a part which fails can
        be divided.
    """

    maker: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    divisible: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return what results depend on, for the manifest."""
        return {"job": self.maker, "settings": dict(self.settings), "models": dict(self.models)}

    @property
    def key(self) -> str:
        """Identity of the job, by which workers keep its models loaded."""
        return content_hash(json.dumps(self.to_dict(), sort_keys=True).encode())


@dataclass(frozen=True)
class Unseen:
    """A worker cannot open the file of a part: its content must be sent."""

    name: str
    kind: Literal["file"] = "file"


def do_part(
    spec: JobSpec,
    part: Part,
    content: bytes | None,
    folder: str,
    token: str,
    seconds: float | None,
) -> Finished | Unseen:
    """Do a part: read it, work on it, and write the results if the folder can be seen.

    Parameters
    ----------
    spec, part
        The job, and which part of it.
    content
        Its content; None if it is read from its source.
    folder, token
        The folder of the run, and what the file `PROBE` there holds.
    seconds
        After this time the worker process ends itself, and the part is lost; None for no limit.
    """
    with _limited(seconds):
        if content is None:
            try:
                content = content_of(part)
            except FileNotFoundError:
                return Unseen(part.name)
        work = _started(spec)
        data, report = _worked(work, part, content)
    place = Path(folder)
    if _is_seen(place, token):
        write_part(place, part.name, data, report)
        return Finished(part, report)
    return Finished(part, report, data)


def _started(spec: JobSpec) -> Any:
    """Make the worker's side of a job; what goes wrong here would go wrong for every part."""
    try:
        return cached_work(spec.maker, spec.settings, spec.models, spec.key)
    except (ModelError, UsageError):
        raise
    except (TreatyError, ImportError, AttributeError, TypeError, OSError) as error:
        raise UsageError(f"a worker cannot start the job: {error}") from error


def _worked(work: Any, part: Part, content: bytes) -> tuple[bytes, dict[str, Any]]:
    texts: list[str] = []
    began, used = time.perf_counter(), time.thread_time()
    if part.source == "items":
        report = work(pickle.loads(content), texts.append, part.kind)
    else:
        with tempfile.TemporaryDirectory(prefix="treaty-part-") as place:
            path = Path(place) / Path(part.source).name[-80:].replace("/", "-")
            path.write_bytes(content)
            report = work(str(path), texts.append, part.kind)
            report["faults"] = [_moved(fault, str(path), part) for fault in report["faults"]]
    report["seconds"] = time.perf_counter() - began
    report["cpu"] = time.thread_time() - used
    return "".join(texts).encode("utf-8", "surrogatepass"), report


def _moved(fault: dict[str, Any], path: str, part: Part) -> dict[str, Any]:
    """Return an error with its line number in the whole file."""
    if fault.get("path") != path:
        return fault
    line = fault.get("line")
    message = str(fault["message"])
    at = None if line is None else line + part.line
    cause = message.removeprefix(f"{path}:{line}: " if line else f"{path}: ")
    where = f"{part.source}:{at}: " if at else f"{part.source}: "
    return {"path": part.source, "line": at, "message": where + cause}


def _is_seen(folder: Path, token: str) -> bool:
    try:
        return (folder / PROBE).read_text() == token and (folder / PARTS).is_dir()
    except (OSError, ValueError):
        return False


# A worker that hangs ends itself, also when the hanging code holds the interpreter lock. The timer
# is one per process: it is set to the earliest of all deadlines.

_DEADLINES: dict[int, float] = {}
_DEADLINE_LOCK = threading.Lock()


@contextmanager
def _limited(seconds: float | None) -> Iterator[None]:
    if seconds is None or not _has_nanny():
        yield
        return
    with _DEADLINE_LOCK:
        _DEADLINES[threading.get_ident()] = time.monotonic() + seconds
        _set_timer()
    try:
        yield
    finally:
        with _DEADLINE_LOCK:
            del _DEADLINES[threading.get_ident()]
            _set_timer()


def _set_timer() -> None:
    faulthandler.cancel_dump_traceback_later()
    if _DEADLINES:
        left = max(0.001, min(_DEADLINES.values()) - time.monotonic())
        faulthandler.dump_traceback_later(left, exit=True, file=_log())


def _log() -> Any:
    try:
        sys.stderr.fileno()
    except (AttributeError, OSError, ValueError):
        return _NOWHERE
    return sys.stderr


def _has_nanny() -> bool:
    """Return whether this process is a worker that is started again when it ends."""
    try:
        from distributed import get_worker

        return bool(get_worker().nanny)
    except (ImportError, ValueError):
        return False


def fatal(error: BaseException) -> bool:
    """Return whether an error stops the run, since other parts would fail alike."""
    return isinstance(error, OutputError | ModelError | UsageError) or (
        isinstance(error, InputError) and "changed during the run" in str(error)
    )


_NOWHERE = os.open(os.devnull, os.O_WRONLY)  # as long as the process
