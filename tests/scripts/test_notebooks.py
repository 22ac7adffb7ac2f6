"""Notebooks of the tutorials: made from their pages, and run."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from tests.test_docs import NOTEBOOKS, blocks_of, is_run

from scripts.notebooks import TUTORIALS, main, notebook_of

PAGES = sorted(TUTORIALS.glob("*.md"))


def code_of(made):
    return ["".join(c["source"]) for c in made["cells"] if c["cell_type"] == "code"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_has_all_that_its_page_runs(page):
    text = page.read_text(encoding="utf-8")
    run = [b for b in blocks_of(text) if is_run(b) or b.mark.startswith("needs=")]
    made = notebook_of(text)
    cells = code_of(made)
    assert [c.removeprefix("%%bash\n").strip() for c in cells] == [b.code.strip() for b in run]
    prose = "\n".join("".join(c["source"]) for c in made["cells"] if c["cell_type"] == "markdown")
    titles = re.findall("^#+ .*$", re.sub("```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    assert [title for title in titles if title not in prose] == []


def test_what_a_cell_prints_is_not_repeated_and_other_blocks_stay():
    page = "A\n\n```sh\nls\n```\n\n```python\n1\n```\n\n```text\n1\n```\n\nB\n\n```text\nx\n```\n"
    made = notebook_of(page)
    kinds = [cell["cell_type"] for cell in made["cells"]]
    assert kinds == ["markdown", "code", "markdown"]
    assert "".join(made["cells"][0]["source"]) == "A\n\n```sh\nls\n```"
    assert "".join(made["cells"][2]["source"]) == "B\n\n```text\nx\n```"


def test_they_are_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["notebooks", str(tmp_path / "all")])
    main()
    assert len(capsys.readouterr().out.splitlines()) == len(PAGES)
    nbformat = pytest.importorskip("nbformat")
    for path in (tmp_path / "all").iterdir():
        nbformat.validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", [Path(page).stem for page in NOTEBOOKS])
def test_notebooks_run(name, tmp_path, monkeypatch):
    beside = Path(sys.executable).parent  # where the command is
    monkeypatch.setenv("PATH", f"{beside}{os.pathsep}{os.environ['PATH']}")
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    text = (TUTORIALS / f"{name}.md").read_text(encoding="utf-8")
    made = nbformat.reads(json.dumps(notebook_of(text)), as_version=4)
    client = nbclient.NotebookClient(made, timeout=300, resources={"metadata": {"path": tmp_path}})
    client.execute()
    blocks = blocks_of(text)
    run = [pair for pair in zip(blocks, [*blocks[1:], None], strict=True) if is_run(pair[0])]
    cells = [cell for cell in made.cells if cell.cell_type == "code"]
    for cell, (block, after) in zip(cells, run, strict=True):
        if after is not None and after.language == "text" and after.follows:
            printed = [out["text"] for out in cell.outputs if out.get("name") == "stdout"]
            assert "".join(printed) == after.code, f"{name}.md:{block.line}"
