"""Certificates of small graphs of every kind of factor: enumeration in exact integers judges them.

An input is a recipe (`_recipes.py`): a graph, and steps that solve it by some method with some
options, change it, or take it through a pickle or a file. What is wrong in an answer is a finding:
a word that is not true, a bound below a score, an assignment that breaks a factor.
"""

from __future__ import annotations

import io
import json
import math
import pickle
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from research.fuzz._recipes import Faulty, add_factor, built, drawn, recipe_of
from research.fuzz._run import Finding, Harness
from research.fuzz._truth import UNIT, Truth, exact
from treaty import FactorGraph
from treaty.errors import SolverError, UsageError
from treaty.graph import Categorical, Variable, read_graph
from treaty.graph._factors import as_literal
from treaty.graph._fg import write_fg
from treaty.graph._uai_write import write_uai
from treaty.solve import (
    Solution,
    Status,
    check,
    k_best,
    log_partition,
    marginals,
    max_marginals,
    solve_many,
)

__all__ = ["HARNESSES", "judge", "recipe", "run"]

METHODS = ("ad3",) * 5 + ("exact",) * 4 + ("lp", "ilp") * 2 + (
    "subgradient", "two-slave", "naive", "junction", "exhaustive",
)  # fmt: skip
FOR_PATTERNS = ("two-slave", "naive", "junction")
"""Methods that refuse other graphs."""
BY_HIGHS = ("lp", "ilp")
"""Methods that may raise `SolverError`, when HiGHS fails."""
DECIDING = ("exact", "exhaustive")
"""Methods that end with an answer or the proof that there is none."""
STRICT = ("ad3", "subgradient", "two-slave", "naive", "junction", "exhaustive")
"""Methods whose OPTIMAL is to 1e-8; others to 1e-6."""
LIMITS = ("iterations", "time_limit", "gap")


# The judge


def judge(truth: Truth, solution: Solution, method: str, options: dict[str, Any]) -> None:
    """Compare an answer with all that are allowed; raise `Finding` if it claims too much."""
    text = f"{method} {options}: {solution.certificate}; exactly: {_shown(truth.best)}"
    wrong = partial(_wrong, method, text)
    if math.isnan(solution.objective) or math.isnan(solution.bound):
        wrong("nan")
    if solution.status is Status.INFEASIBLE:
        if truth.best is not None:
            wrong("INFEASIBLE is false")
        return
    _judge_bound(truth, solution.bound, wrong)
    if solution.objective == -math.inf:
        if solution.status is not Status.UNKNOWN:
            wrong(f"{solution.status} without an answer")
        if method in DECIDING and truth.is_ordinary and not set(options) & {*LIMITS, "progress"}:
            wrong("UNKNOWN without a limit")
    else:
        _judge_answer(truth, solution, method, options, wrong)
    if solution.trace is not None:
        for _, _, objective, bound, *_ in solution.trace.rows():
            _judge_bound(truth, bound, wrong, "a bound of the trace")
            limit = None if truth.best is None else truth.best + truth.rounding
            if limit is not None and objective > -math.inf and exact(objective) > limit:
                wrong("an objective of the trace is above the optimum")
    relaxed = solution.relaxed
    if relaxed is not None and not ((relaxed >= -1e-6) & (relaxed <= 1 + 1e-6)).all():
        wrong("a relaxed value is not in [0, 1]")


def _judge_bound(
    truth: Truth, bound: float, wrong: Callable[[str], None], what: str = "the bound"
) -> None:
    if truth.best is None or bound == math.inf:
        return
    if bound == -math.inf or exact(bound) < truth.best - truth.rounding:
        wrong(f"{what} is below the optimum")


