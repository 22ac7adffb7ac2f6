"""The table of solvers and the types of their options agree with the signatures."""

from __future__ import annotations

import inspect
import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any, Unpack, get_args, get_origin, get_type_hints

import pytest

import treaty
from treaty import UsageError
from treaty.graph import FactorGraph
from treaty.learn import _part_problem
from treaty.parse import ParseGraph
from treaty.solve import (
    METHODS,
    Limits,
    SolveOptions,
    check,
    k_best,
    max_marginals,
    solve,
    solve_many,
)
from treaty.solve._methods import method_named
from treaty.summarize.decoding import _decode

SOURCE = Path(treaty.__file__).parent
ROOT = SOURCE.parents[1]
LIMITS = {"iterations", "time_limit", "gap", "cancel", "progress", "progress_every", "trace"}
PASS_OPTIONS_ON = (
    solve,
    solve_many,
    k_best,
    max_marginals,
    FactorGraph.solve,
    ParseGraph.solve,
    ParseGraph.k_best,
    _part_problem.PartGraph.solve,
    _part_problem.PartGraph.k_best,
)


def signature_options(name: str) -> dict[str, tuple[Any, Any]]:
    """The types and defaults of a method's options, from the function alone."""
    function = METHODS[name].function
    types = get_type_hints(function)
    parameters = list(inspect.signature(function).parameters.values())
    assert parameters[0].name == "graph"
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters[1:])
    return {one.name: (types[one.name], one.default) for one in parameters[1:]}


@pytest.mark.parametrize("name", METHODS)
def test_options_of_a_method_are_those_of_its_function(name):
    method = METHODS[name]
    assert method.name == name
    assert method.summary.endswith(".")
    assert method.function.__module__ == f"treaty.solve.{method.module}"
    options = {key: (one.type, one.default) for key, one in method.options.items()}
    assert options == signature_options(name)
    assert all(key == one.name for key, one in method.options.items())


def test_the_types_of_options_are_those_of_all_methods():
    """No option of any method is missing, none is invented, and types are the same everywhere."""
    union: dict[str, set[Any]] = {}
    for name in METHODS:
        for option, (type_, _) in signature_options(name).items():
            union.setdefault(option, set()).add(type_)
    assert {name: {type_} for name, type_ in get_type_hints(SolveOptions).items()} == union
    assert set(get_type_hints(Limits)) == LIMITS
    assert SolveOptions.__required_keys__ == frozenset()


def test_every_option_is_documented_below_its_type():
    code = (SOURCE / "solve" / "_methods.py").read_text("utf-8")
    documented = set(re.findall(r'^    (\w+): [^\n]+\n    """\S', code, re.MULTILINE))
    assert documented == set(get_type_hints(SolveOptions))


@pytest.mark.parametrize("function", PASS_OPTIONS_ON, ids=lambda one: one.__qualname__)
def test_what_passes_options_on_names_their_type(function):
    options = function.__annotations__["options"]
    assert options == "Unpack[SolveOptions]"
    resolved = eval(options, {"Unpack": Unpack, "SolveOptions": SolveOptions})
    assert (get_origin(resolved), get_args(resolved)) == (Unpack, (SolveOptions,))


def test_a_misspelled_option_is_refused_with_those_there_are():
    graph = FactorGraph()
    graph.variables([1.0])
    with pytest.raises(UsageError, match=r"no option 'tiem_limit': choose from .*time_limit"):
        graph.solve(method="exact", tiem_limit=1)
    assert graph.solve("exact", time_limit=1).objective == 1.0


def test_pattern_problems_are_the_only_ones_of_their_methods():
    graph = FactorGraph()
    graph.knapsack(graph.variables([1.0, 2.0, 1.5]), costs=[1, 2, 2], capacity=3)
    for name, method in METHODS.items():
        if method.for_patterns:
            with pytest.raises(UsageError, match="pattern problem"):
                graph.solve(name)
        else:
            assert check(graph, graph.solve(name).values).feasible


def test_methods_do_not_change():
    with pytest.raises(FrozenInstanceError):
        METHODS["ad3"].name = "ad4"
    with pytest.raises(TypeError):
        METHODS["ad3"].options["iterations"] = None
    with pytest.raises(UsageError, match=r"'ad4': choose one of ad3, .*exhaustive"):
        method_named("ad4")


def test_other_lists_of_methods_name_these():
    page = (SOURCE / "web" / "page" / "graph.js").read_text("utf-8")
    offered = re.findall(r'\["([\w-]+)", "[^"]+"\]', re.search(r"const METHODS = (.*)", page)[1])
    assert len(offered) > 3
    assert set(offered) <= set(METHODS)
    assert set(_decode.METHODS) <= set(METHODS)
    reference = (ROOT / "docs" / "reference" / "solvers.md").read_text("utf-8")
    section = reference.split("## Methods\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert {name for cell in rows for name in re.findall("`([^`]+)`", cell)} == set(METHODS)
