"""``treaty induce``: the best grammar of a corpus, with a proof of how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty._threads import Clock
from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._output import STOPPED, check_apart, check_output, json_line, note, write_text
from treaty.cli._progress import Display
from treaty.cli._signals import check_interrupted
from treaty.errors import OutputError, UsageError
from treaty.tasks._sources import file_format
from treaty.text import Format as FileFormat
from treaty.text import write_conllu
from treaty.text.formats import format_named

if TYPE_CHECKING:
    from treaty.induce import Corpus, Induced

__all__ = ["HELP", "induce"]

HELP = """Induce a grammar from tags, and prove how good it is.

Grammars are dependency models with valence; the objective is the log-likelihood of sentences and
trees. CORPUS is a treebank in CoNLL-U (also as .gz or .xz), whose trees are used for nothing but
the accuracy, or a file with a sentence of tags per line; - is standard input.

The method branch-and-bound searches for the best of all grammars: at any moment it has an answer
and a bound which no answer can exceed, and it stops at a relative gap of 0.01. viterbi-em and em
climb to a local optimum, without a bound.

\b
Examples:
  treaty induce tags.txt
  treaty induce train.conllu --tags coarse3 --most 20 --time-limit 60 --plot bounds.png
  treaty induce train.conllu --constraints universal --folder grammar/
  treaty induce train.conllu --checkpoint search/ --memory 4000
  treaty induce train.conllu --checkpoint search/ --resume --format json
  treaty induce train.conllu --checkpoint search/ --resume --cluster tcp://10.0.0.5:8786
  treaty induce train.conllu --method viterbi-em --restarts 1000 --smoothing 1
  treaty evaluate grammar/gold.conllu grammar/parses.conllu --undirected

Exit codes: 0 done, 2 usage, 3 bad input, 4 stopped at a limit.
"""


Method = Literal["branch-and-bound", "viterbi-em", "em"]
TAKES = {
    "branch-and-bound": (
        "restarts", "time_limit", "iterations", "memory", "checkpoint", "resume", "relaxation",
        "constraints", "relative_gap", "smoothing",
    ),
    "viterbi-em": ("restarts", "start", "time_limit", "constraints", "smoothing"),
    "em": ("start", "time_limit", "smoothing"),
}  # fmt: skip


InputFormat = Literal["conllu", "tags"]
FORMATS: dict[FileFormat, InputFormat] = {
    format_named("text"): "tags",
    format_named("conllu"): "conllu",
    format_named("conllx"): "conllu",
}


def induce(
    corpus: Annotated[str, typer.Argument(metavar="CORPUS", help="A file, or - for stdin.")],
    method: Annotated[Method, opt.METHOD] = "branch-and-bound",
    relaxation: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Of branch and bound: chords (the default), or those of Gormley & Eisner: "
            "mccormick, rlt-obj, rlt-max-1k, rlt-30%, mccormick+counts.",
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
    input_format: Annotated[InputFormat | None, opt.INPUT_FORMAT] = None,
    constraints: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A .toml of arcs that must be many, or 'universal'."),
    ] = None,
    smoothing: Annotated[
        float | None, typer.Option(min=0, metavar="L", help="Add L to every count.")
    ] = None,
    restarts: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Starts of Viterbi EM.")
    ] = None,
    start: Annotated[
        Literal["uniform", "harmonic", "random"] | None,
        typer.Option(help="viterbi-em, em: where to begin."),
    ] = None,
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    relative_gap: opt.RelativeGap = None,
    memory: Annotated[
        int | None,
        typer.Option(min=1, metavar="MB", help="For nodes of branch and bound; 1000."),
    ] = None,
    threads: opt.Threads = 1,
    seed: opt.Seed = 0,
    checkpoint: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep the search of branch and bound here.")
    ] = None,
    resume: opt.Resume = False,
    folder: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Write grammar.txt, grammar.treaty, parses.conllu (and gold.conllu) there.",
        ),
    ] = None,
    plot: opt.Plot = None,
    cluster: opt.Cluster = None,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    output: opt.Output = "-",
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty induce``; returns the exit code."""
    if resume and checkpoint is None:
        raise UsageError("--resume continues the search in a folder: give --checkpoint DIR")
    given = {
        "restarts": restarts, "start": start, "time_limit": time_limit, "iterations": iterations,
        "relative_gap": relative_gap, "memory": None if memory is None else memory * 10**6,
        "resume" if resume else "checkpoint": checkpoint,
        "relaxation": relaxation, "constraints": constraints, "smoothing": smoothing,
    }  # fmt: skip
    options = opt.chosen(**given)
    opt.check_taken(method, options, TAKES[method])
    if cluster is not None and method != "branch-and-bound":
        raise UsageError(f"--cluster goes with --method branch-and-bound, not with {method}")
    if method == "viterbi-em" and "time_limit" in options:
        options.setdefault("restarts", None)  # as many as the time allows
    _check_outputs(output, folder, plot)
    check_apart(output, corpus, constraints, tags)
    check_apart(plot, corpus, constraints, tags)
    from treaty.induce import Corpus, EdgeConstraint
    from treaty.show import induced_record, induced_text, plot_bounds

    with Clock(time_limit) as clock:
        kind, origin = file_format(corpus, input_format, FORMATS)
        read = Corpus.read(origin, tags=tags, max_length=max_length, most=most, kind=kind)
    options |= clock.limits
    constraint = None if constraints is None else EdgeConstraint.read(constraints)
    if options.pop("constraints", None):
        options["constraint"] = constraint
    options |= {"seed": seed, "threads": threads}
    if cluster is not None:
        found = _run_far(cluster, read, options, quiet)
    else:
        found = _run(method, read, options, quiet)
    check_interrupted()  # a search has ended with an answer; --checkpoint keeps it
    if folder is not None:
        _write_files(read, found, Path(folder), tags)
    if plot is not None:
        plot_bounds(found, plot, title=Path(corpus).name)
    if format == "json":
        text = json_line(induced_record(read, found, constraint))
    else:
        text = induced_text(read, found, constraint)
    write_text(output, text)
    return _verdict(found, quiet)