def _judge_answer(
    truth: Truth,
    solution: Solution,
    method: str,
    options: dict[str, Any],
    wrong: Callable[[str], None],
) -> None:
    values = solution.values.astype(np.int8).tobytes()
    score = truth.scored.get(values)
    if score is None or truth.best is None:
        is_binary = np.isin(solution.values, (0, 1)).all()
        broken = check(truth.graph, solution.values).messages if is_binary else (solution.values,)
        wrong(f"the assignment is not allowed ({'; '.join(map(str, broken))})")
        return
    if not math.isfinite(solution.objective):
        wrong("the objective is not finite")
    if abs(exact(solution.objective) - score) > truth.rounding:
        wrong("the objective is not the score of the assignment")
    status = solution.status
    if status in (Status.INFEASIBLE, Status.UNKNOWN):
        wrong(f"{status} with an answer")
    if status is Status.OPTIMAL:
        relative = 1.001e-8 if method in STRICT else 1.001e-6
        if truth.best - score > truth.tolerance(score, relative) + truth.rounding:
            wrong("OPTIMAL is false")
        if exact(solution.gap) > truth.tolerance(score, 1.001e-6) + truth.rounding:
            wrong("OPTIMAL with a gap")
    elif method in DECIDING and truth.is_ordinary and not set(options) & {*LIMITS, "progress"}:
        wrong(f"{status} without a limit")


def _wrong(method: str, text: str, what: str) -> None:
    raise Finding(f"{method}: {what.partition(' (')[0]}", f"{what}\n{text}")


def _shown(score: int | None) -> str:
    return "infeasible" if score is None else repr(score / UNIT)


# Steps


