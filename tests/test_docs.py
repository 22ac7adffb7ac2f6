"""The documentation as a program: what a page shows is run, and prints what the page says.

The ```python blocks of a page are run in order, in one namespace and an empty folder, and so are
```sh blocks marked ``run``. A ```text block right after one holds what it prints. ``notest`` after
the language skips a block, ``needs=numba`` runs it only where that package can be imported, and
``model`` runs it with the embedded English model.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
PROGRAMS = [page for page in PAGES if re.search("^```(python|sh )", page.read_text("utf-8"), re.M)]
NOTEBOOKS = [
    f"docs/tutorial/{name}.md"
    for name in ("inducing", "inference", "labeling", "parsing", "summarizing")
]
"""Pages that are run as notebooks, by tests/scripts/test_notebooks.py."""
BLOCK = re.compile(r"^```(\w*) *([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


class Block(NamedTuple):
    language: str
    mark: str
    code: str
    line: int
    follows: bool  # nothing but blank lines since the block before


def blocks_of(text: str) -> list[Block]:
    found, end = [], 0
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(3))
        follows = bool(found) and not text[end : match.start()].strip()
        found.append(Block(*match.groups(), line, follows))
        end = match.end()
    return found


def is_run(block: Block) -> bool:
    needs = block.mark.removeprefix("needs=")
    if needs != block.mark:
        return importlib.util.find_spec(needs) is not None
    if block.language == "sh":
        return block.mark in ("run", "model")
    return block.language == "python" and block.mark != "notest"


def run_python(block: Block, page: Path, namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    code = "\n" * block.line + block.code  # so that a traceback names the page's own lines
    with contextlib.redirect_stdout(printed):
        exec(compile(code, page, "exec"), namespace)
    return printed.getvalue()


def run_shell(block: Block) -> str:
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "-e", "-o", "pipefail", "-c", block.code]
    environment = {**os.environ, "PATH": beside, "PYTHONIOENCODING": "utf-8"}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # the tests may be run by make
        environment.pop(name, None)
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PROGRAMS, ids=name_of)
def test_code_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch):
    if name_of(page) in NOTEBOOKS and importlib.util.find_spec("nbclient"):
        pytest.skip("run as a notebook")
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(page.read_text(encoding="utf-8"))
    namespace = {"__name__": "__main__"}
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if not is_run(block):
            continue
        shell = block.language == "sh"
        printed = run_shell(block) if shell else run_python(block, page, namespace)
        if after is not None and after.language == "text" and after.follows:
            assert printed == after.code, f"{page}:{after.line}"


def anchors_of(page: Path) -> set[str]:
    """What links may name in a page: its headings, as GitHub writes them."""
    text = re.sub(BLOCK, "", page.read_text(encoding="utf-8"))
    titles = [line.lstrip("#").strip().lower() for line in text.splitlines() if line[:1] == "#"]
    return {re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            path, _, anchor = target.partition("#")
            other = page.parent / path if path else page
            assert other.exists(), target
            assert not anchor or anchor in anchors_of(other), target


def test_blocks_are_found_with_their_marks_and_lines():
    text = "a\n```python notest\nx\n```\n\n```text\ny\n```\nb\n```sh\nz\n```\n"
    assert blocks_of(text) == [
        Block("python", "notest", "x\n", 2, False),
        Block("text", "", "y\n", 6, True),
        Block("sh", "", "z\n", 10, False),
    ]
    assert not is_run(blocks_of(text)[0])
    assert not is_run(blocks_of(text)[2])
    assert is_run(Block("sh", "run", "", 0, False))
    assert is_run(Block("python", "needs=json", "", 0, False))
    assert not is_run(Block("python", "needs=no_such_package", "", 0, False))
