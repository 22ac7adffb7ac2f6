"""``treaty link``."""

import json
from xml.etree import ElementTree

import pytest
from tests.label.threads.toy import toy_threads

from treaty.text import read_threads, write_threads


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from treaty.cli import main

    path = tmp_path_factory.mktemp("threads")
    write_threads(toy_threads(40), path / "train.jsonl")
    write_threads(toy_threads(8, seed=1), path / "dev.jsonl")
    arguments = ["train", "linker", "--train", path / "train.jsonl", "--dev", path / "dev.jsonl"]
    arguments += ["-o", path / "toy.treaty", "--order", "2d", "--epochs", "3", "-q"]
    assert main([str(argument) for argument in arguments]) == 0
    assert not (path / "toy.treaty.checkpoint").exists()
    return path


def test_threads_are_linked(folder, run):
    code, out, _ = run("link", folder / "dev.jsonl", "--model", folder / "toy.treaty")
    assert code == 0
    records = [json.loads(line) for line in out.splitlines()]
    assert len(records) == 8
    for record in records:
        assert record["certificate"]["status"] in ("OPTIMAL", "FRACTIONAL", "FEASIBLE")
        assert len(record["confidences"]) == len(record["links"])
        assert record["certificate"]["gap"] >= 0


def test_standard_input_and_text(folder, run, stdin):
    stdin('{"posts": [{"text": "any ore ?", "author": "A"}, {"text": "no ore", "author": "B"}]}\n')
    code, out, _ = run("link", "--model", folder / "toy.treaty", "--format", "text")
    assert code == 0
    assert out.splitlines()[0].startswith("0")


def test_svg(folder, run, tmp_path):
    target = tmp_path / "a.svg"
    code, _, _ = run(
        "link", folder / "dev.jsonl", "--model", folder / "toy.treaty", "--format", "svg", "-o",
        target,
    )  # fmt: skip
    assert code == 0
    assert ElementTree.fromstring(target.read_text()).tag.endswith("svg")


def test_faulty_threads_are_skipped(folder, run, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"posts": [{"text": "a"}]}\n{"posts": 1}\n{"posts": [{"text": "b"}]}\n')
    code, out, err = run("link", path, tmp_path / "none", "--model", folder / "toy.treaty")
    assert code == 3
    assert len(out.splitlines()) == 2
    assert f"{path}:2: posts: expected a list" in err
    assert "2 faulty parts" in err


def test_long_threads_are_noted(folder, run, tmp_path):
    path = tmp_path / "long.jsonl"
    write_threads(toy_threads(1, posts=60), path)
    code, _, err = run("link", path, "--model", folder / "toy.treaty")
    assert code == 0
    assert "1 long thread: links reach 30 posts back at most, 435 pairs further apart" in err
    assert run("link", path, "--model", folder / "toy.treaty", "-q")[2] == ""


def test_orders_and_methods(folder, run):
    path, model = folder / "dev.jsonl", folder / "toy.treaty"
    assert run("link", path, "--model", model, "--order", "independent")[0] == 0
    code, _, err = run("link", path, "--model", model, "--order", "3-wise")
    assert (code, "cannot link with '3-wise'" in err) == (2, True)
    assert run("link", path, "--model", model, "--method", "exact")[0] == 0
    code, _, err = run("link", path, "--model", model, "--method", "magic")
    assert (code, "'magic' is not one of" in err) == (2, True)


def test_a_model_of_another_task_is_refused(run, tmp_path):
    (tmp_path / "m.treaty").write_bytes(b"x")
    code, _, err = run("link", "-", "--model", tmp_path / "m.treaty")
    assert code == 5
    assert "m.treaty" in err


def test_threads_come_out_as_they_went_in_but_for_links(folder, run):
    _, out, _ = run("link", folder / "dev.jsonl", "--model", folder / "toy.treaty")
    for line, thread in zip(out.splitlines(), read_threads(folder / "dev.jsonl"), strict=True):
        assert [post["text"] for post in json.loads(line)["posts"]] == [
            post.text for post in thread.posts
        ]
