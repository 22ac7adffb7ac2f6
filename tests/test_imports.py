"""Nothing imports what comes after it on the road of the data (DESIGN.md)."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import treaty
from treaty import _native

ORDER = (
    "languages", "text", "metrics", "features", "graph", "solve", "diff", "torch", "jax", "learn",
    "parse", "label", "summarize", "induce", "papers", "show", "tasks", "cluster", "integrations",
    "web", "cli",
)  # fmt: skip
SOURCE = Path(treaty.__file__).parent
ROOT = Path(__file__).parents[1]
USERS = (
    "examples",
    "research/benchmarks",
    "research/experiments",
    "research/report",
    "research/training",
    "scripts",
)
"""Folders whose code stands for that of users."""
# FactorGraph.solve() calls the solvers when it is called, and names their Solution as its type.
# A document draws itself when a notebook asks for it.
# A search bounds by a relaxation of a paper if its user chooses one.
EXCEPTIONS = {
    ("graph/_graph.py", "solve"),
    ("parse/documents/_document.py", "show"),
    ("induce/_branch_and_bound.py", "papers"),
}


def imported_packages(code: str, package: tuple[str, ...]) -> set[str]:
    """The packages of Treaty that a module imports anywhere in its code."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            modules |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return {m.split(".")[1] for m in modules if m.startswith("treaty.")} & set(ORDER)


def backward_imports() -> set[tuple[str, str]]:
    found = set()
    for path in SOURCE.rglob("*.py"):
        relative = path.relative_to(SOURCE)
        if relative.parts[0] in ORDER:
            later = ORDER[ORDER.index(relative.parts[0]) + 1 :]
            package = ("treaty", *relative.parts[:-1])
            used = imported_packages(path.read_text(encoding="utf-8"), package)
            found |= {(relative.as_posix(), name) for name in used & set(later)}
    return found


def test_no_package_imports_a_later_one():
    assert backward_imports() - EXCEPTIONS == set()


def test_the_exceptions_are_still_needed():
    assert backward_imports() >= EXCEPTIONS


def test_every_package_has_its_place():
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(ORDER)


@pytest.mark.parametrize(
    "code",
    [
        "import treaty.solve",
        "from treaty import solve",
        "from treaty.solve._ad3 import x",
        "from ..solve import x",
        "from .. import solve",
        "def f():\n    from treaty.solve import x",
    ],
)
def test_every_form_of_import_is_seen(code):
    assert imported_packages(code, ("treaty", "graph")) == {"solve"}


def private_imports(code: str) -> set[str]:
    """The private modules and names of Treaty that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.startswith("treaty.") and "._" in name}


@pytest.mark.parametrize("folder", USERS)
def test_users_import_public_names_only(folder):
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths
    found = {path.name: private_imports(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import treaty._native", {"treaty._native"}),
        ("from treaty import _native", {"treaty._native"}),
        ("from treaty.solve._ad3 import x", {"treaty.solve._ad3.x"}),
        ("def f():\n    from treaty.solve import _ad3", {"treaty.solve._ad3"}),
        ("from treaty.solve import solve\nimport _thread", set()),
    ],
)
def test_every_form_of_private_import_is_seen(code, found):
    assert private_imports(code) == found


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_treaty_imports_nothing_heavy():
    assert (
        run("import treaty, sys; print({'numpy', 'treaty._native'} & set(sys.modules))") == "set()"
    )


def test_the_submodules_of_the_compiled_module_are_packages_too():
    names = {name for name, value in vars(_native).items() if inspect.ismodule(value)}
    assert {"graph", "solve", "features"} <= names <= set(ORDER)


def test_submodules_of_the_compiled_module_are_imported_by_name_and_without_numpy():
    code = (
        "import sys, treaty._native.parse as native; print(native.__name__, 'numpy' in sys.modules)"
    )
    assert run(code) == "treaty._native.parse False"


def test_importing_graphs_imports_no_solver():
    assert run("import treaty.graph, sys; print('treaty.solve' in sys.modules)") == "False"


@pytest.mark.parametrize("name", treaty.__all__)
def test_public_names_resolve(name):
    assert getattr(treaty, name).__name__ == name
    assert name in dir(treaty)


def test_other_names_do_not():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = treaty.nonsense
