"""Every command that writes, with faults: nothing is lost, nothing half written, all is told."""

from __future__ import annotations

import os
import random

import pytest
from tests.faults.checking import OLD
from tests.faults.commands import COMMANDS

ERRORS = {
    "ENOSPC": "No space left on device",
    "EDQUOT": "Disk quota exceeded",
    "EROFS": "Read-only file system",
    "EIO": "Input/output error",
    "EACCES": "Permission denied",
}
A_FEW = ("solve", "parse .gz", "train tokenizer", "induce --checkpoint")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(house, name):
    rng = random.Random(name)
    smallest = min(len(data) for data in house.good(name).values())
    result = house.check(name, ["full_at_byte", rng.randrange(min(smallest, 100))])
    assert result.code == 3
    assert "File too large" in result.err


@pytest.mark.parametrize("name", A_FEW)
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_an_error_at_the_end(house, name, call):
    code = random.Random(f"{name} {call}").choice(list(ERRORS))
    result = house.check(
        name, ["failing_call", call, 1, code], says=f"cannot write .*{ERRORS[code]}"
    )
    assert result.code == 3


@pytest.mark.parametrize(
    ("name", "number"),
    [("parse", 1), ("solve --trace", 1), ("solve --trace", 2), ("train tagger", 2)],
)
def test_a_write_that_fails_half_way(house, name, number):
    result = house.check(name, ["failing_write", number, "ENOSPC"], says="No space left on device")
    assert result.code == 3


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("parse .gz", ["short_writes", 7]),
        ("train tokenizer", ["short_writes", 1000]),
        ("solve", ["signals", 0.001]),
        ("train tokenizer", ["signals", 0.001]),
        ("solve", ["clock_jumps", 1]),
        ("induce --checkpoint", ["clock_jumps", 2]),
        ("parse", ["no_folders"]),
        ("train tokenizer", ["no_folders"]),
    ],
)
def test_what_does_no_harm(house, name, fault):
    assert house.check(name, fault).code in (0, 4)


def test_figures_without_a_home(house):
    result = house.check("solve --plot", ["no_folders"], says="cannot write .*MPLCONFIGDIR")
    assert result.code == 3


@pytest.mark.parametrize(("name", "megabytes"), [("parse", 0), ("train tagger", 4), ("induce", 0)])
def test_little_memory(house, name, megabytes):
    """Nothing is lost; Python itself may break. The message is tested in tests/cli."""
    assert house.check(name, ["low_memory", megabytes], says=None).code != 0


@pytest.mark.parametrize("stream", ["stdin", "stdout", "stderr"])
def test_closed_streams(house, stream):
    assert house.check("parse", ["closed", stream]).code == 0
    result = house.zygote.run("treaty.cli:main", ["--version"], faults=[["closed", "stdout"]])
    assert (result.code, result.err.count("\n")) == (3, 1)


@pytest.mark.parametrize("name", ["solve", "train tokenizer", "induce --folder"])
def test_folders_and_files_without_permission(house, name):
    folder = house.outputs(name)
    first = folder / COMMANDS[name].outputs[0]
    for mode, path in ((0o555, first.parent), (0o444, first)):
        before = path.stat().st_mode
        path.chmod(mode)
        result = house.run(name, folder, faults=[["nobody"]])
        path.chmod(before)
        assert result.code == 3, result
        assert "permission" in result.err.lower()
        assert first.read_bytes() == OLD
        assert not list(folder.rglob("*.part"))


@pytest.mark.parametrize("name", ["parse", "train tokenizer", "induce --checkpoint"])
def test_kills(house, name):
    rng = random.Random(name)
    codes = {house.check(name, kill=rng.uniform(0.0, 0.3)).code for _ in range(3)}
    assert codes <= {-9, 0, 4}


@pytest.mark.parametrize("name", ["parse", "tag", "link", "train labeler", "induce"])
def test_without_threads(house, name):
    pytest.importorskip("treaty._threads")
    folder = house.outputs(name)
    result = house.run(name, folder, "--threads", "3", faults=[["no_threads"]])
    assert result.code in (0, 4), result
    assert house.read(name, folder) == house.good(name)


@pytest.mark.parametrize("name", COMMANDS)
def test_signals_that_end_a_command(house, name):
    """Ctrl-C and SIGTERM at some moment: a code of their own, whole files, nothing else is left."""
    rng = random.Random(f"stop {name}")
    for signal, code in (("SIGINT", 130), ("SIGTERM", 143)):
        fault = ["stopped", rng.uniform(0.0, 0.1), signal]
        result = house.check(name, fault, says="interrupted|terminated")
        assert result.code in (0, 4, code), result


@pytest.mark.parametrize("name", ["parse", "label", "link", "summarize", "train tagger"])
def test_a_signal_while_results_are_written(house, name):
    folder = house.outputs(name)
    (output,) = COMMANDS[name].outputs
    (folder / output).unlink()
    os.mkfifo(folder / output)  # which nobody reads: the command waits there
    result = house.run(name, folder, faults=[["stopped", 0.5, "SIGTERM"]])
    assert result.code == 143, result
    assert not list(folder.rglob("*.part"))