def _check_outputs(output: str, folder: str | None, plot: str | None) -> None:
    check_output(output)
    check_output(plot)
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        raise OutputError(folder, "it is not a directory")
    if plot is not None:
        from treaty.show import check_plot

        check_plot(plot)


def _run(method: Method, corpus: Corpus, options: dict[str, Any], quiet: bool) -> Induced:
    from treaty.induce import branch_and_bound, em, viterbi_em

    with Display(f"inducing by {method}", quiet=quiet) as display:
        if method == "em":
            return em(corpus, **options)
        if display.is_live:
            options["progress"] = display
        return (viterbi_em if method == "viterbi-em" else branch_and_bound)(corpus, **options)


def _run_far(address: str, corpus: Corpus, options: dict[str, Any], quiet: bool) -> Induced:
    """Search on a cluster."""
    from treaty.cluster import branch_and_bound

    connection = ClusterChoices(address, None, None, False).connected(quiet)
    with connection, Display("inducing by branch-and-bound", quiet=quiet) as display:
        if display.is_live:
            options["progress"] = display
        return branch_and_bound(connection, corpus, **options)


def _write_files(corpus: Corpus, found: Induced, folder: Path, tags: str) -> None:
    from treaty.induce import GrammarParser

    if found.grammar is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, error) from error
    write_text(str(folder / "grammar.txt"), found.grammar.to_text())
    if tags.endswith(".toml"):
        note("grammar.treaty is left out: a model does not refer to a file of tags")
    else:
        told = found.certificate.to_dict()
        del told["seconds"]  # the same grammar gives the same bytes
        training = {"method": found.method, "sentences": len(corpus), **told}
        GrammarParser(found.grammar, tags, {"training": training}).save(folder / "grammar.treaty")
    write_conllu(corpus.sentences(found.heads), folder / "parses.conllu")
    if corpus.heads is not None:
        write_conllu(corpus.sentences(), folder / "gold.conllu")


def _verdict(found: Induced, quiet: bool) -> int:
    local = found.method in ("viterbi-em", "em") and found.grammar is not None
    if local or found.status not in ("FEASIBLE", "UNKNOWN"):
        return 0
    if not quiet:
        gap = f"the gap is {found.relative_gap:.2%}"
        note(f"stopped at a limit: {'no trees were found' if found.grammar is None else gap}")
    return STOPPED
