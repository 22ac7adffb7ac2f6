"""Recipes: small graphs of every kind of factor, as JSON, and what is done with them.

A case is a recipe and not a seed, so that it means the same when the generator has changed, and
``python -m research.fuzz.shrink`` can leave out what a finding does not need.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treaty import FactorGraph
from treaty.errors import UsageError
from treaty.graph._factors import as_literal

__all__ = [
    "ARGUMENTS",
    "PRICE",
    "Faulty",
    "Plain",
    "Recipe",
    "add_factor",
    "built",
    "drawn",
    "recipe_of",
    "snippet",
]

Recipe = dict[str, Any]
Dice = random.Random

ARGUMENTS = {
    "exactly_one": "L", "at_most_one": "L", "at_least_one": "L", "implies": "L",
    "xor_with_output": "Ll", "or_with_output": "Ll", "and_with_output": "Ll",
    "reward": "L.", "at_most": ".L", "exactly": ".L", "at_least": ".L", "knapsack": "L..",
    "table": "V.", "sequence": "V...", "sequence_budget": ".V...", "general_tree": "V..L",
    "compression_tree": "L...", "arborescence": ".L..", "head_automaton": "L.L..",
    "tri_sibling_automaton": "L.", "factor": "OL", "compiled_factor": "L",
}  # fmt: skip
"""The arguments of the method of each kind: L literals, l one, V variables with states, O a user's
own factor, . what JSON has."""
MOST = 1e100
"""Absolute value of a score, at most."""
SCALES = (
    (0,), (0,), (0,), (0, 0, 0, 12), (0, 0, 9), (-9, 0), (0, 6, 12), (0, 99), (99,), (-30, 0),
    (0, 3, 6, 9), (-300,), (-323,), (-323, -300), (-310, 0), (-296, -290), (-200, 100), (30, 0),
    (100, 0, -100), (-16, 0), (15, 0), (-150,), (0, -323), (-7, 0), (-12, -6, 0), (5, 0, -5),
)  # fmt: skip
"""Powers of ten by which scores are multiplied, one set to a graph."""
MOST_ASSIGNMENTS = 256


class Plain:
    """A user's own factor that allows the configurations on its list, without scores."""

    def __init__(self, configurations: list[list[int]], scores: list[float]) -> None:
        self.configurations = np.array(configurations, np.int8).reshape(len(scores), -1)
        self.scores = scores
        self.known = {tuple(one): score for one, score in zip(configurations, scores, strict=True)}

    def maximize(self, scores: Any) -> Any:
        """Return the best configuration."""
        return self.configurations[int(np.argmax(self.configurations @ scores))]


class Listed(Plain):
    """The same with scores."""

    def maximize(self, scores: Any) -> Any:
        """Return the best configuration and its score."""
        best = int(np.argmax(self.configurations @ scores + np.array(self.scores)))
        return self.configurations[best], self.scores[best]

    def evaluate(self, configuration: Any) -> float:
        """Return the score of a configuration."""
        return self.known.get(tuple(int(one) for one in configuration), -math.inf)


