"""Certificates of models on small random inputs, recomputed from the graphs of the models.

Parser, labeler and linker show their graph; of a summary and a compression it is that of the
papers' equations, and the trees of an inducer are enumerated. The objective must be the score of
the answer there, and the bound at least the best score.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from research.fuzz._run import Finding, Harness
from research.fuzz.models import trained
from treaty import FactorGraph
from treaty.errors import UsageError
from treaty.graph import Categorical
from treaty.induce import Corpus, branch_and_bound
from treaty.learn import ModelFile, model_class
from treaty.parse import ORDERS
from treaty.solve import Certificate, Status
from treaty.summarize import (
    Problem,
    Rules,
    Source,
    broken_rules,
    compressive_graph,
    decode,
    extractive_graph,
    objective_of,
)
from treaty.summarize.cuts._compressing import best_compressions
from treaty.text import Post, Sentence, Thread, Token

__all__ = ["HARNESSES", "claims"]

Dice = random.Random
RELATIVE = 1e-6
"""What models promise of scores: their sums are in another order than those of the graph."""
MOST = 2**13
"""Assignments that are enumerated; larger graphs are solved by `exact`."""
METHODS = ("auto", "ad3", "exact", "lp", "ilp", "junction", "two-slave")


def claims(
    what: str, certificate: Certificate, best: float, score: float, relative: float = RELATIVE
) -> None:
    """Raise `Finding` unless a certificate is true: of an answer with a score, beside the best."""
    least = relative * max(1.0, abs(best) if math.isfinite(best) else 1.0)
    text = f"{what}: {certificate}; the answer scores {score!r}, the best {best!r}"
    wrong = None
    if certificate.status is Status.INFEASIBLE:
        wrong = "INFEASIBLE is false" if best > -math.inf else None
    elif not certificate.bound >= best - least:
        wrong = "the bound is below the optimum"
    elif certificate.status is Status.UNKNOWN:
        wrong = None
    elif not abs(certificate.objective - score) <= least:
        wrong = "the objective is not the score of the answer"
    elif certificate.status is Status.OPTIMAL and not score >= best - least:
        wrong = "OPTIMAL is false"
    if wrong:
        raise Finding(f"{what}: {wrong}", text)


def _best(graph: FactorGraph) -> float:
    """Return the best score: by enumeration, or by a search that must end."""
    evidence = graph.evidence
    choices = [
        v.size if isinstance(v, Categorical) else 2
        for v in graph.whole_variables
        if isinstance(v, Categorical) or evidence[v.variable] < 0
    ]
    found = graph.solve("exhaustive" if math.prod(choices) <= MOST else "exact")
    if found.status not in (Status.OPTIMAL, Status.INFEASIBLE):
        raise Finding("exact does not end", str(found.certificate))
    return found.objective


@cache
def _model(task: str) -> Any:
    return model_class(task).from_file(ModelFile.from_bytes(trained(task)[0]))


# Parsers


def judge_parser(dice: Dice) -> None:
    """The tree of a sentence of up to four words, in any order of parts."""
    parser = _model("parser")
    every = [token for sentence in _examples("parser") for token in sentence]
    tokens = [dice.choice(every) for _ in range(dice.randint(0, 4))]
    sentence = Sentence([Token(t.form, upos=t.upos, xpos=t.xpos, feats=t.feats) for t in tokens])
    options: dict[str, Any] = {"order": dice.choice(sorted(ORDERS))}
    if dice.random() < 0.3:
        options["single_root"] = dice.random() < 0.5
    try:
        [parse] = parser.predict([sentence], **options)
    except UsageError:
        return  # an order that the parser was not trained for
    found = parser.graph(sentence, **options)
    twin = found.graph.copy()
    for (head, modifier), arc in found.arcs.items():
        twin.fix(twin[arc.variable], parse.sentence.heads[modifier - 1] == head)
    claims(f"parser {options}", parse.certificate, _best(found.graph), _best(twin), 1e-5)


@cache
def _examples(task: str) -> Sequence[Any]:
    return model_class(task).sample().examples


# Labels


def judge_labeler(dice: Dice) -> None:
    """The labels of a message of up to three words."""
    labeler = _model("entities")
    words = dice.choices(
        ["Ann", "Lee", "sleeps", "in", "Rome", "with", "zork"], k=dice.randint(0, 3)
    )
    method = dice.choice(METHODS)
    [found] = labeler.predict([words], method=method, **_limits(dice, method))
    graph = labeler.graph([words])
    states = [labeler.labels.index(label) for label in found.labels]
    _judge_states(f"labeler {method}", graph, states, found.certificate)


def judge_linker(dice: Dice) -> None:
    """The links of a thread of up to four posts."""
    linker = _model("threads")
    texts = ["any sheep ?", "any ore ?", "no ore , sorry", "i have sheep", "Dee: great !", ""]
    names = ["Ann", "Bob", "Cid", "Dee"]
    posts = [Post(dice.choice(texts), dice.choice(names)) for _ in range(dice.randint(0, 4))]
    method = dice.choice(METHODS)
    [found] = linker.predict([Thread(posts)], method=method, **_limits(dice, method))
    if len(posts) < 2:
        return
    graph = linker.graph(Thread(posts))
    links = {(link.source, link.target) for link in found.thread.links}
    pairs = [(s, t) for s in range(len(posts)) for t in range(s)]
    if len(pairs) != len(graph.categoricals):
        raise Finding("linker: other pairs", f"{pairs} {graph.categoricals}")
    states = [int(pair in links) for pair in pairs]
    _judge_states(f"linker {method}", graph, states, found.certificate)


def _judge_states(
    what: str, graph: FactorGraph, states: Sequence[int], certificate: Certificate
) -> None:
    twin = graph.copy()
    for category, state in zip(twin.categoricals, states, strict=True):
        twin.fix(category, state)  # patterns of labels may have variables besides
    claims(what, certificate, _best(graph), _best(twin))


def _limits(dice: Dice, method: str) -> dict[str, Any]:
    if method in ("lp", "ilp") or dice.random() < 0.6:
        return {}
    return {"iterations": dice.choice([0, 1, 3, 10, 100])}


# Summaries


def judge_summarizer(dice: Dice) -> None:
    """A summary of up to four sentences, whole or compressed."""
    problem = _problem(dice)
    concepts = _scores(dice, len(problem.concepts))
    cuts = _scores(dice, len(problem.source_of)) if dice.random() < 0.6 else None
    limits = {"words": dice.randint(0, 12), "sentences": dice.choice([None, None, 1, 2])}
    method = dice.choice(["ad3", "ad3", "subgradient", "lp", "ilp", "exact"])
    options: dict[str, Any] = {"improved": dice.random() < 0.7}
    if method in ("ad3", "subgradient"):
        options["iterations"] = dice.choice([0, 1, 10, 300])
    found = decode(problem, concepts, cuts, method=method, **limits, **options)
    what = f"summarizer {method}"
    if cuts is None:
        stated = extractive_graph(problem, concepts, **limits)
    else:
        stated = compressive_graph(problem, concepts, cuts, **limits)
    if broken := broken_rules(problem, found.keep, **limits):
        raise Finding(f"{what}: a summary breaks its limits", str(broken))
    score = objective_of(problem, found.keep, concepts, cuts)
    claims(what, found.certificate, _best(stated.graph), score)


def judge_compressor(dice: Dice) -> None:
    """The compression of a short sentence: a summary that has it, without concepts."""
    problem = _problem(dice, 1)
    if not problem.sources:
        return
    cuts, words = _scores(dice, len(problem.source_of)), dice.randint(0, 5)
    ((_, keep, certificate),) = best_compressions(problem, cuts, words)
    concepts = np.zeros(len(problem.concepts))
    stated = compressive_graph(problem, concepts, cuts, min(words, int(problem.words.sum())))
    stated.graph.fix(stated.graph[int(stated.source_variables[0])])
    best = _best(stated.graph)
    if best > -math.inf:  # otherwise the shortest is taken
        claims("compressor", certificate, best, objective_of(problem, keep, concepts, cuts))


def _problem(dice: Dice, most: int = 4) -> Problem:
    """Draw sentences of few words, so that concepts come twice, with trees of any shape."""
    forms = ("cat", "dog", "not", "Ann", "owl", "that", ",")
    labels = ("nsubj", "obj", "advmod", "amod", "obl", "advcl", "conj", "det", "appos")
    sources = []
    for n in range(dice.randint(1, most)):
        size = dice.randint(1, 5)
        order = dice.sample(range(size), size)
        heads = [0] * size
        for place, token in enumerate(order[1:], 1):
            heads[token] = dice.choice(order[:place]) + 1
        tokens = [
            Token(
                dice.choice(forms),
                upos=dice.choice(("NOUN", "VERB", "ADJ")),
                head=head,
                deprel=dice.choice(labels) if head else "root",
            )
            for head in heads
        ]
        sources.append(Source(n % 2, n // 2, Sentence(tokens)))
    rules = Rules.load(bold=dice.random() < 0.5)
    return Problem.of(sources, stemmer=str, stop_words=frozenset(), reduce_to=None, rules=rules)


def _scores(dice: Dice, size: int) -> npt.NDArray[np.float64]:
    """Scores of either sign, some of them 0 or the same, some huge or tiny."""
    scale = dice.choice([1.0, 1.0, 1.0, 1e-6, 1e6])
    return np.array([scale * dice.choice([0.0, 1.0, dice.uniform(-1, 2)]) for _ in range(size)])


# Trees of an inducer


def judge_inducer(dice: Dice) -> None:
    """The most likely trees of a corpus of few tags, against all of them."""
    from tests.induce.reference import best_likelihood

    tags = dice.choice(["NV", "NVD"])
    corpus = Corpus.from_tags(
        [dice.choices(tags, k=dice.randint(1, 3)) for _ in range(dice.randint(1, 3))]
    )
    smoothing = dice.choice([0.0, 0.0, 0.1, 1.0])
    relaxation = dice.choice(["chords", "chords", "mccormick"])
    found = branch_and_bound(
        corpus,
        relaxation=relaxation,
        smoothing=smoothing,
        restarts=dice.choice([1, 3]),
        relative_gap=dice.choice([1e-6, 0.1]),
        iterations=dice.choice([0, 1, 5, 30]),
        seed=dice.randrange(100),
    )
    best = best_likelihood(corpus, smoothing)
    what = f"inducer {relaxation}"
    least = RELATIVE * max(1.0, abs(best))
    score = found.counts.log_likelihood(smoothing) if found.counts is not None else -math.inf
    if found.objective > best + least:
        raise Finding(f"{what}: the objective is above the best", f"{found.certificate} {best}")
    if found.status is Status.OPTIMAL:  # up to the relative gap
        certificate = Certificate(Status.FEASIBLE, found.objective, found.bound)
        claims(what, certificate, best, score)
    else:
        claims(what, found.certificate, best, score)


def _run(judge: Callable[[Dice], None], data: bytes) -> None:
    judge(random.Random(data))


def _made(task: str | None) -> Sequence[bytes]:
    if task is not None:
        _model(task)
    return [b"input"]


HARNESSES = [
    Harness(
        f"certificates-{name}",
        partial(_made, task),
        partial(_run, judge),
        allowed=(),
        mutate=lambda dice, _corpus, _words: dice.randbytes(8),
    )
    for name, (task, judge) in {
        "parser": ("parser", judge_parser),
        "labeler": ("entities", judge_labeler),
        "linker": ("threads", judge_linker),
        "summarizer": (None, judge_summarizer),
        "compressor": (None, judge_compressor),
        "inducer": (None, judge_inducer),
    }.items()
]