class _Bench:
    """The graph while steps are done to it."""

    def __init__(self, graph: FactorGraph) -> None:
        self.graph = graph
        self.earlier: list[Solution] = []
        self._truth: Truth | None = None

    @property
    def truth(self) -> Truth:
        if self._truth is None:
            self._truth = Truth(self.graph)
        return self._truth

    def step(self, name: str, *given: Any) -> None:
        getattr(self, f"_{name}")(*given)

    def _changed(self) -> None:
        self._truth = None

    # Changes

    def _score(self, variable: int, score: float) -> None:
        self.graph.set_score(self.graph[variable], score)
        self._changed()

    def _scale(self, factor: float) -> None:
        """Multiply the scores of all variables."""
        for variable, score in zip(self.graph, self.graph.scores.tolist(), strict=True):
            self.graph.set_score(variable, max(-1e100, min(1e100, score * factor)))
        self._changed()

    def _add(self, factor: Sequence[Any]) -> None:
        add_factor(self.graph, factor)
        self._changed()

    def _fix(self, code: int, value: int) -> None:
        self.graph.fix(as_literal(self.graph, code), value)
        self._changed()

    def _state(self, category: int, state: int) -> None:
        self.graph.fix(self.graph.categoricals[category], state)
        self._changed()

    def _free(self, code: int) -> None:
        self.graph.free(as_literal(self.graph, code))
        self._changed()

    def _pickle(self) -> None:
        try:
            self._same(pickle.loads(pickle.dumps(self.graph)), "a pickle")
        except UsageError:
            if not any(factor.kind == "custom" for factor in self.graph.factors):
                raise

    def _copy(self) -> None:
        self._same(self.graph.copy(), "a copy")

    def _same(self, twin: FactorGraph, what: str) -> None:
        """Go on with a twin, which must be the same."""
        before = self.truth.scored
        self.graph = twin
        self._changed()
        if self.truth.scored != before:
            raise Finding(f"{what} is another graph", what)

    def _file(self, form: str) -> None:
        """Write the graph to a file and read it, if it has that form."""
        try:
            text = {"fg": write_fg, "uai": write_uai}[form](self.graph)
        except UsageError:
            return
        twin = Truth(read_graph(io.StringIO(text), form))
        mine, other = (
            truth.scored if form == "fg" else _by_states(truth) for truth in (self.truth, twin)
        )
        slack = self.truth.rounding + twin.rounding + (exact(1e-9) if form == "uai" else 0)
        if mine.keys() != other.keys():
            raise Finding(f".{form}: other assignments are allowed", text)
        if any(abs(other[states] - score) > slack for states, score in mine.items()):
            raise Finding(f".{form}: other scores", text)

    # Answers

    def _solve(self, method: str, options: dict[str, Any]) -> None:
        """Solve; `warm_start` is the number of an earlier solution, counted from the last."""
        given = dict(options)
        if "warm_start" in given:
            earlier = [one for one in self.earlier if one.warm is not None]
            if not earlier:
                return
            given["warm_start"] = earlier[-1 - given["warm_start"] % len(earlier)]
        if "progress" in given:
            events = given["progress"]
            given["progress"] = partial(self._progress, method, [events])
        solution = self._asked(method, options, lambda: self.graph.solve(method, **given))
        if solution is not None:
            judge(self.truth, solution, method, options)
            self.earlier.append(solution)

    def _many(self, method: str, options: dict[str, Any], threads: int) -> None:
        graphs = [self.graph, self.graph.copy()]
        every = self._asked(
            method, options, lambda: solve_many(graphs, method, threads=threads, **options)
        )
        for solution in every or ():
            judge(self.truth, solution, method, options)

    def _faulty(self, answer: Any, method: str) -> None:
        """Solve with a factor that answers nonsense: an error of ours, or it is not asked."""
        graph = self.graph.copy()
        literals = list(graph)[:2]
        if literals:
            graph.factor(Faulty(answer), literals)
            with suppress(UsageError, SolverError):
                graph.solve(method, **({"iterations": 50} if method == "subgradient" else {}))

    def _progress(self, method: str, left: list[int], event: Any) -> bool:
        """Judge the bound of an event; stop after some of them."""
        text = f"{method}: {event}; exactly: {_shown(self.truth.best)}"
        _judge_bound(
            self.truth, event.scores["bound"], partial(_wrong, method, text), "a bound of progress"
        )
        left[0] -= 1
        return left[0] > 0

    def _asked(self, method: str, options: dict[str, Any], ask: Callable[[], Any]) -> Any:
        """Return an answer, or None if the method may refuse."""
        try:
            return ask()
        except UsageError:
            if method not in FOR_PATTERNS:
                raise
        except SolverError:
            if method not in BY_HIGHS and not (method == "exhaustive" and "limit" in options):
                raise
        return None

    def _k_best(
        self, k: int, method: str, options: dict[str, Any], distance: int, counted: list[int] | None
    ) -> None:
        """Judge each answer by what the answers before it leave."""
        graph, left = self.graph, self.truth
        whole = graph.whole_variables
        variables = None if counted is None else [whole[i] for i in counted]
        found = self._asked(
            method,
            options,
            lambda: k_best(graph, k, method, distance=distance, variables=variables, **options),
        )
        if found is None:
            return
        chosen = whole if variables is None else variables
        for solution in found:
            judge(left, solution, f"k_best {method}", options)
            answer = solution.values.astype(np.int8)
            left = left.left(
                lambda one, answer=answer: _distance(chosen, one, answer.tobytes()) >= distance
            )
        if method in DECIDING and not options and len(found) < k and left.best is not None:
            raise Finding(f"k_best {method}: there are more", f"{found}; {left.best / UNIT}")

    def _max_marginals(self, method: str, options: dict[str, Any]) -> None:
        graph, truth = self.graph, self.truth
        every = self._asked(method, options, lambda: max_marginals(graph, None, method, **options))
        for variable, found in zip(graph.whole_variables, every or (), strict=every is not None):
            for state, (objective, bound) in enumerate(
                zip(found.objective.tolist(), found.bound.tolist(), strict=True)
            ):
                own = truth.left(lambda one, v=variable, s=state: _state(v, one) == s)
                text = f"{method} {options}: {variable!r} is {state}: {objective!r} to {bound!r}"
                wrong = partial(_wrong, f"max_marginals {method}", f"{text}, {_shown(own.best)}")
                _judge_bound(own, bound, wrong)
                if objective == -math.inf:
                    continue
                if own.best is None or exact(objective) > own.best + own.rounding:
                    wrong("an objective above the best")
                if bound < objective:
                    wrong("a bound below the objective")

    def _marginals(self, most_cells: int) -> None:
        """Judge the sum over all assignments and the shares in it."""
        graph, scored = self.graph, self.truth.scored
        scores = {one: score / UNIT for one, score in scored.items()}
        total, rounding = _log_sum(scores.values()), self.truth.rounding / UNIT + 1e-12
        try:
            bound = log_partition(graph, most_cells=most_cells)
            value = log_partition(graph)
            shares = marginals(graph) if scored else []
        except UsageError:
            if not any(factor.kind == "custom" for factor in graph.factors):
                raise
            return
        text = f"{value}, at most {bound}; {total}"
        if not value.is_exact or not _close(value.value, total, rounding):
            raise Finding("log_partition: the sum is wrong", text)
        if bound.value < total - rounding:
            raise Finding("log_partition: the bound is below the sum", text)
        if rounding > 0.01:
            return
        for variable, found in zip(graph.whole_variables, shares, strict=bool(scored)):
            for state, share in enumerate(found.tolist()):
                own = _log_sum(s for one, s in scores.items() if _state(variable, one) == state)
                if abs(share - math.exp(own - total)) > 1e-9 + 4 * rounding:
                    raise Finding("marginals: a share is wrong", f"{variable!r} {found} {own}")