class Faulty:
    """A user's own factor that answers what is no configuration."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def maximize(self, _scores: Any) -> Any:
        """Return the answer; scores that are no number are read from text, which JSON has."""
        if isinstance(self.answer, list) and len(self.answer) == 2:
            configuration, score = self.answer
            return configuration, float(score)
        return self.answer


ORACLES = {"listed": Listed, "plain": Plain}
MAXIMIZE = ctypes.CFUNCTYPE(
    ctypes.c_double,
    ctypes.POINTER(ctypes.c_double),
    ctypes.c_int64,
    ctypes.POINTER(ctypes.c_uint8),
    ctypes.c_void_p,
)


PRICE = -0.5


@MAXIMIZE
def compiled(scores: Any, degree: int, configuration: Any, _data: Any) -> float:
    """Let all literals be on at a price, or none: a compiled factor, though Python is behind it."""
    on = sum(scores[i] for i in range(degree)) + PRICE > 0.0
    for i in range(degree):
        configuration[i] = int(on)
    return PRICE if on else 0.0


def recipe_of(data: bytes) -> Recipe:
    """Read a recipe."""
    recipe: Recipe = json.loads(data)
    return recipe


def built(recipe: Recipe) -> FactorGraph:
    """Build the graph; factors that are refused with `UsageError` are left out."""
    graph = FactorGraph()
    for scores in recipe["variables"]:
        if isinstance(scores, list):
            graph.categorical(scores)
        else:
            graph.variable(scores)
    for factor in recipe["factors"]:
        add_factor(graph, factor)
    return graph


def add_factor(graph: FactorGraph, factor: Sequence[Any]) -> None:
    """Add a factor, unless it is refused."""
    name, *given = factor
    arguments = [
        _argument(graph, kind, value) for kind, value in zip(ARGUMENTS[name], given, strict=True)
    ]
    if name == "compiled_factor":
        arguments = [compiled, *arguments]
    try:
        getattr(graph, name)(*arguments)
    except UsageError:
        return


def _argument(graph: FactorGraph, kind: str, value: Any) -> Any:
    match kind:
        case "l":
            return as_literal(graph, value)
        case "L":
            return [as_literal(graph, code) for code in value]
        case "V":
            categoricals = graph.categoricals
            return [
                categoricals[one[0]] if isinstance(one, list) else as_literal(graph, one)
                for one in value
            ]
        case "O":
            return ORACLES[value[0]](*value[1:])
    return value


def snippet(recipe: Recipe) -> str:
    """Write a recipe as Python."""
    lines = ["from treaty import FactorGraph", 'inf = float("inf")', "g = FactorGraph()"]
    names: list[str] = []
    categories = 0
    for scores in recipe["variables"]:
        if isinstance(scores, list):
            names += [f"c{categories}[{state}]" for state in range(len(scores))]
            lines.append(f"c{categories} = g.categorical({scores!r})")
            categories += 1
        else:
            lines.append(f"x{len(names)} = g.variable({scores!r})")
            names.append(f"x{len(names)}")

    def literal(code: int) -> str:
        return "~" * (code & 1) + names[code >> 1]

    def written(kind: str, value: Any) -> str:
        match kind:
            case "l":
                return literal(value)
            case "L" | "V":
                every = (f"c{v[0]}" if isinstance(v, list) else literal(v) for v in value)
                return f"[{', '.join(every)}]"
            case "O":
                return f"{ORACLES[value[0]].__name__}({value[1]!r}, {value[2]!r})"
        return repr(value)

    def call(factor: Sequence[Any]) -> str:
        name, *given = factor
        arguments = list(map(written, ARGUMENTS[name], given))
        if name == "compiled_factor":
            arguments.insert(0, "compiled")
        return f"g.{name}({', '.join(arguments)})"

    lines += map(call, recipe["factors"])
    for name, *given in recipe["steps"]:
        if name == "add":
            lines.append(call(given[0]))
        elif name == "solve":
            options = "".join(f", {key}={value!r}" for key, value in given[1].items())
            lines.append(f"print(g.solve({given[0]!r}{options}))")
        else:
            lines.append(f"# {name} {given!r}")
    return "\n".join(lines)


# Drawing


def drawn(dice: Dice) -> Recipe:
    """Draw a graph; `treaty.solve.exhaustive` would try at most `MOST_ASSIGNMENTS`."""
    return _Drawing(dice).recipe()


class _Drawing:
    """One recipe, and what it is made of so far."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.scale = dice.choice(SCALES)
        self.sizes = dice.choice([(0.0, 1.0), (0.0, 0.5, 1.0, 1.25, 3.0), (0.0, 1.0, None, None)])
        self.forbids = dice.choice([0.0, 0.1, 0.3])
        self.names = dice.choice(
            [NAMES, NAMES, NAMES, PATTERNS, LINEAR, [dice.choice(NAMES), "table"]]
        )
        self.variables: list[Any] = []
        self.codes: list[int] = []
        self.categories: list[int] = []

    def recipe(self) -> Recipe:
        dice, assignments = self.dice, 1
        for _ in range(dice.choice([0, 1, 2, 3, 4, 5, 6, 7, 8])):
            states = dice.choice([0, 0, 0, 1, 2, 3])
            assignments *= states or 2
            if assignments > MOST_ASSIGNMENTS:
                break
            first = len(self.codes)
            if states:
                self.variables.append([self.score() for _ in range(states)])
                self.categories.append(states)
            else:
                self.variables.append(self.score())
            self.codes += range(first, first + (states or 1))
        most = (0, 1, 1, 2, 2, 3, 4, 6) if self.names is NAMES else (1, 2, 3, 4, 6, 9)
        factors = [self.factor() for _ in range(dice.choice(most))]
        recipe = {"variables": self.variables, "factors": factors, "steps": []}
        if dice.random() < 0.15:
            self.penalize(recipe)
        return recipe

    def penalize(self, recipe: Recipe) -> None:
        """Make one score a huge penalty."""
        places = [(recipe["variables"], i) for i, s in enumerate(recipe["variables"])]
        places = [(where, i) for where, i in places if not isinstance(where[i], list)]
        places += [(f, 2) for f in recipe["factors"] if f[0] == "reward"]
        places += [(f[2], 0) for f in recipe["factors"] if f[0] == "tri_sibling_automaton" and f[2]]
        if places:
            where, i = self.dice.choice(places)
            if not isinstance(where[i], list):
                where[i] = -(10.0 ** self.dice.choice([6, 9, 12, 12, 15, 30, 100]))

    def score(self) -> float:
        dice = self.dice
        size = dice.choice(self.sizes)
        size = dice.random() if size is None else size
        exponent = dice.choice(self.scale)
        tens = 10.0**exponent if exponent > -323 else dice.choice([5e-324, 1e-323, 4e-322])
        return max(-MOST, min(MOST, dice.choice((-1.0, 1.0)) * size * tens))

    def cell(self) -> float:
        return -math.inf if self.dice.random() < self.forbids else self.score()

    def literals(self, least: int, most: int) -> list[int]:
        """Choose literals, sometimes negated, sometimes twice."""
        dice = self.dice
        if not self.codes:
            return []
        count = dice.randint(least, most)
        if dice.random() < 0.7:
            chosen = dice.sample(self.codes, min(count, len(self.codes)))
        else:
            chosen = [dice.choice(self.codes) for _ in range(count)]
        return [2 * variable + (dice.random() < 0.2) for variable in chosen]

    def exactly(self, count: int) -> list[int]:
        if not self.codes:
            return []
        return [2 * self.dice.choice(self.codes) + (self.dice.random() < 0.2) for _ in range(count)]

    def states(self, most: int) -> tuple[list[Any], list[int]]:
        """Choose variables with states, and their numbers of states."""
        dice, chosen, sizes = self.dice, [], []
        for _ in range(dice.randint(1, most)):
            if self.categories and (dice.random() < 0.6 or not self.codes):
                one = dice.randrange(len(self.categories))
                chosen.append([one])
                sizes.append(self.categories[one])
            elif self.codes:
                chosen.append(2 * dice.choice(self.codes) + (dice.random() < 0.2))
                sizes.append(2)
        return chosen, sizes

    def tables(self, *sizes: int) -> Any:
        """Draw cells in nested lists."""
        first, *others = sizes
        return [self.tables(*others) if others else self.cell() for _ in range(first)]

    def factor(self) -> list[Any]:
        name = self.dice.choice(self.names if self.codes else NAMES_OF_NOTHING)
        return [name, *DRAW.get(name, _draw_literals)(self)]


