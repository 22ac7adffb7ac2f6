"""The folder of a run."""

from __future__ import annotations

import json

import pytest

from treaty.cluster._folder import Finished, RunFolder, write_part
from treaty.cluster._parts import Part
from treaty.errors import InputError, OutputError, UsageError

PART = Part("000000", "a.txt", 0, 3, 0, "ab")


def test_a_part_is_finished_when_both_files_are_whole(tmp_path):
    folder = RunFolder(tmp_path / "run", {"job": "x"})
    assert folder.finished(PART) is None
    write_part(folder.path, PART.name, b"results", {"results": 1})
    assert folder.finished(PART) == Finished(PART, {"results": 1})
    assert folder.output(PART) == b"results"
    out = folder.path / "parts" / "000000.out"
    out.write_bytes(b"result")  # cut short
    assert folder.finished(PART) is None
    out.unlink()
    assert folder.finished(PART) is None


def test_what_a_worker_could_not_write_is_written_here(tmp_path):
    folder = RunFolder(tmp_path, {})
    done = folder.take(Finished(PART, {"results": 2}, b"xy"))
    assert done.data is None
    assert folder.finished(PART) == done


def test_a_run_is_resumed_only_with_the_same_input_and_settings(tmp_path):
    folder = RunFolder(tmp_path, {"job": "x", "settings": {"a": 1}})
    folder.check(resume=False)
    folder.start([PART], resume=False)
    with pytest.raises(UsageError, match="already holds a run"):
        folder.check(resume=False)
    folder.check(resume=True)
    folder.start([PART], resume=True)
    with pytest.raises(InputError, match="another state of its input"):
        folder.start([], resume=True)
    with pytest.raises(InputError, match="another state of settings"):
        RunFolder(tmp_path, {"job": "x", "settings": {"a": 2}}).start([PART], resume=True)


def test_a_damaged_manifest_is_refused(tmp_path):
    folder = RunFolder(tmp_path, {})
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(InputError, match="the manifest is damaged"):
        folder.start([PART], resume=True)


def test_parts_without_a_manifest_are_no_run(tmp_path):
    folder = RunFolder(tmp_path, {})
    write_part(folder.path, "000000", b"", {})
    with pytest.raises(UsageError, match="no manifest"):
        folder.check(resume=True)


def test_the_manifest_tells_what_the_run_is(tmp_path):
    RunFolder(tmp_path, {"job": "x"}).start([PART], resume=False)
    told = json.loads((tmp_path / "manifest.json").read_text())
    assert told["job"] == "x"
    assert told["parts"] == [PART.to_dict()]


def test_inputs_that_are_set_aside_are_listed(tmp_path):
    folder = RunFolder(tmp_path, {})
    folder.set_aside(PART, "it fails")
    folder.set_aside(PART, "again")
    lines = (tmp_path / "poisoned.jsonl").read_text().splitlines()
    assert [json.loads(line)["error"] for line in lines] == ["it fails", "again"]


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        RunFolder(tmp_path / "file" / "run", {})
