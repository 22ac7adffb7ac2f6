"""``treaty solve`` as a user meets it: what it prints where, and how it exits."""

import csv
import gzip
import json
import os
import re
import sys
from pathlib import Path

import pytest

from treaty.graph._files import READERS
from treaty.solve import METHODS, Certificate, options_of
from treaty.solve._solution import TRACE_COLUMNS
from treaty.tasks import SolveRequest

FOR_PATTERNS = [name for name, method in METHODS.items() if method.for_patterns]
EXAMPLES = Path(__file__).parents[2] / "examples"
WEATHER, SUMMARY, MAP = (str(EXAMPLES / name) for name in ("weather.fg", "summary.fg", "map.uai"))
CERTIFICATE = ["status", "objective", "bound", "gap", "iterations", "seconds", "method"]
KEYS = list(Certificate.exact(0.0).to_dict())
PATTERNS = "0 2 0 2 0 2\n0 1\n0 0.5\n0 1 1 1\n0 1\n0 1 1 1 2 1\n0 -3\n\n"
CONTRADICTION = "1\n2\n0\nXOR 1 1\nXOR 1 -1\n"


# What it prints


def test_text_is_a_commented_certificate_and_a_line_for_every_variable(run):
    code, out, err = run("solve", WEATHER)
    lines = out.splitlines()
    assert [line.split("\t")[0] for line in lines[:7]] == [f"# {name}" for name in CERTIFICATE]
    assert lines[:4] == ["# status\tOPTIMAL", "# objective\t1.5", "# bound\t1.5", "# gap\t0"]
    assert lines[7:] == ["x0\t1", "x1\t0", "x2\t1", "x3\t0"]
    assert (code, err) == (0, "")


COLORS = [0, 2, 1, 0, 2, 0, 2]
"""Of the map; any other names for the colors would do as well."""


def test_text_gives_the_states_of_categorical_variables(run):
    _, out, _ = run("solve", MAP, "--method", "exact")
    assert out.splitlines()[7:] == [f"c{i}\t{s}" for i, s in enumerate(COLORS)]


def test_json_has_the_fields_of_a_solution(run):
    code, out, err = run("solve", MAP, "--method", "exact", "--format", "json")
    record = json.loads(out)
    certificate = record["certificate"]
    assert set(record) == {"certificate", "method", "values", "names", "categoricals"}
    assert list(certificate) == KEYS
    assert certificate["status"] == "OPTIMAL"
    assert certificate["objective"] == pytest.approx(certificate["bound"])
    assert record["categoricals"] == dict(zip((f"c{i}" for i in range(7)), COLORS, strict=True))
    on = [name for name, v in zip(record["names"], record["values"], strict=True) if v]
    assert on == [f"{name}[{state}]" for name, state in record["categoricals"].items()]
    assert (code, err, out.count("\n")) == (0, "", 1)


def test_json_has_nulls_where_there_is_no_answer(run, stdin):
    stdin(CONTRADICTION)
    code, out, _ = run("solve", "-", "--format", "json")
    record = json.loads(out, parse_constant=pytest.fail)
    certificate = record["certificate"]
    assert (code, certificate["status"], certificate["gap"]) == (0, "INFEASIBLE", 0.0)
    assert certificate["objective"] is certificate["bound"] is record["values"] is None
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


@pytest.mark.parametrize("method", [m for m in METHODS if m not in FOR_PATTERNS])
def test_every_method_solves_the_weather(run, method):
    code, out, _ = run("solve", WEATHER, "--method", method, "--format", "json")
    record = json.loads(out)
    assert (code, record["method"]) == (0, method)
    assert record["certificate"]["status"] == "OPTIMAL"
    assert record["values"] == [1, 0, 1, 0]


@pytest.mark.parametrize("method", FOR_PATTERNS)
def test_decoders_of_patterns_take_patterns_only(run, method, tmp_path):
    problem = tmp_path / "small.mrf"
    problem.write_text(PATTERNS)
    code, out, _ = run("solve", str(problem), "--method", method, "--format", "json")
    record = json.loads(out)
    assert (code, record["method"]) == (0, method)
    assert record["certificate"]["status"] == "OPTIMAL"
    assert record["certificate"]["objective"] == pytest.approx(1.5)
    code, out, err = run("solve", WEATHER, "--method", method)
    assert (code, out) == (2, "")
    assert "need a pattern problem" in err
    assert "Choose ad3, exact or ilp" in err


def test_choices_are_those_of_the_library():
    choices = {one.name: one.choices for one in SolveRequest.parameters()}
    assert choices["method"] == tuple(METHODS)
    assert set(choices["input_format"]) == set(READERS)


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
    assert json.loads(target.read_text())["certificate"]["objective"] == 1.5


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
    assert (code, json.loads(out)["certificate"]["objective"]) == (0, 1.5)
    assert err == (
        "treaty: note: only the first graph of the file is solved: --all solves every one\n"
    )
    assert run("solve", several, "--quiet")[2] == ""


