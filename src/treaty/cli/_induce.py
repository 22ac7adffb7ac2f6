"""``treaty induce``: the best grammar of a corpus, with a proof of how good it is."""

from __future__ import annotations

import json
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, note, write_text
from treaty.cli._progress import status_line
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.induce import Corpus, EdgeConstraint, Induced
    from treaty.progress import Progress

__all__ = ["HELP", "induce"]

STOPPED = 4
HELP = """Induce a dependency grammar from tag sequences, and prove how good it is.

CORPUS is a treebank in CoNLL-U (.conllu, also as .gz or .xz), whose trees are used for nothing but
the accuracy, or a file with a sentence of tags per line; - is standard input. Grammars are
dependency models with valence; the objective is the log-likelihood of sentences and trees.

--method bnb searches for the best of all grammars: at any moment it has an answer and a bound
which no answer can exceed. viterbi-em and em climb to a local optimum, without a bound.

\b
Examples:
  treaty induce tags.txt
  treaty induce train.conllu --tags coarse3 --most 20 --time-limit 60 --plot bounds.png
  treaty induce train.conllu --constraints universal --to grammar/
  treaty induce train.conllu --checkpoint search/ --memory 4000
  treaty induce train.conllu --resume search/ --format json
  treaty induce train.conllu --method viterbi-em --restarts 1000 --smoothing 1
  treaty evaluate grammar/gold.conllu grammar/parses.conllu --undirected

Exit codes: 0 done, 2 usage, 3 bad input, 4 stopped at a limit.
"""


class Method(StrEnum):
    """How a grammar is found."""

    BNB = "bnb"
    VITERBI_EM = "viterbi-em"
    EM = "em"


class Begin(StrEnum):
    """Where local search begins."""

    UNIFORM = "uniform"
    HARMONIC = "harmonic"
    RANDOM = "random"


class Input(StrEnum):
    """What the corpus is."""

    CONLLU = "conllu"
    TAGS = "tags"


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


