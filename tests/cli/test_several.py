"""``treaty solve`` with more than one answer, against enumeration."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from treaty.graph import read_graph
from treaty.solve import check

EXAMPLES = Path(__file__).parents[2] / "examples"
WEATHER, MAP = str(EXAMPLES / "weather.fg"), str(EXAMPLES / "map.uai")
CONTRADICTION = "1\n2\n0\nXOR 1 1\nXOR 1 -1\n"


@pytest.fixture(scope="module")
def weather():
    """All assignments of the weather that are allowed, the best first, with their objectives."""
    graph = read_graph(WEATHER)
    found = [(check(graph, np.array(x)), x) for x in product((0, 1), repeat=len(graph))]
    allowed = [(one.objective, x) for one, x in found if one.feasible]
    return sorted(allowed, reverse=True)


def test_k_best_are_those_of_enumeration(run, weather):
    code, out, err = run("solve", WEATHER, "--k-best", "4", "--format", "json")
    records = [json.loads(line) for line in out.splitlines()]
    assert (code, err) == (0, "")
    assert [record["answer"] for record in records] == [1, 2, 3, 4]
    objectives = [record["certificate"]["objective"] for record in records]
    assert objectives == pytest.approx([objective for objective, _ in weather[:4]])
    assert len({tuple(record["values"]) for record in records}) == 4
    assert {record["certificate"]["status"] for record in records} == {"OPTIMAL"}


def test_diverse_answers_differ_in_so_many_variables(run, weather):
    _, out, _ = run("solve", WEATHER, "--k-best", "2", "--diverse", "3", "--format", "json")
    first, second = (json.loads(line) for line in out.splitlines())
    best = weather[0][1]
    far = [o for o, x in weather if sum(a != b for a, b in zip(x, best, strict=True)) >= 3]
    assert first["values"] == list(best)
    assert second["certificate"]["objective"] == pytest.approx(max(far))


def test_answers_as_text_are_numbered(run):
    code, out, _ = run("solve", WEATHER, "--k-best", "2")
    lines = out.splitlines()
    assert code == 0
    assert [line for line in lines if line.startswith("# answer")] == ["# answer\t1", "# answer\t2"]
    assert len([line for line in lines if not line.startswith("#")]) == 8


def test_there_may_be_fewer_answers(run, weather):
    code, out, err = run("solve", WEATHER, "--k-best", "100", "--format", "uai")
    assert out.count("MPE") == len(weather)
    assert (code, f"{len(weather)} answers were found" in err) == (0, True)


def test_no_answer_says_why(run, stdin):
    stdin(CONTRADICTION)
    code, out, _ = run("solve", "-", "--k-best", "2", "--format", "json", "--quiet")
    (record,) = (json.loads(line) for line in out.splitlines())
    assert (code, record["certificate"]["status"]) == (0, "INFEASIBLE")


def test_answers_that_are_not_proved_stop_at_a_limit(run):
    code, _, err = run("solve", MAP, "--k-best", "2", "--iterations", "0")
    assert (code, "stopped at a limit" in err) == (4, True)


def best_with(weather, variable, state):
    return max((o for o, x in weather if x[variable] == state), default=None)


def test_max_marginals_are_those_of_enumeration(run, weather):
    code, out, err = run("solve", WEATHER, "--max-marginals", "--format", "json")
    record = json.loads(out)
    assert (code, err) == (0, "")
    for variable in range(4):
        expected = [best_with(weather, variable, state) for state in (0, 1)]
        assert record[f"x{variable}"]["objective"] == pytest.approx(expected)
        assert record[f"x{variable}"]["bound"] == pytest.approx(expected)
        assert record[f"x{variable}"]["is_exact"]
    _, out, _ = run("solve", WEATHER, "--max-marginals")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [(name, state) for name, state, *_ in rows] == [
        (f"x{v}", str(s)) for v in range(4) for s in (0, 1)
    ]
    assert float(rows[1][2]) == pytest.approx(best_with(weather, 0, 1))


def test_states_that_are_forbidden_have_no_max_marginal(run, stdin):
    stdin("2\n1\n0.5\n1\nXOR 1 1\n")
    _, out, _ = run("solve", "-", "--max-marginals", "--format", "json")
    record = json.loads(out)
    assert record["x0"] == {"objective": [None, 1.5], "bound": [None, 1.5], "is_exact": True}


def test_marginals_are_those_of_enumeration(run, weather):
    weights = np.exp([objective for objective, _ in weather])
    on = weights @ np.array([x for _, x in weather]) / weights.sum()
    code, out, err = run("solve", WEATHER, "--marginals", "--format", "json")
    record = json.loads(out)
    assert (code, err, record["is_exact"]) == (0, "", True)
    assert record["log_partition"] == pytest.approx(np.log(weights.sum()))
    assert [record["marginals"][f"x{v}"][1] for v in range(4)] == pytest.approx(on)
    _, out, _ = run("solve", WEATHER, "--marginals")
    assert out.splitlines()[1] == "# is_exact\ttrue"
    assert float(out.splitlines()[2].split("\t")[2]) == pytest.approx(on[0])
    _, out, _ = run("solve", WEATHER, "--marginals", "--format", "uai")
    numbers = out.splitlines()[1].split()
    assert (out.splitlines()[0], numbers[:2]) == ("MAR", ["4", "2"])
    assert float(numbers[3]) == pytest.approx(on[0])


def test_without_an_assignment_there_are_no_marginals(run, stdin):
    for shown, expected in (
        ("uai", "MAR\n"),
        ("text", "# log_partition\t-inf\n# is_exact\ttrue\n"),
    ):
        stdin(CONTRADICTION)
        code, out, _ = run("solve", "-", "--marginals", "--format", shown)
        assert (code, out) == (0, expected)


def test_a_sum_that_is_too_large_is_bounded(run, stdin):
    side = 24  # a grid that no elimination affords
    lines = [str(side * side), str(2 * side * (side - 1)), *["0.1"] * (side * side)]
    for i in range(side):
        for j in range(side):
            v = side * i + j + 1
            lines += [f"PAIR 2 {v} {v + 1} 0.3"] * (j + 1 < side)
            lines += [f"PAIR 2 {v} {v + side} -0.2"] * (i + 1 < side)
    stdin("\n".join(lines) + "\n")
    code, out, err = run("solve", "-", "--marginals", "--format", "json")
    record = json.loads(out)
    assert (code, record["is_exact"], record["marginals"]) == (4, False, None)
    assert record["log_partition"] > 0.0
    assert "upper bound" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--k-best", "2", "--marginals"], "choose one of"),
        (["--diverse", "2"], "give both"),
        (["--k-best", "2", "--all"], "--all does not go with --k-best"),
        (["--marginals", "--time-limit", "3"], "--time-limit does not go with --marginals"),
        (["--marginals", "--method", "ad3"], "--method does not go with --marginals"),
        (["--max-marginals", "--format", "uai"], "choose text or json"),
        (["--max-marginals", "--trace", "x.csv"], "--trace does not go with --max-marginals"),
    ],
)
def test_what_does_not_go_together_is_refused(run, arguments, said):
    code, out, err = run("solve", WEATHER, *arguments)
    assert (code, out) == (2, "")
    assert said in err
