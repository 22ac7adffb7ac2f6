"""What commands have in common: faults are counted, limits told, exit codes given."""

from dataclasses import dataclass

import pytest

from treaty._threads import check_stopped
from treaty.cli._job import Job
from treaty.errors import InputError, LimitError, OutputError, UsageError
from treaty.solve import Certificate, Status


@dataclass
class Result:
    certificate: Certificate


def result(status, gap=0.0):
    return Result(Certificate(Status(status), 1.0, 1.0 + gap))


@pytest.fixture
def job():
    return Job("parse", "parsing", "-", quiet=False)


def test_errors_of_one_file_are_counted_after_the_tenth(job, capfd):
    list(job.watched([1]))
    for line in range(1, 3269):
        job.fault(InputError("bad", path="a.conllu", line=line))
    job.fault(InputError("bad", path="b.conllu"))
    assert job.end() == 3
    lines = capfd.readouterr()[1].splitlines()
    assert lines[:10] == [f"treaty: error: a.conllu:{n}: bad" for n in range(1, 11)]
    assert lines[10:] == [
        "treaty: error: b.conllu: bad",
        "treaty: error: a.conllu: and 3,258 more",
        "treaty: note: 3,269 faulty parts of the input skipped",
    ]


def test_nothing_was_skipped_where_nothing_was_read(job, capfd):
    job.fault(InputError("bad", path="a.conllu"))
    assert job.end() == 3
    assert capfd.readouterr()[1] == "treaty: error: a.conllu: bad\n"


def test_empty_input_is_told(job, capfd):
    job.write(job.watched([]))
    assert job.end() == 0
    assert capfd.readouterr() == ("", "treaty: note: nothing to parse: the input is empty\n")


@pytest.mark.parametrize(("limited", "code"), [(True, 4), (False, 0)])
def test_what_stopped_at_a_limit_is_told(job, capfd, limited, code):
    found = [result("OPTIMAL"), result("FEASIBLE", 0.5), result("FRACTIONAL"), result("FEASIBLE")]
    assert list(job.watched(found)) == found
    assert job.end(limited=limited) == code
    assert capfd.readouterr()[1] == (
        "treaty: note: 2 of 4 stopped at a limit: the best may be better by 0.5\n"
    )


def test_no_answer_at_the_limit(job, capfd):
    list(job.watched([Result(Certificate(Status.UNKNOWN, float("-inf"), 2.0))]))
    assert job.end(limited=True) == 4
    assert "1 of 1 stopped at a limit or solved in parts, without a bound" in capfd.readouterr()[1]


def test_faults_count_more_than_limits(job):
    list(job.watched([result("FEASIBLE")]))
    job.fault(InputError("bad"))
    assert job.end(limited=True) == 3


def test_quiet_tells_of_errors_only(capfd):
    job = Job("parse", "parsing", "-", quiet=True)
    list(job.watched([result("FEASIBLE")]))
    job.fault(InputError("bad"))
    job.end()
    assert capfd.readouterr()[1] == "treaty: error: bad\n"


def test_nothing_from_a_terminal_is_a_mistake(job, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    with pytest.raises(UsageError, match="nothing to parse: give a text, files, or -"):
        job.sources(None)
    assert job.sources(["-"]) == ["-"]


def test_an_output_that_cannot_be_written_is_refused_at_once(tmp_path):
    with pytest.raises(OutputError, match="there is no directory"):
        Job("parse", "parsing", str(tmp_path / "no" / "file"), quiet=False)
    with pytest.raises(UsageError, match="did you mean --format json"):
        Job("parse", "parsing", "json", quiet=False)


def test_results_replace_a_file_whole_or_not_at_all(tmp_path):
    target = tmp_path / "out"
    target.write_text("old")

    def failing():
        yield "new"
        raise InputError("bad")

    job = Job("parse", "parsing", str(target), quiet=False)
    with pytest.raises(InputError):
        job.write(failing())
    assert target.read_text() == "old"
    job.write(["new", "er"])
    assert target.read_text() == "newer"


def test_at_the_time_limit_what_there_is_is_written(job, capfd):
    def texts():
        (one,) = job.watched(["one\n"])
        yield one
        while True:
            check_stopped()

    job.write(texts(), time_limit=0.0)
    assert job.end(limited=True) == 4
    out, err = capfd.readouterr()
    assert out == "one\n"
    assert err == "treaty: note: the time limit was reached: the rest of the input was left\n"


def test_without_a_result_the_time_limit_is_an_error(job):
    def texts():
        while True:
            check_stopped()
        yield ""

    with pytest.raises(LimitError):
        job.write(texts(), time_limit=0.0)
