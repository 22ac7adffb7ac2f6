"""``treaty evaluate``: score predictions, or a model, on gold data."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._output import check_apart, check_output, json_line, note, write_text
from treaty.cli._progress import Display
from treaty.cli._train import read_examples
from treaty.errors import UsageError

__all__ = ["HELP", "evaluate"]

HELP = """Score predictions, or a model, on gold data.

GOLD has the correct structures, SYSTEM the predicted ones (also as .gz or .xz; one may be - for
standard input). Their format is recognized by the content: CoNLL-U or CoNLL-X; columns with entity
labels in the last (BIO, IOB1, BIESO or BILOU); or JSON lines, of threads, of compressions, or of
collections with references in GOLD and of summaries in SYSTEM. A plain text is a summary; then GOLD
is a human one, or a folder of them. With --model instead of SYSTEM, a model makes the predictions.

Trees are scored by UAS and LAS, tags by accuracy, entities, links and compressions by F1, summaries
by ROUGE. All words count and labels must be equal, unless you say otherwise: the CoNLL-2006 task
scores with --no-punctuation, the CoNLL-2018 task with --no-subtypes. Entities are counted as
conlleval does, ROUGE as ROUGE-1.5.5 does.

\b
Examples:
  treaty evaluate gold.conllu system.conllu
  treaty evaluate gold.conllu system.conllu --no-punctuation --by label --by length
  treaty evaluate gold.conllu new.conllu --against old.conllu
  treaty parse text.txt | treaty evaluate gold.conllu - --aligned --format json
  treaty evaluate gold.conllu --model english
  treaty evaluate gold.conllu --model english --cluster local:4
  treaty evaluate gold.tsv system.tsv --against other.tsv
  treaty evaluate gold.jsonl linked.jsonl
  treaty evaluate humans/ summary.txt --stem
  treaty evaluate topics.jsonl summaries.jsonl --stem --words 100

Exit codes: 0 done, 2 usage, 3 bad input, 5 model file refused.
"""


InputFormat = Literal["conllu", "conllx", "columns", "threads", "compressions", "summaries", "text"]


class By(StrEnum):
    """What arcs can be told apart by."""

    LABEL = "label"
    LENGTH = "length"


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The correct structures.")],
    system: Annotated[
        str | None, typer.Argument(metavar="SYSTEM", help="The predicted structures.")
    ] = None,
    model: Annotated[str | None, opt.MODEL] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Another system: is the difference significant?"),
    ] = None,
    punctuation: Annotated[
        bool,
        typer.Option(
            "--punctuation/--no-punctuation", help="Whether words of punctuation alone count."
        ),
    ] = True,
    subtypes: Annotated[
        bool,
        typer.Option("--subtypes/--no-subtypes", help="Whether nsubj:pass differs from nsubj."),
    ] = True,
    by: Annotated[
        list[By] | None, typer.Option(help="Add a table of arcs by label or by length.")
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Training data: score known and unknown words apart."),
    ] = None,
    aligned: Annotated[
        bool,
        typer.Option(
            "--aligned", help="Made from raw text: other tokens, aligned as in CoNLL-2018 (F1)."
        ),
    ] = False,
    undirected: Annotated[
        bool,
        typer.Option("--undirected", help="Add accuracies with and without the arcs' directions."),
    ] = False,
    stem: Annotated[
        bool, typer.Option("--stem", help="Summaries: words with the same stem are the same.")
    ] = False,
    words: Annotated[
        int | None,
        typer.Option(metavar="N", help="Summaries: only the first words of each count."),
    ] = None,
    jackknife: Annotated[
        bool,
        typer.Option("--jackknife", help="Summaries: leave out every human in turn, on average."),
    ] = False,
    language: opt.Language = None,
    input_format: Annotated[InputFormat | None, opt.INPUT_FORMAT] = None,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    output: opt.Output = "-",
    cluster: opt.Cluster = None,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> None:
    """Run ``treaty evaluate``."""
    from treaty.show.evaluation import RougeChoices, TreeChoices, score_files

    trees = TreeChoices(
        punctuation, subtypes, tuple(b.value for b in by or ()), train, aligned, undirected
    )
    rouge = RougeChoices(stem, words, jackknife, language)
    check_output(output)
    check_apart(output, gold, system, against, train)
    as_json = format == "json"
    if model is not None:
        if system or against or trees.given or any(rouge):
            raise UsageError(
                "--model scores as its task does: leave out SYSTEM and options of scoring"
            )
        with Display("scoring", quiet=quiet):
            text = _score_model(model, gold, threads, as_json, cluster)
    elif cluster is not None:
        raise UsageError("--cluster goes with --model: what it predicts is computed there")
    elif system is None:
        raise UsageError("nothing to score: give SYSTEM, a file of predictions, or --model")
    else:
        with Display("scoring", quiet=quiet):
            paths = [gold, system, *([against] if against else [])]
            tell = _nothing if quiet else note
            text = score_files(paths, input_format, trees, rouge, as_json=as_json, tell=tell)
    write_text(output, text)


def _nothing(_: str) -> None:
    """Tell nobody."""


def _score_model(name: str, gold: str, threads: int, as_json: bool, cluster: str | None) -> str:
    from treaty.learn import load
    from treaty.show import score_text

    with ExitStack() as stack:
        if cluster is None:
            loaded = load(name)
        else:
            from treaty.cluster import connect, remote_model

            loaded = remote_model(stack.enter_context(connect(cluster)), name)
        examples = read_examples(gold, type(loaded).read)
        scores = loaded.evaluate(examples, threads=threads)
    if as_json:
        told = {"model": name, "task": loaded.task, "examples": len(examples), "scores": scores}
        return json_line(told)
    width = max(map(len, scores), default=0)
    return "".join(f"{title:<{width}}  {score_text(s)}\n" for title, s in scores.items())