def _close(one: float, other: float, most: float) -> bool:
    return one == other or abs(one - other) <= most


def _log_sum(scores: Any) -> float:
    every = list(scores)
    top = max(every, default=-math.inf)
    if top == -math.inf:
        return -math.inf
    return float(top + math.log(math.fsum(math.exp(score - top) for score in every)))


def _state(variable: Variable | Categorical, one: bytes) -> int:
    if isinstance(variable, Categorical):
        return one.index(1, variable.first) - variable.first
    return one[variable.variable]


def _distance(variables: Sequence[Variable | Categorical], one: bytes, other: bytes) -> int:
    return sum(_state(v, one) != _state(v, other) for v in variables)


def _by_states(truth: Truth) -> dict[tuple[int, ...], int]:
    """Key the assignments by states: in a .uai file a binary variable is one of two states."""
    whole = truth.graph.whole_variables
    return {tuple(_state(v, one) for v in whole): score for one, score in truth.scored.items()}


def run(data: bytes) -> None:
    """Build a graph and do the steps."""
    recipe = recipe_of(data)
    bench = _Bench(built(recipe))
    for name, *given in recipe["steps"]:
        bench.step(name, *given)


# Drawing of steps


def recipe(dice: random.Random) -> dict[str, Any]:
    """Draw a graph and steps."""
    made = drawn(dice)
    slow = any(factor[0] in ("factor", "compiled_factor") for factor in made["factors"])
    variables = sum(len(v) if isinstance(v, list) else 1 for v in made["variables"])
    categories = [len(v) for v in made["variables"] if isinstance(v, list)]
    for _ in range(dice.choice([1, 2, 2, 3, 5])):
        if dice.random() < 0.6:
            made["steps"].append(["solve", *_asking(dice, slow)])
        else:
            made["steps"] += _other_steps(dice, slow, len(made["variables"]), variables, categories)
    return made


def _asking(dice: random.Random, slow: bool) -> list[Any]:
    """Draw a method and its options."""
    method = dice.choice(METHODS)
    options: dict[str, Any] = {}
    if method in OPTIONS and dice.random() < 0.6:
        every = OPTIONS[method]
        for name in dice.sample(sorted(every), dice.randint(1, min(4, len(every)))):
            options[name] = dice.choice(every[name])
    endless = method in ("subgradient", "naive", "two-slave") or slow
    has_limit = "iterations" in OPTIONS.get(method, ())
    if endless and has_limit and dice.random() < 0.95:
        options["iterations"] = min(options.get("iterations", 100), 100)
    return [method, options]