def _draw_literals(self: _Drawing) -> list[Any]:
    return [self.literals(0 if self.dice.random() < 0.1 else 1, 4)]


def _draw_output(self: _Drawing) -> list[Any]:
    output = self.literals(1, 1)
    return [self.literals(0 if self.dice.random() < 0.1 else 1, 3), output[0]]


def _draw_reward(self: _Drawing) -> list[Any]:
    return [self.literals(1, 3), self.score()]


def _draw_limit(self: _Drawing) -> list[Any]:
    return [self.dice.choice([0, 1, 1, 2, 3, 5]), *_draw_literals(self)]


def _draw_knapsack(self: _Drawing) -> list[Any]:
    literals = self.literals(0 if self.dice.random() < 0.1 else 1, 4)
    costs = self.dice.choice([(0.5, 1.0, 2.0), (0.0, 0.1, 0.2, 0.3), (1.0, 1e9), (1e-300, 1.0)])
    capacity = self.dice.choice([0.0, 0.3, 1.5, 2.0, 2.5, 1e9, -1.0])
    return [literals, [self.dice.choice(costs) for _ in literals], capacity]


def _draw_table(self: _Drawing) -> list[Any]:
    chosen, sizes = self.states(3)
    return [chosen, self.tables(*sizes)] if sizes else [[], 0.0]


def _draw_sequence(self: _Drawing) -> list[Any]:
    chosen, sizes = self.states(4)
    edges = [self.tables(*pair) for pair in itertools.pairwise(sizes)]
    ends = [
        None if self.dice.random() < 0.3 or not sizes else self.tables(size)
        for size in (sizes[:1] + sizes[-1:] or [0, 0])
    ]
    return [chosen, edges, *ends]


