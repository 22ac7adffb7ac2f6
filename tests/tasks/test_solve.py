"""Solving: graphs of files and records, evidence, courses, numbers."""

import io
import json

import pytest
from tests.tasks.conftest import Looks

from treaty import read_graph
from treaty.errors import InputError, UsageError
from treaty.tasks import GraphRecord, Run, SolveRequest, Text, perform
from treaty.tasks._run import Models
from treaty.tasks._solve import Solving, several

PAIR = "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n"
MARKOV = "MARKOV\n1\n2\n1\n1 0\n2\n1 9\n"


class Served(Models):
    reads_files = False


def solve(text=None, run=None, **fields):
    request = SolveRequest.from_dict(fields)
    return list(perform(request, [] if text is None else [Text(text)], run))


def test_a_file_is_solved_as_by_the_library(tmp_path):
    (mine,) = solve(PAIR, input_format="fg", method="exact")
    twin = read_graph(io.StringIO(PAIR), "fg").solve("exact")
    assert mine.solution.values.tolist() == twin.values.tolist() == [0, 1]
    assert mine.certificate.bound == twin.bound == 1.5
    assert mine.to_dict()["names"] == ["x0", "x1"]
    (tmp_path / "a.fg").write_text(PAIR)
    (of_file,) = perform(SolveRequest(method="exact"), [str(tmp_path / "a.fg")])
    assert of_file.to_dict()["values"] == [0, 1]


def test_a_record_is_a_graph():
    record = GraphRecord.from_dict(SolveRequest.examples[0]["graph"])
    (solved,) = perform(SolveRequest(graph=record), [])
    assert solved.to_dict()["values"] == [1, 0, 0]


def test_the_course_is_part_of_the_record():
    triangle = "3\n3\n1\n1\n1\nATMOSTONE 2 1 2\nATMOSTONE 2 2 3\nATMOSTONE 2 1 3\n"
    (solved,) = solve(triangle, input_format="fg", trace=True)
    rows = solved.to_dict()["trace"]
    assert list(rows[0]) == ["iteration", "seconds", "objective", "bound"]
    assert rows[-1]["bound"] <= rows[0]["bound"]
    assert json.loads(solved.text("json"))["trace"] == rows


def test_every_graph_has_its_number():
    run = Run()
    two = f"{PAIR}\n{PAIR}"
    (first,) = solve(two, input_format="fg", run=run)
    assert first.number is None
    assert run.notes == ["only the first graph of the file is solved: --all solves every one"]
    both = solve(two, input_format="fg", every=True)
    assert [one.number for one in both] == [1, 2]
    assert both[1].text("text").startswith("# graph\t2\n# status")
    assert both[1].text("text", on_terminal=True).startswith("# graph\t2\n")
    with pytest.raises(InputError):
        solve(f"{two}\nnonsense\n", input_format="fg", every=True)


def test_evidence_is_a_file_but_text_for_a_server(tmp_path):
    path = tmp_path / "a.uai"
    path.write_text(MARKOV)
    (tmp_path / "seen").write_text("1 0 0\n")
    run, served = Run(), Run(Served())
    (free,) = perform(SolveRequest(), [str(path)])
    (seen,) = perform(SolveRequest(evidence=str(tmp_path / "seen")), [str(path)])
    (by_text,) = solve(MARKOV, input_format="uai", evidence="1 0 0\n", run=served)
    values = [one.solution.values.tolist() for one in (free, seen, by_text)]
    assert values == [[0, 1], [1, 0], [1, 0]]
    (tmp_path / "a.uai.evid").write_text("1 0 0\n")
    (beside,) = perform(SolveRequest(), [str(path)], run)
    assert beside.solution.values.tolist() == [1, 0]
    assert "1 variables are fixed by" in run.notes[0]
    (none,) = perform(SolveRequest(evidence="none"), [str(path)])
    assert none.solution.values.tolist() == [0, 1]
    with pytest.raises(InputError):  # the name of a file is no evidence
        solve(MARKOV, input_format="uai", evidence=str(tmp_path / "seen"), run=served)


def test_options_that_a_method_does_not_take():
    with pytest.raises(UsageError, match="'gap' does not go with 'method' lp"):
        solve(PAIR, input_format="fg", method="lp", gap=1.0)
    with pytest.raises(InputError):
        solve("nonsense", input_format="fg")
    with pytest.raises(InputError):
        solve(PAIR, input_format="fg", evidence="9 9", run=Run(Served()))


def test_the_deadline_is_the_time_limit():
    run = Run(deadline=Looks(9, left=0.0))
    (solved,) = solve(PAIR, input_format="fg", method="exact", run=run)
    assert solved.certificate.bound >= solved.certificate.objective
    moments = []
    run = Run()
    run.progress = moments.append
    solve(PAIR, input_format="fg", method="exhaustive", run=run)
    assert moments == []  # it has no progress, and no option for it


@pytest.mark.parametrize(
    ("fields", "option", "method"),
    [
        ({}, None, "ad3"),
        ({"k_best": 2}, "--k-best", "exact"),
        ({"max_marginals": True}, "--max-marginals", "exact"),
        ({"marginals": True}, "--marginals", "exact"),
        ({"k_best": 2, "method": "lp"}, "--k-best", "lp"),
    ],
)
def test_several_answers(fields, option, method):
    request = SolveRequest(**fields)
    assert several(request) == option
    assert Solving(request, Run()).method == method
    assert Solving.models(request) == []
