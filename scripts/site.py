"""Hooks of `make docs`, which prepare the pages of docs/ before MkDocs renders them.

Folders in the navigation become lists of their pages; the reference of names, the changes and
what lies beside docs/ become pages; model cards get their tables, the home page its pictures, and
tutorials their notebooks.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from notebooks import notebook_of  # in this folder, which MkDocs adds to the path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PACKAGES = (
    "treaty", "treaty.languages", "treaty.text", "treaty.text.formats", "treaty.text.layout",
    "treaty.metrics", "treaty.features", "treaty.graph", "treaty.solve", "treaty.diff",
    "treaty.learn", "treaty.parse", "treaty.label", "treaty.summarize", "treaty.induce",
    "treaty.papers.decompositions", "treaty.papers.relaxations",
    "treaty.tasks", "treaty.show", "treaty.progress",
    "treaty.testing", "treaty.errors", "treaty.integrations.spacy",
    "treaty.integrations.sklearn", "treaty.integrations.pandas", "treaty.integrations.jupyter",
)  # fmt: skip
BESIDE = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
}
"""Pages of the site that are files of the repository."""
MARKED_FENCE = re.compile(r"^```(python|sh) [^\n]+$", re.MULTILINE)
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^)\s]+)\)")
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
CARD, PICTURE = re.compile(r"<!-- scores of (\w+) -->"), "<!-- picture -->"
EXAMPLE = "The cat that chased the mice sat on the mat."


# Hooks, in the order in which MkDocs calls them


def on_config(config: Any) -> Any:
    """Replace the folders of the navigation by their pages."""
    config.nav = [_expanded(entry) for entry in config.nav]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made here."""
    for package in PACKAGES:
        uri = f"api/{package}.md"
        files.append(File.generated(config, uri, content=_names(package)))
    for uri, name in BESIDE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, uri, content=text))
    for page in sorted(DOCS.glob("tutorial/*.md")):
        notebook = json.dumps(notebook_of(page.read_text(encoding="utf-8")), indent=1)
        uri = f"notebooks/{page.stem}.ipynb"
        files.append(File.generated(config, uri, content=notebook))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Make a page of the repository one of the site."""
    uri = page.file.src_uri
    home = ROOT / BESIDE[uri] if uri in BESIDE else DOCS / uri
    parts = FENCED.split(MARKED_FENCE.sub(r"```\1", markdown))
    for i in range(0, len(parts), 2):  # links in code are none
        parts[i] = LINK.sub(lambda match: _link(match[1], match[2], home, uri), parts[i])
    text = CARD.sub(lambda match: _scores(match[1]), "".join(parts))
    if uri.startswith("tutorial/"):
        name = f"{Path(uri).stem}.ipynb"
        button = f"\n\n[Download as a notebook](../notebooks/{name}){{ .md-button download }}\n"
        text = TITLE.sub(lambda match: match[0] + button, text, count=1)
    return text.replace(PICTURE, _pictures()) if PICTURE in text else text


# Navigation


def _expanded(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _pages(value) for title, value in entry.items()}
    return entry


def _pages(value: Any) -> Any:
    if isinstance(value, list):
        return [_expanded(entry) for entry in value]
    if not value.endswith("/"):
        return value
    if value == "api/":
        return [{package: f"api/{package}.md"} for package in PACKAGES]
    paths = sorted((DOCS / value).glob("*.md"), key=lambda path: (path.stem != "README", path.stem))
    listed = [path for path in paths if path.name not in ("commands.md", "errors.md")]
    return [{_title(path): path.relative_to(DOCS).as_posix()} for path in listed]


def _title(path: Path) -> str:
    match = TITLE.search(path.read_text(encoding="utf-8"))
    return match[1].replace("`", "") if match else path.stem


# Pages


def _names(package: str) -> str:
    """List the public names of a package; mkdocstrings fills them in."""
    module = import_module(package)
    about = (module.__doc__ or "").strip()
    names = [name for name in getattr(module, "__all__", ()) if not _is_constant(module, name)]
    if package == "treaty":  # names of other packages, which describe them
        homes = {name: getattr(module, name).__module__.rpartition("._")[0] for name in names}
        known = {name: home or getattr(module, name).__module__ for name, home in homes.items()}
        entries = "\n".join(f"- [`treaty.{n}`][{home}.{n}]" for n, home in known.items())
    else:
        entries = "\n".join(f"::: {package}.{name}\n" for name in names)
    return f"# {package}\n\n{about}\n\n{entries}"


def _is_constant(module: Any, name: str) -> bool:
    value = getattr(module, name)
    return not (isinstance(value, type) or callable(value))


def _link(text: str, target: str, home: Path, uri: str) -> str:
    """Return a link of the repository as one of the site; only its text if it leads to no page."""
    path, hash_, anchor = target.partition("#")
    if not path or ":" in path:
        return f"[{text}]({target})"
    goal = (home.parent / path).resolve()
    beside = {(ROOT / name).resolve(): page for page, name in BESIDE.items()}
    if goal in beside:
        page = beside[goal]
    elif goal.is_relative_to(DOCS) and goal.is_file():
        page = goal.relative_to(DOCS).as_posix()
    elif goal == DOCS / "adr":
        page = "adr/0001-one-package-flat-native-graph.md"
    else:
        return text
    return f"[{text}]({posixpath.relpath(page, posixpath.dirname(uri) or '.')}{hash_}{anchor})"


def _scores(name: str) -> str:
    """Make the table of a model card from the model's own file."""
    from treaty.learn import ModelFile, model_path

    path = model_path(name)
    info = ModelFile.read(path).info()
    rows = [("task", ModelFile.read(path).task), ("size", f"{path.stat().st_size / 1e6:.1f} MB")]
    rows += [(key, info[key]) for key in ("language", "license", "data") if key in info]
    table = "\n".join(f"| {key} | {value} |" for key, value in rows)
    scores = [f"| {key} | {100 * value:.2f} |" for key, value in _flat(info.get("scores", {}))]
    head = f"| file | {path.name} |\n| --- | --- |\n{table}\n"
    if not scores:
        return head
    return f"{head}\n| score on dev data | % |\n| --- | ---: |\n" + "\n".join(scores) + "\n"


def _flat(scores: dict[str, Any]) -> Iterator[tuple[str, float]]:
    return ((key, value) for key, value in sorted(scores.items()) if isinstance(value, float))


# The home page


def _pictures() -> str:
    """Parse a sentence and solve a problem now; draw the tree, and keep the steps for the page."""
    import treaty
    from treaty.show import tree_svg

    (parse,) = treaty.load("english").parse_text(EXAMPLE)
    drawing = tree_svg(parse.sentence, background=False, certificates=parse.certificate)
    steps = json.dumps(_steps())
    return (
        f'<figure class="tree">{drawing}</figure>\n\n'
        f"<figure class=\"bounds\" data-steps='{steps}'></figure>\n"
    )


def _steps() -> list[list[float | None]]:
    """Return bound and best answer after each iteration of AD3 on a graph that takes a while."""
    import random

    from treaty import FactorGraph

    draw = random.Random(0)
    graph = FactorGraph()
    x = graph.variables([draw.uniform(-1, 1) for _ in range(40)])
    for _ in range(60):
        graph.reward(*draw.sample(x, 2), draw.uniform(-1, 1))
    graph.at_most(12, *x)
    trace = graph.solve(iterations=400, trace=True).trace
    known = (None if objective < -1e300 else objective for objective in trace.objective.tolist())
    return [[bound, best] for bound, best in zip(trace.bound.tolist(), known, strict=True)]