def _draw_budget(self: _Drawing) -> list[Any]:
    return [self.dice.randint(0, 4), *_draw_sequence(self)]


def _draw_general_tree(self: _Drawing) -> list[Any]:
    chosen, sizes = self.states(4)
    parents = [None, *(self.dice.randrange(node) for node in range(1, len(sizes)))]
    edges = [self.tables(sizes[parents[n] or 0], sizes[n]) for n in range(1, len(sizes))]
    counts = self.exactly(len(sizes) + 1) if self.dice.random() < 0.5 else []
    return [chosen, parents[: len(sizes)], edges, counts]


def _draw_compression(self: _Drawing) -> list[Any]:
    literals = self.literals(1, 5)
    parents = [
        None if not node or self.dice.random() < 0.2 else self.dice.randrange(node)
        for node in range(len(literals))
    ]
    cuts = None if self.dice.random() < 0.3 else [self.score() for _ in literals]
    return [literals, parents, cuts, self.dice.random() < 0.3]


def _draw_arborescence(self: _Drawing) -> list[Any]:
    nodes = self.dice.randint(1, 4)
    every = [(h, m) for h in range(nodes) for m in range(1, nodes) if h != m]
    arcs = [list(self.dice.choice(every)) for _ in range(self.dice.randint(0, 6)) if every]
    arcs = arcs if self.codes else []
    return [arcs, self.exactly(len(arcs)), nodes, self.dice.random() < 0.3]


def _draw_head_automaton(self: _Drawing) -> list[Any]:
    below = self.literals(0, 3)
    above = self.literals(1, 2) if self.dice.random() < 0.5 else []
    g, pairs = len(above), math.comb(len(below) + 2, 2)
    siblings = [self.cell() for _ in range(pairs)]
    grand = self.tables(g, pairs) if above and self.dice.random() < 0.5 else None
    scores = [[self.score() for _ in below] for _ in above] if above and below else None
    return [below, siblings, above, scores, grand]


def _draw_tri_siblings(self: _Drawing) -> list[Any]:
    below = self.literals(0, 3)
    return [below, [self.cell() for _ in range(math.comb(len(below) + 2, 3))]]


def _draw_own(self: _Drawing) -> list[Any]:
    literals = self.literals(1, 3)
    every = [list(one) for one in itertools.product([0, 1], repeat=len(literals))]
    allowed = self.dice.sample(every, self.dice.randint(1, len(every)))
    if self.dice.random() < 0.3:
        return [["plain", allowed, [0.0] * len(allowed)], literals]
    return [["listed", allowed, [self.score() for _ in allowed]], literals]


def _draw_compiled(self: _Drawing) -> list[Any]:
    return [self.literals(1, 3)]


DRAW: dict[str, Callable[[_Drawing], list[Any]]] = {
    "xor_with_output": _draw_output,
    "or_with_output": _draw_output,
    "and_with_output": _draw_output,
    "reward": _draw_reward,
    "at_most": _draw_limit,
    "exactly": _draw_limit,
    "at_least": _draw_limit,
    "knapsack": _draw_knapsack,
    "table": _draw_table,
    "sequence": _draw_sequence,
    "sequence_budget": _draw_budget,
    "general_tree": _draw_general_tree,
    "compression_tree": _draw_compression,
    "arborescence": _draw_arborescence,
    "head_automaton": _draw_head_automaton,
    "tri_sibling_automaton": _draw_tri_siblings,
    "factor": _draw_own,
    "compiled_factor": _draw_compiled,
}
NAMES_OF_NOTHING = [name for name in ARGUMENTS if not name.endswith("_with_output")]
NAMES = [name for name in ARGUMENTS if name != "compiled_factor"] * 4 + [
    *("compiled_factor", "reward", "reward", "reward", "table", "table", "table", "table"),
    *("knapsack", "knapsack", "knapsack", "exactly_one", "exactly_one"),
]
PATTERNS = ["table", "table", "table", "table", "sequence", "reward", "reward", "exactly_one"]
"""What the methods for pattern problems take."""
LINEAR = [
    *("knapsack", "knapsack", "at_most", "exactly", "reward", "reward", "at_least_one", "implies"),
    *("and_with_output", "or_with_output", "xor_with_output", "at_most_one"),
]
"""What is a row or two in an integer program."""
