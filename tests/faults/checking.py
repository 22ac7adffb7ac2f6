"""What must hold of every command, whatever happens to it: nothing lost, nothing half written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from tests.faults.commands import COMMANDS, make_inputs
from tests.faults.zygote import Result, Zygote

__all__ = ["House"]

MAIN = "treaty.cli:main"
OLD = b"what was there before"
TIMES = re.compile(rb"(seconds\W+|in )[0-9.e+-]+( s\b)?")
DRAWN = re.compile(rb"<svg\b.*</svg>\s*\Z", re.DOTALL)


class House:
    """Inputs, good outputs, and a process to run commands with faults in.

    Parameters
    ----------
    zygote
        What runs the commands.
    folder
        A new folder for inputs and outputs; anyone may read and write there.
    """

    def __init__(self, zygote: Zygote, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        make_inputs(self.inputs)
        self._good: dict[str, dict[str, bytes]] = {}
        self._runs = 0

    def outputs(self, name: str) -> Path:
        """Make a folder for the outputs of a command, with old files in it."""
        self._runs += 1
        folder = self.folder / f"run{self._runs}"
        for output in COMMANDS[name].outputs:
            path = folder / output
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o777)
            if path.parent.name != "search":  # a folder with a search is refused
                path.write_bytes(OLD)
        return folder

    def run(
        self, name: str, folder: Path, *more: str, faults: Any = (), kill: Any = None
    ) -> Result:
        """Run a command."""
        arguments = [*COMMANDS[name].at(self.inputs, folder), *more]
        return self.zygote.run(MAIN, arguments, faults=faults, kill=kill)

    def good(self, name: str) -> dict[str, bytes]:
        """Return the outputs of a command that nothing happens to, but that it is audited."""
        if name not in self._good:
            folder = self.outputs(name)
            audit = ["audited", str(folder), str(self.folder / "secret")]
            result = self.run(name, folder, faults=[audit])
            assert result.code in (0, 4), result
            assert "Traceback" not in result.err, result
            self._good[name] = self.read(name, folder)
            shutil.rmtree(folder)
        return self._good[name]

    def check(
        self,
        name: str,
        *faults: list[Any],
        says: str | None = "cannot write",
        kill: float | None = None,
    ) -> Result:
        """Run a command with faults, and check all that must hold.

        Parameters
        ----------
        name
            The command.
        faults
            The faults.
        says
            What the message says if it fails; None if it may end in any way, as Python itself does
            without memory.
        kill
            Seconds after which to kill it.
        """
        good, folder = self.good(name), self.outputs(name)
        result = self.run(name, folder, faults=faults, kill=kill)
        what = f"{name} {faults}: {result}"
        killed = kill is not None and result.code == -9
        if says is not None:
            assert result.code >= 0 or killed, what
            assert "Traceback" not in result.err, what
        found = self.read(name, folder)
        for output, content in found.items():
            if not output.startswith("search/"):  # the state of a search is judged when it goes on
                assert content in (OLD, good[output]), f"{what}: {output} is neither old nor new"
        if result.code in (0, 4):
            assert found == good, what
        elif not killed and says is not None:
            assert re.search(f"^treaty: error: .*{says}", result.err, re.MULTILINE), what
        if result.code >= 0:
            assert not list(folder.rglob("*.part")), what
        self._go_on(name, folder, what)
        shutil.rmtree(folder)
        return result

    def _go_on(self, name: str, folder: Path, what: str) -> None:
        """Go on with a training or search that was interrupted, if it is one."""
        if not (name.startswith("train") or (folder / "search").exists()):
            return
        resumes = name.startswith("train") or (folder / "search/search.state").exists()
        again = self.run(name, folder, *(["--resume"] if resumes else []))
        assert again.code in (0, 4), f"{what}, then {again}"
        assert self.read(name, folder) == self.good(name), f"{what}, then other results"
        assert not list(folder.rglob("*.checkpoint*")), what

    def read(self, name: str, folder: Path) -> dict[str, bytes]:
        """Read the outputs of a command, without times; an output that is missing is empty."""
        paths = {output: folder / output for output in COMMANDS[name].outputs}
        return {o: _comparable(p) if p.exists() else b"" for o, p in paths.items()}


def _comparable(path: Path) -> bytes:
    """Read a file, without times."""
    data = path.read_bytes()
    if path.suffix == ".svg" and DRAWN.search(data):
        return b"<svg>"  # its axis is time
    if path.name == "claims.json":
        data = re.sub(rb'"trace": .*', b"", data)
    if path.suffix == ".csv":
        data = re.sub(rb"^(\d+),[^,]*", rb"\1", data, flags=re.MULTILINE)
    return TIMES.sub(b"", data) if path.suffix != ".treaty" else data
