"""``treaty induce``: the best grammar of a corpus, with a proof of how good it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty._threads import Clock
from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import STOPPED, check_apart, check_output, note, write_text
from treaty.cli._progress import Display
from treaty.cli._signals import check_interrupted
from treaty.cli._task import formats_of, made_of
from treaty.errors import OutputError, UsageError
from treaty.tasks import InduceRequest
from treaty.tasks._induce import HELP, TAKES, InducedGrammar, Inducing
from treaty.text import write_conllu

if TYPE_CHECKING:
    from treaty.induce import Corpus, Induced

__all__ = ["HELP", "induce"]

OPTIONS = {
    "corpus": (
        Annotated[str, typer.Argument(metavar="CORPUS", help="A file, or - for stdin.")],
        ...,
    ),
    "checkpoint": (
        Annotated[
            str | None,
            typer.Option(metavar="DIR", help="Keep the search of branch and bound here."),
        ],
        None,
    ),
    "resume": (opt.Resume, False),
    "folder": (
        Annotated[
            str | None,
            typer.Option(
                metavar="DIR",
                help="Write grammar.txt, grammar.treaty, parses.conllu (and gold.conllu) there.",
            ),
        ],
        None,
    ),
    "plot": (opt.Plot, None),
    "cluster": (opt.Cluster, None),
    "format": formats_of(Inducing),
    "output": (opt.Output, "-"),
    "quiet": (opt.Quiet, False),
}


def _run(
    request: InduceRequest,
    corpus: str,
    checkpoint: str | None,
    resume: bool,
    folder: str | None,
    plot: str | None,
    cluster: str | None,
    format: str,
    output: str,
    quiet: bool,
) -> int:
    """Run ``treaty induce``; returns the exit code."""
    if resume and checkpoint is None:
        raise UsageError("--resume continues the search in a folder: give --checkpoint DIR")
    job = Job("induce", "inducing", output, quiet)
    kept = opt.chosen(**{"resume" if resume else "checkpoint": checkpoint})
    job.check_taken(request.method, kept, TAKES[request.method])
    task = Inducing(request, job)
    if cluster is not None and request.method != "branch-and-bound":
        raise UsageError(
            f"--cluster goes with --method branch-and-bound, not with {request.method}"
        )
    _check_outputs(folder, plot)
    check_apart(output, corpus, *task.files(request))
    check_apart(plot, corpus, *task.files(request))
    with Clock(request.time_limit) as clock:
        read = next(task.read([corpus]))
    options = kept | clock.limits
    if cluster is not None:
        induced = _searched_far(cluster, read, task.options | options, quiet)
    else:
        with Display(f"inducing by {request.method}", quiet=quiet) as display:
            if display.is_live:
                job.progress = display
            induced = task.search(read, **options)
    check_interrupted()  # a search has ended with an answer; --checkpoint keeps it
    if folder is not None:
        _write_files(read, induced, Path(folder), request.tags)
    if plot is not None:
        from treaty.show import plot_bounds

        plot_bounds(induced, plot, title=Path(corpus).name)
    result = InducedGrammar(read, induced, task.constraint)
    write_text(output, "".join(task.texts(iter([result]), format)))
    return _verdict(induced, quiet)


induce = made_of(Inducing, OPTIONS, _run)


def _check_outputs(folder: str | None, plot: str | None) -> None:
    check_output(plot)
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        raise OutputError(folder, "it is not a directory")
    if plot is not None:
        from treaty.show import check_plot

        check_plot(plot)


def _searched_far(address: str, corpus: Corpus, options: dict[str, Any], quiet: bool) -> Induced:
    """Search on a cluster."""
    from treaty.cluster import branch_and_bound

    connection = ClusterChoices(address, None, None, False).connected(quiet)
    with connection, Display("inducing by branch-and-bound", quiet=quiet) as display:
        if display.is_live:
            options["progress"] = display
        return branch_and_bound(connection, corpus, **options)


def _write_files(corpus: Corpus, induced: Induced, folder: Path, tags: str) -> None:
    from treaty.induce import GrammarParser

    if induced.grammar is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, error) from error
    write_text(str(folder / "grammar.txt"), induced.grammar.to_text())
    if tags.endswith(".toml"):
        note("grammar.treaty is left out: a model does not refer to a file of tags")
    else:
        certificate = induced.certificate.to_dict()
        del certificate["seconds"]  # the same grammar gives the same bytes
        training = {"method": induced.method, "sentences": len(corpus), **certificate}
        GrammarParser(induced.grammar, tags, {"training": training}).save(folder / "grammar.treaty")
    write_conllu(corpus.sentences(induced.heads), folder / "parses.conllu")
    if corpus.heads is not None:
        write_conllu(corpus.sentences(), folder / "gold.conllu")


def _verdict(induced: Induced, quiet: bool) -> int:
    local = induced.method in ("viterbi-em", "em") and induced.grammar is not None
    if local or induced.status not in ("FEASIBLE", "UNKNOWN"):
        return 0
    if not quiet:
        gap = f"the gap is {induced.relative_gap:.2%}"
        note(f"stopped at a limit: {'no trees were found' if induced.grammar is None else gap}")
    return STOPPED
