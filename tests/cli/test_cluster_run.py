"""Commands write the same bytes on a cluster as without one."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from treaty.cli import main
from treaty.cluster._parts import PART_BYTES

TEXT = """Ada Lovelace was born in London. The old man, who was tired, slept in his chair.

It rains. Cats sleep, and dogs bark at the moon. She sees the house on the hill by the river.

Bob met Ada in Paris on Monday. They talked about the weather, which was bad.
"""
POSTS = [{"author": "Ann", "text": "Any sheep?"}, {"author": "Bob", "text": "No."}]
SECONDS = re.compile(r'"seconds": [0-9.e-]+|# seconds\t.*')


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "a.txt").write_text(TEXT * 3)
    (folder / "b.txt").write_text("Dogs bark.\n")
    rows = ["1 Cats _ _ _ _ _ _ _ _", "2 sleep _ _ _ _ _ _ _ _"]
    block = "\n".join(rows).replace(" ", "\t") + "\n\n"
    (folder / "c.conllu").write_text(block * 30 + "1\tbroken\n\n" + block * 30)
    (folder / "m.txt").write_text("Ada is in London .\nBob saw Ada in Rome .\n" * 20)
    threads = [{"id": str(n), "posts": POSTS * (1 + n % 3)} for n in range(20)]
    (folder / "t.jsonl").write_text("".join(json.dumps(thread) + "\n" for thread in threads))
    topics = [{"documents": [{"text": TEXT}]}, {"documents": [{"text": TEXT[60:]}]}]
    (folder / "s.jsonl").write_text("".join(json.dumps(topic) + "\n" for topic in topics))
    (folder / "g.fg").write_text("".join(f"2\n1\n0.{n}\n0.5\nXOR 2 1 2\n\n" for n in range(1, 9)))
    (folder / "folder/more").mkdir(parents=True)
    for number in range(20):
        (folder / f"folder/more/{number}.txt").write_text(TEXT[number:])
    (folder / "folder/other.png").touch()
    return folder


def outcome(arguments, capsys):
    code = main([*map(str, arguments)])
    told = capsys.readouterr()
    errors = [line for line in told.err.splitlines() if "dashboard" not in line]
    return code, SECONDS.sub("", told.out), errors


COMMANDS = {
    "parse": ["parse", "a.txt", "b.txt", "--format", "json"],
    "parse errors": ["parse", "c.conllu", "missing.txt", "b.txt"],
    "parse names": ["parse", "a.txt", "--entities"],
    "tag": ["tag", "a.txt", "Cats sleep. Dogs bark."],
    "label": ["label", "a.txt", "m.txt"],
    "label messages": ["label", "m.txt", "m.txt", "--input-format", "messages", "--format", "json"],
    "label alone": ["label", "m.txt", "--input-format", "tokens", "--chain-only"],
    "link": ["link", "t.jsonl"],
    "predict": ["predict", "t.jsonl", "--model", "threads"],
    "summarize": ["summarize", "s.jsonl", "a.txt", "--words", "20"],
    "compress": ["compress", "a.txt", "--words", "5"],
    "parse folder": ["parse", "folder"],
    "label folder": ["label", "folder", "--format", "json"],
    "summarize each": ["summarize", "folder", "--each", "--words", "20"],
    "solve": ["solve", "g.fg", "--all", "--method", "exact"],
    "evaluate": ["evaluate", "c2.conllu", "--model", "english"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_cluster_gives_the_same_bytes(cluster, files, name, capsys, monkeypatch):
    monkeypatch.chdir(files)
    monkeypatch.setenv("TREATY_PART_BYTES", "300")
    monkeypatch.setattr("treaty.tasks._label.ALONE", 7)
    gold = "1 Cats _ NOUN _ _ 2 nsubj _ _\n2 sleep _ VERB _ _ 0 root _ _\n\n".replace(" ", "\t")
    (files / "c2.conllu").write_text(gold * 20)
    wanted = outcome(COMMANDS[name], capsys)
    address = cluster.client.scheduler.address
    assert outcome([*COMMANDS[name], "--cluster", address], capsys) == wanted
    assert wanted[1]


def test_standard_input_is_divided_too(cluster, capsys, monkeypatch):
    class Stdin(io.StringIO):
        buffer = io.BytesIO(TEXT.encode())

    monkeypatch.setenv("TREATY_PART_BYTES", "100")
    monkeypatch.setattr(sys, "stdin", Stdin())
    far = outcome(["tag", "-", "--cluster", cluster.client.scheduler.address], capsys)
    monkeypatch.setattr(sys, "stdin", io.StringIO(TEXT))
    assert far == outcome(["tag", "-"], capsys)


def test_a_run_is_kept_and_resumed(cluster, files, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(files)
    monkeypatch.setenv("TREATY_PART_BYTES", "300")
    arguments = ["tag", "a.txt", "--cluster", cluster.client.scheduler.address]
    arguments += ["--run", str(tmp_path / "run")]
    first = outcome(arguments, capsys)
    assert first[0] == 0
    code, _, errors = outcome(arguments, capsys)
    assert code == 2
    assert "already holds a run" in errors[0]
    outputs = sorted((tmp_path / "run" / "parts").glob("*.out"))
    assert len(outputs) > 2
    outputs[1].unlink()
    assert outcome([*arguments, "--resume"], capsys) == first
    assert "another state of settings" in outcome(
        [*arguments, "--resume", "--format", "json"], capsys
    )[2][0]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--run", "x"], "--run: only with --cluster"),
        (["--part-limit", "3", "--resume"], "--part-limit and --resume: only with --cluster"),
        (["--cluster", "local:1", "--resume"], "give --run DIR"),
        (
            ["--cluster", "local:1", "--format", "svg"],
            "--cluster goes with --format conllu or json",
        ),
        (["--cluster", "nowhere:0:0"], "--cluster nowhere:0:0"),
    ],
)
def test_options_that_do_not_go_together_are_refused(arguments, message, files, capsys):
    code, _, errors = outcome(["parse", files / "b.txt", *arguments], capsys)
    assert code == 2
    assert message in errors[0]


def test_the_usual_size_of_parts_is_some_hundred_sentences():
    assert 10_000 < PART_BYTES < 100_000
