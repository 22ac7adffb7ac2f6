"""``treaty predict`` and ``treaty evaluate --model`` run a model of another package."""

import json
import sys
from pathlib import Path

import pytest
from tests.learn import packages

from treaty.solve import Certificate


def test_results_are_lines_of_json_with_certificates(toy_model, run, stdin):
    code, out, err = run("predict", "dev.tsv", "--model", toy_model, "--format", "json")
    assert (code, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["label"] for record in records] == ["A", "B"]
    assert list(records[0]["certificate"]) == list(Certificate.exact(0.0).to_dict())
    stdin("bus\ncow\n")
    lines = run("predict", "--model", toy_model)[1].splitlines()
    assert [json.loads(line)["label"] for line in lines] == ["B", "C"]
    assert run("predict", "dev.tsv", "--model", toy_model, "-o", "out.jsonl")[:2] == (0, "")
    assert Path("out.jsonl").read_text() == out


def test_options_of_the_model_are_set(toy_model, run):
    _, plain, _ = run("predict", "dev.tsv", "--model", toy_model)
    _, other, _ = run("predict", "dev.tsv", "--model", toy_model, "--set", "backwards=true")
    assert plain != other


def test_faulty_files_are_told_and_the_rest_goes_on(toy_model, run, toy_folder):
    (toy_folder / "bad.tsv").write_text("bee\ntwo words\n")
    code, out, err = run(
        "predict", "bad.tsv", "none.tsv", "dev.tsv", "ant and bee", "--model", toy_model
    )
    assert code == 3
    assert len(out.splitlines()) == 3
    assert "none.tsv: there is no such file" in err
    assert "bad.tsv:2: one word too many (found 'two words')" in err
    assert "error: one word too many (found 'ant and bee')" in err
    assert "3 faulty parts of the input skipped" in err


def test_a_model_is_scored(toy_model, run):
    assert run("evaluate", "dev.tsv", "--model", toy_model) == (0, "accuracy  50.00 %\n", "")
    _, out, _ = run("evaluate", "dev.tsv", "--model", toy_model, "--format", "json", "--threads", 2)
    assert json.loads(out) == {
        "model": toy_model, "task": "toy", "examples": 2, "scores": {"accuracy": 0.5},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "cause"),
    [
        (["predict", "dev.tsv"], 2, "Missing option '--model'"),
        (["predict", "dev.tsv", "--model", "none"], 5, "there is no model 'none'"),
        (["predict", "dev.tsv", "--model", "MODEL", "--set", "loud=1"], 2, "no such option"),
        (["predict", "dev.tsv", "--model", "MODEL", "--format", "xml"], 2, "'--format'"),
        (["evaluate", "dev.tsv", "dev.tsv", "--model", "MODEL"], 2, "leave out SYSTEM"),
        (["evaluate", "empty.tsv", "--model", "MODEL"], 3, "there are no examples in it"),
    ],
)  # fmt: skip
def test_mistakes(run, toy_model, arguments, code, cause):
    found, out, err = run(*(toy_model if a == "MODEL" else a for a in arguments))
    assert (found, out) == (code, "")
    assert cause in err


def test_a_file_without_its_package_is_refused(run, toy_model):
    packages.forget()
    path = [entry for entry in sys.path if not entry.endswith("site/others")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", path)
        code, _, err = run("predict", "dev.tsv", "--model", toy_model)
    packages.forget()
    assert code == 5
    assert "no model is registered for the task 'toy'" in err


def test_nothing_in_nothing_out(run, toy_model):
    assert run("predict", "empty.tsv", "--model", toy_model) == (
        0, "", "treaty: note: nothing to predict: the input is empty\n",
    )  # fmt: skip