COMMON = {
    "iterations": (0, 1, 2, 5, 10, 50, 500),
    "gap": (0.0, 1e-9, 0.1, 1.0, 1e300),
    "time_limit": (0.0, 0, 10.0),
    "trace": (True,),
    "progress": (1, 2, 10**9),
    "progress_every": (1, 10, 1000),
}
NONSENSE = (
    [1, 1, 1],
    [0.5, 0.5, 0],
    [2, 2, 2],
    None,
    "text",
    [],
    3,
    [[1, 1], "nan"],
    [[1, 1], "inf"],
)
"""Answers of faulty factors over two literals."""
STEPS = (1e-100, 1e-6, 0.1, 1.0, 30.0, 1e6, 1e30, 1e100)
OPTIONS: dict[str, dict[str, Sequence[Any]]] = {
    "ad3": {
        **COMMON,
        "tolerance": (1e-300, 1e-12, 1e-3, 1.0, 1e300),
        "penalty": (1e-100, 1e-6, 0.1, 1.0, 1e6, 1e12, 1e100),
        "adapt_penalty": (True, False, False),
        "projection_rounds": (1, 1, 2, 10),
        "polish": (True, False, False),
        "warm_start": (0, 0, 1, 2),
    },
    "subgradient": {**COMMON, "step_rule": ("rush", "decreasing", "polyak"), "step": STEPS},
    "two-slave": {
        **COMMON,
        "step_rule": ("level", "rush"),
        "step": STEPS,
        "style": ("tight", "paper", "released"),
        "tolerance": (1e-12, 1e-3, 1.0),
        "warm_cut": (True, False),
    },
    "naive": {**COMMON, "step_rule": ("level", "rush"), "step": STEPS, "tolerance": (1e-12, 1.0)},
    "exact": COMMON,
    "junction": {**COMMON, "table_cells": (2, 4, 16, 2**24)},
    "lp": {"solver": ("dual", "primal", "ipm"), "time_limit": (0.0, 10.0)},
    "ilp": {"time_limit": (0.0, 10.0)},
    "exhaustive": {"limit": (0, 1, 4, 2**22)},
}


def _other_steps(
    dice: random.Random, slow: bool, whole: int, variables: int, categories: list[int]
) -> list[list[Any]]:
    """Draw changes of the graph, or questions about more than one answer."""
    warm = ["solve", "ad3", {"warm_start": 0, **({"iterations": 100} if slow else {})}]
    cold = ["solve", "ad3", {"iterations": dice.choice([1, 20, 100])}]
    method, options = _asking(dice, slow)
    while method == "exhaustive" or {"trace", "progress", "warm_start"} & options.keys():
        method, options = _asking(dice, slow)
    match dice.randrange(13):
        case 0 if variables:
            score = dice.choice([0.0, 1.0, -1.0, 1e12, -1e12, 5e-324, -1e100])
            return [["score", dice.randrange(variables), score]]
        case 1:
            return [cold, ["scale", dice.choice([0.0, 1e-12, 1e-300, 1e12, 1e60, -1.0])], warm]
        case 2 if variables:
            codes = [dice.randrange(2 * variables) for _ in range(dice.randint(1, 3))]
            name = dice.choice(["exactly_one", "at_least_one", "at_most_one"])
            return [cold, ["add", [name, codes]], warm]
        case 3 if variables:
            return [["fix", dice.randrange(2 * variables), dice.randrange(2)], ["copy"]]
        case 4 if categories:
            category = dice.randrange(len(categories))
            return [["state", category, dice.randrange(categories[category])], ["pickle"]]
        case 5 if variables:
            return [["free", dice.randrange(2 * variables)]]
        case 6:
            return [["pickle"]]
        case 7:
            return [["file", dice.choice(["fg", "uai"])]]
        case 8:
            return [["many", method, options, dice.choice([1, 2])]]
        case 9:
            counted = dice.sample(range(whole), dice.randint(1, whole)) if whole else None
            counted = counted if dice.random() < 0.3 else None
            number, distance = dice.choice([1, 2, 3, 9]), dice.choice([1, 1, 2])
            return [["k_best", number, method, options, distance, counted]]
        case 10:
            return [["max_marginals", method, options]]
        case 11:
            return [["marginals", dice.choice([1, 2, 4, 16])]]
        case 12:
            return [["faulty", dice.choice(NONSENSE), dice.choice(["ad3", "exact", "lp", "ilp"])]]
    return []


HARNESSES = [
    Harness(
        "certificates-graphs",
        lambda: [b"graph"],
        run,
        allowed=(),
        mutate=lambda dice, _corpus, _words: json.dumps(recipe(dice)).encode(),
        longest=2**16,
    )
]