def induce(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A file, or - for stdin.")],
    method: Annotated[
        Method, typer.Option(help="bnb: branch and bound. viterbi-em, em: local search.")
    ] = Method.BNB,
    relaxation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="bnb: chords (the default), or those of Gormley & Eisner: mccormick, rlt-obj, "
            "rlt-max-1k, rlt-30%.",
        ),
    ] = None,
    tags: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="CoNLL-U: upos, xpos, universal (of Penn tags), coarse3, coarse4 or a .toml file.",
        ),
    ] = "upos",
    max_length: Annotated[
        int, typer.Option(min=1, metavar="N", help="Leave out longer sentences.")
    ] = 10,
    most: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Take only the first N sentences.")
    ] = None,
    input: Annotated[  # noqa: A002 - what users call it
        Input | None, typer.Option(help="What CORPUS is; by default its name tells.")
    ] = None,
    constraints: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A .toml of arcs that must be many, or 'universal'."),
    ] = None,
    relative_gap: Annotated[
        float | None,
        typer.Option(min=0, metavar="E", help="bnb: done at this relative gap; 0.01."),
    ] = None,
    smoothing: Annotated[
        float, typer.Option(min=0, metavar="L", help="Add L to every count.")
    ] = 0.0,
    restarts: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Starts of Viterbi EM.")
    ] = None,
    start: Annotated[Begin | None, typer.Option(help="viterbi-em, em: where to begin.")] = None,
    time_limit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="Stop after so many seconds.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="bnb: stop after so many nodes.")
    ] = None,
    memory: Annotated[
        int | None, typer.Option(min=1, metavar="MB", help="bnb: for open nodes; 1000.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, metavar="N", help="How many to use.")] = 1,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of all random choices.")] = 0,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="DIR", help="bnb: keep the search here.")
    ] = None,
    resume: Annotated[
        str | None, typer.Option(metavar="DIR", help="bnb: go on with the search kept there.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="DIR",
            help="Write grammar.txt, grammar.treaty, parses.conllu (and gold.conllu) there.",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw answer and bound over time (.png, .svg, .pdf)."),
    ] = None,
    format: Annotated[  # noqa: A002 - what users call it
        Format, typer.Option(help="text: certificate, then the grammar. json: one object.")
    ] = Format.TEXT,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> int:
    """Run ``treaty induce``; returns the exit code."""
    from treaty.induce import Corpus, EdgeConstraint

    given = {
        "restarts": restarts, "start": start, "time_limit": time_limit, "iterations": iterations,
        "memory": None if memory is None else memory * 10**6,
        "checkpoint": checkpoint, "resume": resume,
        "relaxation": relaxation, "constraint": constraints, "relative_gap": relative_gap,
        "smoothing": smoothing or None,
    }  # fmt: skip
    options = _options(method, {name: value for name, value in given.items() if value is not None})
    _check_outputs(to, plot)
    read = Corpus.read(
        corpus, tags=tags, max_length=max_length, most=most, kind=input and input.value
    )
    if constraints is not None:
        options["constraint"] = EdgeConstraint.read(constraints)
    found = _run(method, read, {**options, "seed": seed, "threads": threads}, quiet)
    if to is not None:
        _write_files(read, found, Path(to))
    if plot is not None:
        _plot(found, plot, Path(corpus).name)
    record = _record(read, found, options.get("constraint"))
    text = json.dumps(record) + "\n" if format is Format.JSON else _text(record, found)
    write_text("-", text)
    return _verdict(found, quiet)


TAKES = {
    Method.BNB: {
        "restarts", "time_limit", "iterations", "memory", "checkpoint", "resume", "relaxation",
        "constraint", "relative_gap", "smoothing",
    },
    Method.VITERBI_EM: {"restarts", "start", "time_limit", "constraint", "smoothing"},
    Method.EM: {"start", "time_limit", "smoothing"},
}  # fmt: skip


def _options(method: Method, given: dict[str, Any]) -> dict[str, Any]:
    """Refuse what a method would not look at."""
    for name in given:
        if name not in TAKES[method]:
            flag = "constraints" if name == "constraint" else name.replace("_", "-")
            raise UsageError(f"--{flag} does not go with --method {method}")
    if method is Method.VITERBI_EM and "time_limit" in given:
        given.setdefault("restarts", None)  # as many as the time allows
    return given


def _check_outputs(to: str | None, plot: str | None) -> None:
    if to is not None and Path(to).exists() and not Path(to).is_dir():
        raise UsageError(f"cannot write to {to}: it is no directory")
    if plot is not None:
        from treaty.show import check_plot

        check_writable(plot)
        check_plot(plot)


def _run(method: Method, corpus: Corpus, options: dict[str, Any], quiet: bool) -> Induced:
    from treaty.induce import branch_and_bound, em, viterbi_em

    with status_line(f"inducing by {method}", quiet=quiet) as update:
        if method is Method.EM:
            return em(corpus, **options)
        if method is Method.VITERBI_EM:
            return viterbi_em(corpus, **options)
        if update:
            options["progress"] = lambda progress: update(_describe(progress))
        return branch_and_bound(corpus, **options)


def _describe(progress: Progress) -> str:
    scores, speed = progress.scores, progress.done / max(progress.seconds, 1e-9)
    return (
        f"log-likelihood {scores['objective']:.3f}, bound {scores['bound']:.3f}, "
        f"gap {100 * scores['relative_gap']:.2f} %, {scores['open_nodes']:.0f} open, "
        f"{speed:.0f} nodes/s"
    )


def _write_files(corpus: Corpus, found: Induced, folder: Path) -> None:
    from treaty.corpus import write_conllu

    if found.grammar is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error
    write_text(str(folder / "grammar.txt"), found.grammar.to_text())
    header = {"objective": found.objective, "bound": _finite(found.bound), "method": found.method}
    found.grammar.save(folder / "grammar.treaty", **header)
    write_conllu(corpus.sentences(found.heads), folder / "parses.conllu")
    if corpus.heads is not None:
        write_conllu(corpus.sentences(), folder / "gold.conllu")


def _plot(found: Induced, path: str, title: str) -> None:
    from treaty.show import plot_bounds

    plot_bounds(found, path, title=title)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _record(corpus: Corpus, found: Induced, constraint: EdgeConstraint | None) -> dict[str, Any]:
    """Put the result as JSON has it; what there is not is null."""
    from treaty.evaluate import dependency_accuracy

    record: dict[str, Any] = {
        "status": found.status.value,
        "objective": _finite(found.objective),
        "bound": _finite(found.bound),
        "gap": _finite(found.relative_gap),
        "nodes": found.iterations,
        "open_nodes": found.open_nodes,
        "seconds": found.seconds,
        "method": found.method,
        "sentences": len(corpus),
        "tokens": len(corpus.tokens),
        "tags": list(corpus.tags),
    }
    if corpus.heads is not None and found.grammar is not None:
        scores = dependency_accuracy(corpus.sentences(), corpus.sentences(found.heads))
        record["accuracy"] = scores.directed.value
        record["undirected"] = scores.undirected.value
    if constraint is not None and found.counts is not None:
        record["constraint_met"] = constraint.met(found.counts, corpus.tags)
    return record


def _text(record: dict[str, Any], found: Induced) -> str:
    shown = {name: " ".join(v) if isinstance(v, list) else v for name, v in record.items()}
    lines = [f"# {name}\t{_value(value)}\n" for name, value in shown.items()]
    return "".join(lines) + ("" if found.grammar is None else _rules(found))


def _value(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "-" if value is None else str(value)


def _rules(found: Induced) -> str:
    assert found.grammar is not None
    rules = found.grammar.rules()
    return "".join(f"{' '.join(names)}\t{p:.4g}\n" for names, p in rules if p > 0)


def _verdict(found: Induced, quiet: bool) -> int:
    if found.method in ("viterbi-em", "em") and found.grammar is not None:
        return 0
    if found.status not in ("FEASIBLE", "UNKNOWN"):
        return 0
    if not quiet:
        left = "no trees were found" if found.grammar is None else f"gap {found.relative_gap:.2%}"
        note(f"stopped at a limit: {left}")
    return STOPPED
