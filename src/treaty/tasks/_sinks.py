"""A folder of results: a file for each document, names kept, nothing replaced by accident."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from treaty._streams import writing
from treaty.errors import OutputError, UsageError
from treaty.tasks._documents import Entry
from treaty.tasks._sources import Source, is_file
from treaty.text.formats import FORMATS, suffix_of

__all__ = ["Folder", "is_folder", "suffix_for"]

SUFFIXES = {"columns": ".tsv", "json": ".jsonl", "text": ".txt", "tree": ".txt"}
"""The suffixes of files by the format of results; others have the name of the format."""
KNOWN = {suffix for one in FORMATS for suffix in one.suffixes}
LONGEST = 200
"""Bytes of a name; systems allow 255, with those of a temporary file."""
MARK = ".treaty-run.json"
"""A file that a run leaves in the folder until it has ended: what it was to do."""
ALIKE = ("threads",)
"""Fields of a request on which results do not depend."""


def is_folder(output: str) -> bool:
    """Return whether results go to a folder: it exists, or its name ends with a slash."""
    return output != "-" and (output.endswith(("/", os.sep)) or Path(output).is_dir())


def suffix_for(format: str) -> str:  # noqa: A002
    """Return the suffix of files with results in a format.

    Examples
    --------
    >>> suffix_for("json"), suffix_for("conllu")
    ('.jsonl', '.conllu')
    """
    return SUFFIXES.get(format, f".{format}")


class Folder:
    """A folder that gets a file for each document.

    Parameters
    ----------
    path
        The folder.
    suffix
        The suffix of the files.
    force
        Whether files that exist are replaced.
    resume
        Whether documents whose files exist are left out: files are written as a whole or not at
        all.

    Attributes
    ----------
    left, kept
        Number of documents to work on, and of those that were done before; `plan` counts them.
    written
        Number of files that were written.

    Raises
    ------
    UsageError
        For `force` together with `resume`.
    """

    def __init__(self, path: str, suffix: str, *, force: bool = False, resume: bool = False):
        if force and resume:
            raise UsageError(
                "--force replaces the files of documents, --resume keeps them: choose one"
            )
        self.path, self.suffix, self.force, self.resume = Path(path), suffix, force, resume
        self.left = self.kept = self.written = 0
        self._targets: dict[str, Path] = {}

    def plan(self, entries: Iterable[Entry], sources: Iterable[Source]) -> None:
        """Check that all files may be written, and count them.

        Raises
        ------
        UsageError
            When a file exists, or would be in a folder that is read.
        """
        inputs = [one for one in sources if isinstance(one, str) and is_file(one) and one != "-"]
        folders = tuple(os.path.join(os.path.realpath(one), "") for one in inputs)  # noqa: PTH118
        self.left = self.kept = 0
        for entry, target in self._placed(entries):
            if os.path.realpath(target).startswith(folders) or _is_same(target, entry.source):
                raise UsageError(
                    f"--output {self.path}: the result {target} would be among the input; choose "
                    "another folder"
                )
            if not target.exists() or self.force:
                self.left += 1
            elif self.resume:
                self.kept += 1
            else:
                raise UsageError(
                    f"{target} exists: give --force to replace files, or --resume to go on with a "
                    "run that was interrupted"
                )

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Make the folder, and note what the run is to do, for one that resumes it.

        Raises
        ------
        UsageError
            When the run to resume was another one.
        """
        mark = self.path / MARK
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            before = json.loads(mark.read_text("utf-8")) if self.resume and mark.exists() else {}
        except OSError as error:
            raise OutputError(self.path, error) from error
        except ValueError:
            before = {}
        now = json.loads(json.dumps(settings))
        other = [name for name in before if name not in ALIKE and before[name] != now.get(name)]
        if other:
            raise UsageError(
                f"the run in {self.path} had another {', '.join(sorted(other))}: give the options "
                "of that run, or another folder"
            )
        with writing(mark) as write:
            write(json.dumps(now, ensure_ascii=False) + "\n")

    def end(self) -> None:
        """Note that the run has ended."""
        (self.path / MARK).unlink(missing_ok=True)

    def open(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Pass on the documents whose files are to be written."""
        for entry, target in self._placed(entries):
            if self.resume and target.exists():
                continue
            self._targets[entry.id] = target
            yield entry

    def write(self, document: str, texts: Iterable[str]) -> None:
        """Write the results of a document to its file, which appears when it is complete."""
        target = self._targets.pop(document)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(target, error) from error
        if target.exists() and not self.force:  # another program was quicker
            raise UsageError(f"{target} exists: give --force to replace files")
        with writing(target, is_one_of_many=True) as write:
            for text in texts:
                write(text)
        self.written += 1

    def _placed(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Path]]:
        """Give every document a file: no two share one, also where case does not count."""
        taken = set[str]()
        for entry in entries:
            *folders, name = map(_sound, entry.id.split("/"))
            for tried in _names(name, self.suffix):
                place = "/".join([*folders, tried])
                if place.casefold() not in taken:
                    break
            taken.add(place.casefold())
            yield entry, self.path / place


def _names(name: str, suffix: str) -> Iterator[str]:
    """List names for the file of a document, the best one first."""
    bare = name
    if suffix_of(name) in KNOWN:
        end = name.lower().rindex(suffix_of(name))
        bare = name[:end] or name
    yield bare + suffix
    yield name + suffix
    for number in count(2):
        yield f"{name}-{number}{suffix}"


def _sound(part: str) -> str:
    """Return a part of a path that names no other folder and is not too long."""
    part = part.replace("\0", "_")
    if part in ("", ".", ".."):
        return "_"
    data = part.encode("utf-8", "replace")
    if len(data) <= LONGEST:
        return part
    digest = hashlib.sha256(data).hexdigest()[:8]
    return f"{data[: LONGEST - 9].decode(errors='ignore')}-{digest}"


def _is_same(target: Path, source: str) -> bool:
    try:
        return target.samefile(source)
    except (OSError, ValueError):
        return False
