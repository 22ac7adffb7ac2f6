"""A graph model small enough to enumerate, and the learners once more, in plain Python."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from treaty.learn import GraphModel, Parts, Sample
from treaty.solve import check

SIZE, MOST = 5, 3


@dataclass(frozen=True)
class Basket:
    """Things with a color and a weight; some of them are to be taken."""

    name: str
    colors: tuple[str, ...]
    weights: tuple[float, ...]
    prior: tuple[float, ...]
    taken: frozenset[int] = frozenset()


class Picker(GraphModel):
    """Takes at most three things, and likes or dislikes neighbors together."""

    task = "picker"
    templates = {"thing": ("", "color", "*weight"), "neighbors": ("", "0.color 1.color")}  # noqa: RUF012
    settings = {"most": MOST}  # noqa: RUF012
    table_names = ("colors",)

    def count(self, examples):
        counts = defaultdict(float)
        for basket in examples:
            for color in basket.colors:
                counts[color] += 1
        return {"colors": counts}

    def parts(self, given):
        things = range(len(given.colors))
        parts = Parts().add("thing", things, {"color": given.colors}, {"weight": given.weights})
        return parts.join("neighbors", itertools.pairwise(things))

    def factors(self, graph, parts, given):
        for thing, score in enumerate(given.prior):  # so that there are no ties
            graph.set_score(parts[thing], score)
        if parts:
            graph.at_most(self.settings["most"], parts.values())

    def gold(self, example):
        return example.taken

    def result(self, given, chosen):
        return {"basket": given.name, "taken": list(chosen)}

    @classmethod
    def example(cls, record):
        taken = frozenset(record.pop("taken", ()))
        things = {name: tuple(record[name]) for name in ("colors", "weights", "prior")}
        return Basket(record["name"], **things, taken=taken)

    @classmethod
    def sample(cls):
        examples = baskets(6)
        return Sample(examples, examples, {"bits": 8, "epochs": 2})


def baskets(count: int, seed: int = 0, size: int = SIZE) -> list[Basket]:
    """Red things that weigh much are taken, and neighbors of the same color rather not."""
    rng, made = np.random.default_rng(seed), []
    for number in range(count):
        colors = tuple(rng.choice(["red", "green", "blue"], size).tolist())
        weights, prior = rng.normal(size=size), rng.normal(size=size) * 0.01
        worth = [w + (c == "red") for c, w in zip(colors, weights, strict=True)]

        def total(on, colors=colors, worth=worth):
            alike = sum(a and b and c == d for (a, c), (b, d) in pairs(on, colors))
            return sum(np.multiply(worth, on)) - 0.7 * alike

        best = max(allowed(size), key=total)
        taken = frozenset(np.flatnonzero(best).tolist())
        made.append(
            Basket(f"b{number}", colors, tuple(weights.tolist()), tuple(prior.tolist()), taken)
        )
    return made


def pairs(on, colors):
    return itertools.pairwise(zip(on, colors, strict=True))


def allowed(size: int) -> list[tuple[int, ...]]:
    return [on for on in itertools.product((0, 1), repeat=size) if sum(on) <= MOST]


def features(basket: Basket, on: tuple[int, ...]) -> dict[str, float]:
    """The features of an assignment, by name."""
    found: dict[str, float] = defaultdict(float)
    for chosen, color, weight in zip(on, basket.colors, basket.weights, strict=True):
        if chosen:
            found["thing"] += 1
            found[f"thing {color}"] += 1
            found["thing *weight"] += weight
    for (a, c), (b, d) in pairs(on, basket.colors):
        if a and b:
            found["neighbors"] += 1
            found[f"neighbors {c} {d}"] += 1
    return found


def gold(basket: Basket) -> tuple[int, ...]:
    return tuple(int(thing in basket.taken) for thing in range(len(basket.colors)))


def mistakes(basket: Basket, on: tuple[int, ...]) -> int:
    return sum(a != b for a, b in zip(on, gold(basket), strict=True))


def score(basket: Basket, on: tuple[int, ...], weights: dict[str, float], cost: float = 0.0):
    own = sum(weights.get(name, 0.0) * value for name, value in features(basket, on).items())
    return own + float(np.dot(basket.prior, on)) + cost * mistakes(basket, on)


def best(basket: Basket, weights: dict[str, float], cost: float = 0.0) -> tuple[int, ...]:
    """The best of all assignments."""
    return max(allowed(len(basket.colors)), key=lambda on: score(basket, on, weights, cost))


def online(examples, orders, *, batch: int, aggressiveness: float) -> dict[str, float]:
    """Averaged perceptron (aggressiveness 0) or MIRA, from their definitions."""
    weights: dict[str, float] = defaultdict(float)
    total: dict[str, float] = defaultdict(float)
    steps = 0
    for order in orders:
        for begin in range(0, len(order), batch):
            updates = []
            for i in order[begin : begin + batch]:
                basket = examples[i]
                answer = best(basket, weights, cost=float(aggressiveness > 0))
                step: dict[str, float] = defaultdict(float)
                for sign, on in ((1, gold(basket)), (-1, answer)):
                    for name, value in features(basket, on).items():
                        step[name] += sign * value
                rate = 1.0
                if aggressiveness:
                    norm = sum(value**2 for value in step.values())
                    margin = sum(weights[name] * value for name, value in step.items())
                    liked = float(np.dot(basket.prior, np.subtract(answer, gold(basket))))
                    loss = mistakes(basket, answer) + liked - margin
                    rate = min(aggressiveness, loss / norm) if norm > 0 and loss > 0 else 0.0
                updates.append((rate, step))
            for rate, step in updates:
                for name, value in step.items():
                    weights[name] += rate * value
                steps += 1
                for name, value in weights.items():
                    total[name] += value
    return {name: value / steps for name, value in total.items()}


def model_score(model: Picker, basket: Basket, on: tuple[int, ...]) -> float:
    """What the graph of a model says of an assignment."""
    return check(model.graph(basket).graph, on).objective
