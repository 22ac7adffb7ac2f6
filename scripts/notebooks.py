"""Notebooks of the tutorials, made from their pages: ``python -m scripts.notebooks FOLDER``.

A ```python block is a cell, a ```sh block that the tests run is a cell of bash; text between them
and what they print is Markdown. So notebooks never say something else than the pages.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TUTORIALS = ROOT / "docs" / "tutorial"
BLOCK = re.compile(r"^```(\w*) *([^\n]*)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook_of(page: str) -> dict[str, Any]:
    """Make a notebook of a page in Markdown.

    >>> made = notebook_of("# Tea\\n```python\\nprint(1)\\n```\\n\\n```text\\n1\\n```\\nEnd.\\n")
    >>> [(cell["cell_type"], "".join(cell["source"])) for cell in made["cells"]]
    [('markdown', '# Tea'), ('code', 'print(1)'), ('markdown', 'End.')]
    """
    cells, at, follows = [], 0, False
    for block in BLOCK.finditer(page):
        text = page[at : block.start()]
        language, mark, code = block.groups()
        if language == "text" and follows and not text.strip():
            at = block.end()  # what the cell above prints
            continue
        if language == "python" and mark != "notest":
            cells += [*_markdown(text), _cell("code", code)]
        elif language == "sh" and mark in ("run", "model"):
            cells += [*_markdown(text), _cell("code", f"%%bash\n{code}")]
        else:
            continue  # part of the text
        at, follows = block.end(), True
    cells += _markdown(page[at:])
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    about = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


def _markdown(text: str) -> list[dict[str, Any]]:
    return [_cell("markdown", text)] if text.strip() else []


def _cell(kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "metadata": {},
        "source": source.strip("\n").splitlines(keepends=True),
    }
    return {**cell, "execution_count": None, "outputs": []} if kind == "code" else cell


def main() -> None:
    """Write the notebooks of all tutorials into a folder."""
    import json

    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "notebooks")
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted(TUTORIALS.glob("*.md")):
        notebook = notebook_of(page.read_text(encoding="utf-8"))
        path = folder / f"{page.stem}.ipynb"
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
