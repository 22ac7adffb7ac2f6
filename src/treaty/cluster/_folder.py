"""The folder of a run: what was asked for, and the parts that are finished."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treaty import __version__
from treaty._streams import replacing
from treaty.cluster._parts import Part
from treaty.errors import InputError, OutputError, UsageError

__all__ = ["Finished", "RunFolder", "write_part"]

MANIFEST, PARTS, INPUTS, POISONED = "manifest.json", "parts", "inputs", "poisoned.jsonl"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Finished:
    """A part that is done.

    Attributes
    ----------
    part
        Which.
    report
        What was counted: results, faults, and what the job adds.
    data
        The results; None if they are in the folder only.
    """

    part: Part
    report: dict[str, Any]
    data: bytes | None = None


def write_part(folder: Path, name: str, data: bytes, report: Mapping[str, Any]) -> None:
    """Write the results of a part, then its report, each by an atomic rename.

    Two workers may do this for the same part: both write the same.
    """
    with replacing(folder / PARTS / f"{name}.out") as stream:
        stream.write(data)
    record = {"sha256": hashlib.sha256(data).hexdigest(), "report": dict(report)}
    with replacing(folder / PARTS / f"{name}.json") as stream:
        stream.write(json.dumps(record).encode())


class RunFolder:
    """A folder that holds a run: its manifest, inputs that are no files, and finished parts.

    Parameters
    ----------
    path
        The folder; it is made if needed.
    job
        What the run does: everything that its results depend on.

    Examples
    --------
    >>> import tempfile
    >>> folder = RunFolder(tempfile.mkdtemp(), {"job": "parse"})
    >>> folder.start([], resume=False)
    >>> folder.finished(Part("000000", "a.txt", 0, 3, 0, "")) is None
    True
    """

    def __init__(self, path: str | Path, job: Mapping[str, Any]) -> None:
        self.path = Path(path).absolute()
        self._job = json.loads(json.dumps({"format": FORMAT, "treaty": __version__, **job}))
        try:
            for name in (PARTS, INPUTS):
                (self.path / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(self.path, error) from error

    def check(self, resume: bool) -> None:
        """Refuse a folder with another run, before the input is read.

        Raises
        ------
        UsageError
            When there is a run that is not to be resumed, or none that could be.
        """
        there = (self.path / MANIFEST).exists()
        if there and not resume:
            raise UsageError(
                f"{self.path} already holds a run: resume it, or choose another folder"
            )
        if not there and resume and any((self.path / PARTS).iterdir()):
            raise UsageError(f"{self.path} has no manifest: this run cannot be resumed")

    def start(self, parts: Iterable[Part], resume: bool) -> None:
        """Write the manifest, or compare it with the one that is there.

        Raises
        ------
        InputError
            When the run in the folder had other inputs, settings or models.
        """
        manifest = {**self._job, "parts": [part.to_dict() for part in parts]}
        if resume and (self.path / MANIFEST).exists():
            self._compare(manifest)
            return
        with replacing(self.path / MANIFEST) as stream:
            stream.write(json.dumps(manifest, indent=1).encode())

    def _compare(self, now: Mapping[str, Any]) -> None:
        path = self.path / MANIFEST
        try:
            saved = json.loads(path.read_text("utf-8"))
            names = [name for name in {**saved, **now} if saved.get(name) != now.get(name)]
        except (OSError, ValueError, AttributeError) as error:
            raise InputError(
                f"the manifest is damaged ({error}); start again", path=path
            ) from error
        if names:
            what = "its input" if names == ["parts"] else ", ".join(sorted(names))
            raise InputError(f"the run had another state of {what}; start it again", path=path)

    def keep_input(self, part: Part, data: bytes) -> None:
        """Keep content that is no file of its own, such as that of standard input."""
        with replacing(self.path / INPUTS / part.name) as stream:
            stream.write(data)

    def input(self, part: Part) -> bytes:
        """Return content that was kept."""
        return (self.path / INPUTS / part.name).read_bytes()

    def finished(self, part: Part) -> Finished | None:
        """Return a part that is done, or None; damaged results are as good as none."""
        try:
            record = json.loads((self.path / PARTS / f"{part.name}.json").read_text("utf-8"))
            data = self.output(part)
            if hashlib.sha256(data).hexdigest() != record["sha256"]:
                return None
            return Finished(part, dict(record["report"]))
        except (OSError, ValueError, TypeError, LookupError):
            return None

    def output(self, part: Part) -> bytes:
        """Return the results of a part."""
        return (self.path / PARTS / f"{part.name}.out").read_bytes()

    def take(self, done: Finished) -> Finished:
        """Write the results of a part unless its worker has done so."""
        if done.data is not None:
            write_part(self.path, done.part.name, done.data, done.report)
        return Finished(done.part, done.report)

    def set_aside(self, part: Part, message: str) -> None:
        """Note an input that no worker can do."""
        path = self.path / POISONED
        before = path.read_bytes() if path.exists() else b""
        record = {"source": part.source, "line": part.line + 1, "begin": part.begin,
                "end": part.end, "error": message}  # fmt: skip
        with replacing(path) as stream:
            stream.write(before + json.dumps(record, ensure_ascii=False).encode() + b"\n")
