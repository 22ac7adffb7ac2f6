"""The example of a model of one's own: a package like others', found by its entry point."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.learn.packages import forget, install

import treaty
from treaty.learn import GraphModel, model_class, tasks
from treaty.testing import CHECKS

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_model"
MODULE = EXAMPLE / "treaty_alignment.py"


@pytest.fixture(scope="module", autouse=True, name="site")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Install the example as its pyproject.toml says, and take it away again."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())
    classes = project["project"]["entry-points"]["treaty.models"]
    assert project["tool"]["setuptools"]["py-modules"] == [MODULE.stem]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLE)
        folder = tmp_path_factory.mktemp("site")
        yield install(patch, folder, name="treaty_alignment", classes=classes)
    forget()
    for name in ("treaty_alignment", "compare", "make_pairs"):
        sys.modules.pop(name, None)


@pytest.fixture(scope="module", name="aligner")
def _aligner() -> type[GraphModel]:
    found = model_class("alignment")
    assert issubclass(found, GraphModel)
    return found


@pytest.fixture(scope="module", name="trained")
def _trained(aligner: type[GraphModel]) -> GraphModel:
    train, dev = (list(aligner.read(EXAMPLE / "data" / f"{n}.jsonl")) for n in ("train", "dev"))
    return aligner.train(train, dev, epochs=5)


def test_it_is_registered(aligner):
    assert "alignment" in tasks()
    assert aligner.__name__ == "Aligner"


@pytest.mark.parametrize("name", CHECKS)
def test_it_keeps_to_the_contract(aligner, name, tmp_path):
    CHECKS[name](aligner, tmp_path)


@pytest.fixture(scope="module", name="treaty_command")
def _treaty_command(site: Path) -> Callable[..., str]:
    """Run ``treaty`` in a process of its own that has the example installed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(EXAMPLE)])}

    def run(*arguments: Any, given: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "treaty", *map(str, arguments)],
            cwd=EXAMPLE / "data",
            env=environment,
            input=given,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_commands_train_describe_score_and_run_it(treaty_command, trained, aligner, tmp_path):
    path = tmp_path / "mine.treaty"
    training = ["--train", "train.jsonl", "--dev", "dev.jsonl", "--set", "epochs=5", "-q"]
    treaty_command("train", "alignment", *training, "-o", path)
    assert path.read_bytes() == trained.to_bytes()

    about = json.loads(treaty_command("info", path, "--format", "json"))
    assert about["task"] == "alignment"
    assert about["info"]["scores"] == trained.info["scores"]

    printed = treaty_command("evaluate", "test.jsonl", "--model", path, "--format", "json")
    test = list(aligner.read(EXAMPLE / "data" / "test.jsonl"))
    assert json.loads(printed)["scores"] == pytest.approx(trained.evaluate(test))

    line = json.dumps({"source": "the dog sleeps", "target": "der Hund schläft"})
    found = json.loads(treaty_command("predict", "-", "--model", path, given=line))
    assert "1-1" in found["links"].split()
    assert found["certificate"]["status"] == "OPTIMAL"


def test_without_the_package_the_file_is_refused(trained, monkeypatch, site):
    data = trained.to_bytes()
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(site)])
    forget()
    try:
        with pytest.raises(treaty.ModelError, match="no model is registered for the task"):
            treaty.load(io.BytesIO(data))
    finally:
        monkeypatch.undo()
        forget()


def test_links_obey_the_factors(trained, aligner):
    test = list(aligner.read(EXAMPLE / "data" / "test.jsonl"))
    for pair, found in zip(test, trained.predict(test), strict=True):
        links = [key for key in found.parts if None not in key]
        for side in (0, 1):
            ends = [link[side] for link in links]
            assert all(ends.count(end) <= 2 for end in ends)
        nulls = {key for key in found.parts if None in key}
        linked = {end for i, j in links for end in ((i, None), (None, j))}
        assert nulls == set(pair.words()) - linked
        assert found.to_dict()["links"].split() == [f"{i}-{j}" for i, j in links]


def test_a_constraint_of_ones_own(trained, aligner):
    pair = aligner.example({"source": "the dog sleeps", "target": "der Hund schläft"})
    found = trained.graph(pair)
    assert (1, 1) in found.solve().parts
    found.graph.fix(~found.variables[1, 1])
    assert (1, 1) not in found.solve("exact").parts


@pytest.mark.parametrize("links", ["0-0 1", "0-0-0", "0-9", "-1-0", "a-b", "1-0"])
def test_links_that_make_no_sense_are_refused(aligner, links):
    line = json.dumps({"source": "dogs", "target": "Hunde", "links": links})
    with pytest.raises(treaty.InputError, match="<stream>:1: not a valid record"):
        list(aligner.read(io.StringIO(line)))


def test_the_data_are_those_that_the_script_makes(tmp_path):
    import_module("make_pairs").main(tmp_path)
    for path in (EXAMPLE / "data").iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_the_readme_shows_what_the_comparison_prints():
    printed = io.StringIO()
    with redirect_stdout(printed):
        import_module("compare").main()
    assert printed.getvalue() in (EXAMPLE / "README.md").read_text(encoding="utf-8")


def test_it_is_short_and_uses_public_names_only():
    code = MODULE.read_text(encoding="utf-8")
    assert len(code.splitlines()) < 150
    modules: list[Any] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
    own = [name for name in modules if name.startswith("treaty.")]
    assert own and not any(part.startswith("_") for name in own for part in name.split("."))
