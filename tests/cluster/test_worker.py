"""What a worker does with a part, in this process."""

from __future__ import annotations

import pytest

from treaty.cluster._folder import RunFolder
from treaty.cluster._parts import Source, parts_of, parts_of_items
from treaty.cluster._worker import PROBE, JobSpec, Unseen, do_part, fatal
from treaty.errors import InputError, ModelError, OutputError, UsageError

SPEC = JobSpec("tests.cluster.works:Shouting")


def test_results_are_written_if_the_folder_can_be_seen(tmp_path):
    folder = RunFolder(tmp_path, {})
    (tmp_path / PROBE).write_text("token")
    (part,) = (part for part, _ in parts_of([Source("x", "lines", b"a\nb\n")]))
    done = do_part(SPEC, part, b"a\nb\n", str(tmp_path), "token", None)
    assert done.data is None
    assert folder.finished(part).report["results"] == 2
    assert folder.output(part) == b"A\nB\n"
    elsewhere = do_part(SPEC, part, b"a\nb\n", str(tmp_path), "another", None)
    assert elsewhere.data == b"A\nB\n"


def test_errors_are_told_as_in_the_whole_file(tmp_path):
    path = tmp_path / "in.txt"
    path.write_bytes(b"a\nb\nc\nbad\nd\n")
    parts = [part for part, _ in parts_of([Source(str(path), "lines")], 4)]
    done = [do_part(SPEC, part, None, str(tmp_path), "", None) for part in parts]
    faults = [fault for one in done for fault in one.report["faults"]]
    assert faults == [{"path": str(path), "line": 4, "message": f"{path}:4: bad"}]
    assert b"".join(one.data for one in done) == b"A\nB\nC\nD\n"


def test_a_file_that_a_worker_lacks_is_asked_for(tmp_path):
    path = tmp_path / "in.txt"
    path.write_bytes(b"a\n")
    ((part, _),) = parts_of([Source(str(path), "lines")])
    path.unlink()
    assert do_part(SPEC, part, None, str(tmp_path), "", None) == Unseen(part.name)


def test_items_are_handed_over(tmp_path):
    ((part, content),) = parts_of_items(["a", "b"], 5)
    assert do_part(SPEC, part, content, str(tmp_path), "", None).data == b"A\nB\n"


def test_a_job_that_cannot_start_stops_the_run(tmp_path):
    ((part, content),) = parts_of_items(["a"], 5)
    for spec in (
        JobSpec("tests.cluster.works:Nothing"),
        JobSpec("no.such.module:x"),
        JobSpec("tests.cluster.works:Shouting", {"unknown": 1}),
    ):
        with pytest.raises(UsageError, match="a worker cannot start the job"):
            do_part(spec, part, content, str(tmp_path), "", None)


def test_which_errors_stop_a_run():
    assert fatal(OutputError("x", "full")) and fatal(ModelError("x")) and fatal(UsageError("x"))
    assert fatal(InputError("the file was changed during the run; start it again"))
    assert not fatal(InputError("bad line")) and not fatal(ValueError("x"))


def test_jobs_are_told_apart_by_all_that_matters():
    keys = {
        JobSpec("a:b").key,
        JobSpec("a:c").key,
        JobSpec("a:b", {"x": 1}).key,
        JobSpec("a:b", {}, {"m": "0"}).key,
    }
    assert len(keys) == 4
    assert JobSpec("a:b").key == JobSpec("a:b").key