@pytest.mark.parametrize("threads", [(), ("--threads", "1"), ("--threads", "3")])
def test_all_graphs(run, several, threads):
    code, out, _ = run("solve", several, "--all", *threads, "--format", "json")
    assert code == 0
    assert [json.loads(line)["certificate"]["objective"] for line in out.splitlines()] == [
        1.5,
        0.0,
        2.0,
    ]
    _, out, _ = run("solve", several, "--all", *threads)
    assert [line for line in out.splitlines() if "graph" in line] == [
        f"# graph\t{k}" for k in (1, 2, 3)
    ]


def test_all_graphs_before_a_damaged_one_are_answered(run, several):
    several.write_text(several.read_text() + "\n1\n0\nx\n")
    code, out, err = run("solve", several, "--all", "--format", "json")
    assert (code, len(out.splitlines())) == (3, 3)
    assert re.fullmatch(r"treaty: error: .*several.fg:15: .*\n", err)


# Limits


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_answer_stopped_at_a_limit_exits_with_4(run, form):
    code, out, err = run("solve", MAP, "--iterations", "5", "--format", form)
    assert code == 4
    assert "FEASIBLE" in out
    assert re.fullmatch(r"treaty: note: stopped at a limit: .*\n", err)
    assert run("solve", MAP, "--iterations", "5", "--quiet")[2] == ""


def test_no_answer_before_the_limit_exits_with_4(run):
    code, out, _ = run("solve", MAP, "--iterations", "0", "--format", "json")
    assert (code, json.loads(out)["certificate"]["status"]) == (4, "UNKNOWN")


def test_no_limit_is_too_large(run):
    assert run("solve", MAP, "--iterations", "9" * 30, "--time-limit", "inf")[0] == 0


def test_iterations_of_exact_are_nodes(run):
    code, out, _ = run("solve", MAP, "--method", "exact", "--iterations", "1", "--format=json")
    assert (code, json.loads(out)["certificate"]["iterations"]) == (4, 1)


def test_a_gap_is_good_enough(run):
    _, out, _ = run("solve", MAP, "--method", "exact", "--gap", "10", "--format=json")
    assert json.loads(out)["certificate"]["iterations"] == 1


FLAGS = {
    "time_limit": ("--time-limit", "10"),
    "iterations": ("--iterations", "100"),
    "gap": ("--gap", "0.1"),
    "tolerance": ("--tolerance", "1e-4"),
    "trace": ("--trace", os.devnull),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("option", FLAGS)
def test_options_a_method_does_not_take_are_refused(run, method, option, tmp_path):
    taken = options_of(method)
    patterns = tmp_path / "small.mrf"
    patterns.write_text(PATTERNS)
    problem = patterns if method in FOR_PATTERNS else WEATHER
    code, out, err = run("solve", str(problem), "--method", method, *FLAGS[option])
    if option in taken:
        assert (code, err) == (0, "")
    else:
        assert (code, out) == (2, "")
        start = f"treaty: error: {FLAGS[option][0]} does not go with --method {method}, "
        assert err.startswith(start)


# Evidence

NETWORK = "MARKOV 2 2 3 1 2 0 1 6 9 1 2 1 2 1"


def test_evidence_beside_the_file_is_read_with_a_note(run, tmp_path):
    problem = tmp_path / "net.uai"
    problem.write_text(NETWORK)
    assert run("solve", problem, "--format", "uai") == (0, "MPE\n2 0 0\n", "")
    beside = tmp_path / "net.uai.evid"
    beside.write_text("1 0 1\n")
    code, out, err = run("solve", problem, "--format", "uai")
    assert (code, out) == (0, "MPE\n2 1 1\n")
    assert f"1 variables are fixed by {beside}" in err
    assert run("solve", problem, "--format", "uai", "--quiet") == (0, out, "")
    assert run("solve", problem, "--format", "uai", "--evidence", "none") == (0, "MPE\n2 0 0\n", "")
    beside.write_text("")
    assert "has no evidence" in run("solve", problem)[2]


def test_evidence_by_option(run, tmp_path):
    problem, other = tmp_path / "net.uai", tmp_path / "other.evid"
    problem.write_text(NETWORK)
    other.write_text("1\n1 2\n")
    assert run("solve", problem, "--format", "uai", "--evidence", other) == (0, "MPE\n2 0 2\n", "")
    other.write_text("1\n1 3\n")
    code, out, err = run("solve", problem, "--evidence", other)
    assert (code, out) == (3, "")
    assert f"{other}:2" in err
    assert run("solve", problem, "--evidence", tmp_path / "missing")[0] == 3
    assert run("solve", "-", "--evidence", "-")[0] == 2


def test_evidence_is_about_one_graph(run, tmp_path):
    problem, evidence = tmp_path / "two.fg", tmp_path / "two.fg.evid"
    problem.write_text("1\n0\n1.0\n\n1\n0\n2.0\n")
    evidence.write_text("1 0 0")
    code, _, err = run("solve", problem, "--all")
    assert code == 2
    assert "leave out --all" in err
    assert run("solve", problem, "--format", "uai")[1] == "MPE\n1 0\n"


def test_no_answer_in_the_format_of_the_competitions(run, tmp_path):
    problem = tmp_path / "no.fg"
    problem.write_text(CONTRADICTION)
    assert run("solve", problem, "--format", "uai")[:2] == (0, "MPE\n")
