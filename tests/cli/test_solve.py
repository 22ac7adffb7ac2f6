"""``treaty solve`` as a user meets it: what it prints where, and how it exits."""

import csv
import gzip
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treaty
from treaty.cli import main
from treaty.cli._progress import progress
from treaty.cli._solve import InputFormat, Method
from treaty.graph import FactorGraph
from treaty.graph._files import READERS
from treaty.solve import METHODS, options_of
from treaty.solve._solution import TRACE_COLUMNS

EXAMPLES = Path(__file__).parents[2] / "examples"
WEATHER, SUMMARY, MAP = (str(EXAMPLES / name) for name in ("weather.fg", "summary.fg", "map.uai"))
CERTIFICATE = ["status", "objective", "bound", "gap", "iterations", "seconds", "method"]
CONTRADICTION = "1\n2\n0\nXOR 1 1\nXOR 1 -1\n"


@pytest.fixture
def run(capfd):
    """Run the command; returns the exit code, stdout and stderr."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def stdin(monkeypatch):
    """Hand some bytes to the command on standard input."""

    def stdin(content):
        data = content.encode() if isinstance(content, str) else content
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return stdin


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "treaty", *arguments], capture_output=True, timeout=60, **options
    )


# What it prints


def test_text_is_a_commented_certificate_and_a_line_for_every_variable(run):
    code, out, err = run("solve", WEATHER)
    lines = out.splitlines()
    assert [line.split("\t")[0] for line in lines[:7]] == [f"# {name}" for name in CERTIFICATE]
    assert lines[:4] == ["# status\tOPTIMAL", "# objective\t1.5", "# bound\t1.5", "# gap\t0"]
    assert lines[7:] == ["x0\t1", "x1\t0", "x2\t1", "x3\t0"]
    assert (code, err) == (0, "")


def test_text_gives_the_states_of_categorical_variables(run):
    _, out, _ = run("solve", MAP, "--method", "exact")
    assert out.splitlines()[7:] == [f"c{i}\t{s}" for i, s in enumerate([2, 1, 0, 2, 1, 2, 2])]


def test_json_has_the_fields_of_a_solution(run):
    code, out, err = run("solve", MAP, "--method", "exact", "--format", "json")
    record = json.loads(out)
    assert list(record) == [*CERTIFICATE, "values", "names", "categoricals"]
    assert record["status"] == "OPTIMAL"
    assert record["objective"] == pytest.approx(record["bound"])
    assert record["categoricals"] == dict(
        zip((f"c{i}" for i in range(7)), [2, 1, 0, 2, 1, 2, 2], strict=True)
    )
    on = [name for name, v in zip(record["names"], record["values"], strict=True) if v]
    assert on == [f"{name}[{state}]" for name, state in record["categoricals"].items()]
    assert (code, err, out.count("\n")) == (0, "", 1)


def test_json_has_nulls_where_there_is_no_answer(run, stdin):
    stdin(CONTRADICTION)
    code, out, _ = run("solve", "-", "--format", "json")
    record = json.loads(out, parse_constant=pytest.fail)
    assert (code, record["status"], record["gap"]) == (0, "INFEASIBLE", 0.0)
    assert record["objective"] is record["bound"] is record["values"] is None
    assert record["categoricals"] is None


def test_text_lists_no_variable_where_there_is_no_answer(run, stdin):
    stdin(CONTRADICTION)
    code, out, _ = run("solve", "-")
    assert code == 0
    assert all(line.startswith("# ") for line in out.splitlines())


def test_a_terminal_gets_a_table(run, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    _, out, _ = run("solve", SUMMARY, "--method", "exact", "--quiet")
    text = re.sub(r"\x1b\[[0-9;]*m", "", out)
    assert "on  x4 x6 x7" in text
    assert "OPTIMAL (proved: there is no better answer)" in text
    assert "nodes" in text


@pytest.mark.parametrize("method", METHODS)
def test_every_method_solves_the_weather(run, method):
    code, out, _ = run("solve", WEATHER, "--method", method, "--format", "json")
    record = json.loads(out)
    assert (code, record["method"], record["status"]) == (0, method, "OPTIMAL")
    assert record["values"] == [1, 0, 1, 0]


def test_choices_are_those_of_the_library():
    assert list(Method) == list(METHODS)
    assert set(InputFormat) == set(READERS)


# Where it reads from and writes to


@pytest.mark.parametrize(
    ("path", "flags"), [(WEATHER, ()), (MAP, ()), (WEATHER, ("--input-format", "fg"))]
)
def test_standard_input_is_a_file_too(run, stdin, path, flags):
    _, expected, _ = run("solve", path, "--format", "json")
    for content in (Path(path).read_bytes(), gzip.compress(Path(path).read_bytes())):
        stdin(content)
        code, out, _ = run("solve", "-", "--format", "json", *flags)
        assert code == 0
        assert json.loads(out)["values"] == json.loads(expected)["values"]


def test_results_go_to_the_output_file(run, tmp_path):
    target = tmp_path / "answer.json"
    code, out, err = run("solve", WEATHER, "--format", "json", "--output", target)
    assert (code, out, err) == (0, "", "")
    assert json.loads(target.read_text())["objective"] == 1.5


@pytest.mark.parametrize("method", ["ad3", "subgradient", "exact"])
def test_trace_is_a_csv_of_the_trace_columns(run, tmp_path, method):
    target = tmp_path / "trace.csv"
    code, out, _ = run("solve", SUMMARY, "--method", method, "--trace", target, "--quiet")
    rows = list(csv.DictReader(target.read_text().splitlines()))
    assert code == (4 if method == "subgradient" else 0)
    assert out.startswith("# status")
    assert list(rows[0]) == list(TRACE_COLUMNS)
    iterations = [int(row["iteration"]) for row in rows]
    assert iterations == sorted(iterations)
    assert all(float(row["bound"]) >= 15.75 - 1e-9 for row in rows)
    assert float(rows[-1]["objective"]) == pytest.approx(15.75)


def test_trace_may_go_to_standard_output_when_results_do_not(run, tmp_path):
    code, out, _ = run("solve", WEATHER, "--trace", "-", "--output", tmp_path / "answer")
    assert (code, out.splitlines()[0]) == (0, ",".join(TRACE_COLUMNS))


@pytest.mark.parametrize(
    ("suffix", "magic"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_is_a_picture(run, tmp_path, suffix, magic):
    target = tmp_path / f"convergence.{suffix}"
    code, _, err = run("solve", MAP, "--plot", target)
    assert (code, err) == (0, "")
    assert target.read_bytes().startswith(magic)


# Many graphs in a file


@pytest.fixture
def several(tmp_path):
    path = tmp_path / "several.fg"
    path.write_text("1\n0\n1.5\n\n1\n0\n-1\n\n1\n0\n2\n")
    return path


def test_the_first_graph_is_solved_unless_all_are_asked_for(run, several):
    code, out, err = run("solve", several, "--format", "json")
    assert (code, json.loads(out)["objective"]) == (0, 1.5)
    assert err == (
        "treaty: note: only the first graph of the file is solved: --all solves every one\n"
    )
    assert run("solve", several, "--quiet")[2] == ""


@pytest.mark.parametrize("threads", [(), ("--threads", "1"), ("--threads", "3")])
def test_all_graphs(run, several, threads):
    code, out, _ = run("solve", several, "--all", *threads, "--format", "json")
    assert code == 0
    assert [json.loads(line)["objective"] for line in out.splitlines()] == [1.5, 0.0, 2.0]
    _, out, _ = run("solve", several, "--all", *threads)
    assert [line for line in out.splitlines() if "graph" in line] == [
        f"# graph\t{k}" for k in (1, 2, 3)
    ]


def test_all_graphs_before_a_damaged_one_are_answered(run, several):
    several.write_text(several.read_text() + "\n1\n0\nx\n")
    code, out, err = run("solve", several, "--all", "--format", "json")
    assert (code, len(out.splitlines())) == (3, 3)
    assert re.fullmatch(r"treaty: error: \[T300\] .*several.fg:15: .*\n", err)


# Limits


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_answer_stopped_at_a_limit_exits_with_4(run, form):
    code, out, err = run("solve", MAP, "--max-iterations", "5", "--format", form)
    assert code == 4
    assert "FEASIBLE" in out
    assert re.fullmatch(r"treaty: note: stopped at a limit: .*\n", err)
    assert run("solve", MAP, "--max-iterations", "5", "--quiet")[2] == ""


def test_no_answer_before_the_limit_exits_with_4(run):
    code, out, _ = run("solve", MAP, "--max-iterations", "0", "--format", "json")
    assert (code, json.loads(out)["status"]) == (4, "UNKNOWN")


def test_no_limit_is_too_large(run):
    assert run("solve", MAP, "--max-iterations", "9" * 30, "--time-limit", "inf")[0] == 0


def test_iterations_of_exact_are_nodes(run):
    code, out, _ = run("solve", MAP, "--method", "exact", "--max-iterations", "1", "--format=json")
    assert (code, json.loads(out)["iterations"]) == (4, 1)


def test_a_gap_is_good_enough(run):
    _, out, _ = run("solve", MAP, "--method", "exact", "--gap", "10", "--format=json")
    assert json.loads(out)["iterations"] == 1


FLAGS = {
    "time_limit": ("--time-limit", "10"),
    "max_iterations": ("--max-iterations", "100"),
    "gap": ("--gap", "0.1"),
    "tolerance": ("--tolerance", "1e-4"),
    "trace": ("--trace", os.devnull),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("option", FLAGS)
def test_options_a_method_does_not_take_are_refused(run, method, option):
    taken = [name.replace("max_nodes", "max_iterations") for name in options_of(method)]
    code, out, err = run("solve", WEATHER, "--method", method, *FLAGS[option])
    if option in taken:
        assert (code, err) == (0, "")
    else:
        assert (code, out) == (2, "")
        start = f"treaty: error: [T200] {FLAGS[option][0]} does not go with --method {method}, "
        assert err.startswith(start)


# What is refused, in one line


def refused(result, exit_code, cause):
    code, out, err = result
    assert (code, out) == (exit_code, "")
    assert re.fullmatch(r"treaty: error: [^\n]*\n", err)
    assert cause in err


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("", "<stdin>: the file is empty"),
        ("# only a comment\n", "<stdin>: the file is empty"),
        ("garbage", "<stdin>:1: expected MARKOV"),
        ("2\n1\n0.5\n", "<stdin>"),
        ("1\n0\n1e999\n", "<stdin>:3: score of variable 1: expected a finite number"),
        ("MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 2 3", "<stdin>:6: expected the size of the table"),
        (b"\x00\xff\xfe" * 100, "<stdin>:1: not a text file"),
        (gzip.compress(b"1\n0\n1\n")[:-9], "<stdin>: the compressed data"),
    ],
)
def test_damaged_input_exits_with_3(run, stdin, content, cause):
    stdin(content)
    refused(run("solve", "-"), 3, cause)


@pytest.mark.parametrize(
    ("path", "cause"),
    [("no-such-file.fg", "No such file"), (".", "directory"), ("a\nb.uai", "No such file")],
)
def test_what_is_no_file_exits_with_3(run, path, cause):
    refused(run("solve", path), 3, cause)


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (["solve"], "Missing argument 'PROBLEM' (see 'treaty solve --help')"),
        (["nonsense"], "No such command 'nonsense'"),
        (["solve", WEATHER, "--nonsense"], "No such option: --nonsense"),
        (["solve", WEATHER, "--method", "magic"], "'--method'"),
        (["solve", WEATHER, "--format", "xml"], "'--format'"),
        (["solve", WEATHER, "--time-limit", "-1"], "'--time-limit'"),
        (["solve", WEATHER, "--gap", "nan"], "gap"),
        (["solve", WEATHER, "--max-iterations", "many"], "'--max-iterations'"),
        (["solve", WEATHER, "--tolerance", "0"], "tolerance must be positive"),
        (["solve", WEATHER, "--threads", "2"], "--threads is for many graphs"),
        (["solve", WEATHER, "--all", "--threads", "0"], "'--threads'"),
        (["solve", WEATHER, "--all", "--trace", "x.csv"], "leave out --all"),
        (["solve", WEATHER, "--trace", "-"], "give --output FILE too"),
        (["solve", WEATHER, "--output", "."], "it is a directory"),
        (["solve", WEATHER, "--trace", "no/such/x.csv"], "there is no directory"),
        (["solve", WEATHER, "--plot", "no/such/x.png"], "there is no directory"),
        (["solve", WEATHER, "--plot", "x.gif"], "ends in .png, .svg, .pdf"),
    ],
)
def test_usage_exits_with_2(run, tmp_path, monkeypatch, arguments, cause):
    monkeypatch.chdir(tmp_path)
    refused(run(*arguments), 2, cause)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("flag", ["--output", "--trace"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_exits_with_2(run, tmp_path, flag):
    other = ["--output", tmp_path / "out"] if flag == "--trace" else []
    refused(run("solve", WEATHER, *other, flag, "/dev/full"), 2, "No space left")


def test_a_plot_without_matplotlib_says_how_to_get_it(run, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    refused(run("solve", WEATHER, "--plot", tmp_path / "x.png"), 2, "pip install 'treaty[plot]'")


def test_too_large_for_exhaustive_search(run, stdin):
    stdin("40\n0\n" + "1\n" * 40)
    refused(run("solve", "-", "--method", "exhaustive"), 1, "more than the limit")


@pytest.mark.parametrize(
    ("failure", "exit_code", "cause"),
    [
        (MemoryError, 1, "out of memory"),
        (KeyboardInterrupt, 130, "interrupted"),
        (lambda: treaty.ModelError("no"), 5, "[T500] no"),
    ],
)
def test_other_failures_are_one_line_too(run, monkeypatch, failure, exit_code, cause):
    def fail(*_arguments, **_options):
        raise failure()

    monkeypatch.setattr(FactorGraph, "solve", fail)
    refused(run("solve", WEATHER), exit_code, cause)


# The progress line


def test_progress_is_shown_on_a_terminal_only(capfd, monkeypatch):
    with progress("solving", quiet=False) as report:
        assert report is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with progress("solving", quiet=True) as report:
        assert report is None
    with progress("solving", quiet=False) as report:
        assert report is not None
        graph = FactorGraph.load(MAP)
        graph.solve(callback=report, callback_every=10)
    out, err = capfd.readouterr()
    assert out == ""
    assert "solving" in err


# The command from outside


def test_version_and_help(run):
    assert run("--version") == (0, f"treaty {treaty.__version__}\n", "")
    for arguments in ([], ["--help"], ["solve", "--help"], ["solve", "-h"]):
        code, out, err = run(*arguments)
        assert (code, err) == (0, "")
        assert "Examples:\n" in out
        assert "treaty solve weather.fg\n" in out


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["--version"], 0),
        (["solve", WEATHER], 0),
        (["solve", WEATHER, "--method", "magic"], 2),
        (["solve", "no-such-file.fg"], 3),
        (["solve", MAP, "--max-iterations", "5"], 4),
    ],
)
def test_exit_codes_reach_the_shell(arguments, exit_code):
    done = command(*arguments)
    assert done.returncode == exit_code
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    problem = tmp_path / "many.fg"
    problem.write_text("50000\n0\n" + "1\n" * 50000)
    run = [sys.executable, "-m", "treaty", "solve", str(problem)]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout.readline() == b"# status\tOPTIMAL\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_nothing_heavy_is_imported_before_a_command_runs():
    code = (
        "import sys; from treaty.cli import main; main(['--version']); "
        "print({'numpy', 'highspy', 'matplotlib', 'rich', 'treaty._native'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "set()"
