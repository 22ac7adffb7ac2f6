"""``treaty evaluate``: score predictions, or a model, on gold data."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._evaluate_others import score_compressions, score_entities, score_links
from treaty.cli._evaluate_summaries import RougeChoices, score_summaries
from treaty.cli._evaluate_trees import By, TreeChoices, score_trees
from treaty.cli._options import FORMAT, INPUT_FORMAT, Format, Language, Output, Quiet, Threads
from treaty.cli._output import check_output, json_line, write_text
from treaty.cli._progress import Display
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import FileKind, KnownFile

__all__ = ["HELP", "evaluate"]

HELP = """Score trees, tags, entities, links, summaries and compressions: UAS, LAS, F1, ROUGE.

GOLD is right, SYSTEM is what somebody predicted (both also as .gz or .xz; one may be - for standard
input). Their content tells what they are: CoNLL-U or CoNLL-X; columns with labels of entities in
the last (BIO, IOB1, BIESO or BILOU); or JSON lines, of threads, of compressions, or of collections
with references in GOLD and of summaries in SYSTEM. A plain text is a summary; then GOLD is a human
one, or a folder of them. With --model instead of SYSTEM, a model predicts what GOLD has anew.

All words count and labels must be equal, unless you say otherwise: the CoNLL-2006 task scores with
--no-punctuation, the CoNLL-2018 task with --no-subtypes. Entities are counted as conlleval does,
ROUGE as ROUGE-1.5.5 does.

\b
Examples:
  treaty evaluate gold.conllu system.conllu
  treaty evaluate gold.conllu system.conllu --no-punctuation --by label --by length
  treaty evaluate gold.conllu new.conllu --against old.conllu
  treaty parse text.txt | treaty evaluate gold.conllu - --aligned --format json
  treaty evaluate gold.conllu --model english
  treaty evaluate gold.tsv system.tsv --against other.tsv
  treaty evaluate gold.jsonl linked.jsonl
  treaty evaluate humans/ summary.txt --stem
  treaty evaluate topics.jsonl summaries.jsonl --stem --words 100

Exit codes: 0 done, 2 usage, 3 bad input, 5 model file refused.
"""


class InputFormat(StrEnum):
    """What files hold."""

    CONLLU = "conllu"
    CONLLX = "conllx"
    COLUMNS = "columns"
    THREADS = "threads"
    COMPRESSIONS = "compressions"
    SUMMARIES = "summaries"
    TEXT = "text"


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="What is right.")],
    system: Annotated[
        str | None, typer.Argument(metavar="[SYSTEM]", help="What was predicted.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="A model by name ('treaty info' lists them), or its file: it predicts.",
        ),
    ] = None,
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
    language: Language = None,
    input_format: Annotated[InputFormat | None, INPUT_FORMAT] = None,
    format: Annotated[Format, FORMAT] = Format.TEXT,  # noqa: A002 - what users call it
    output: Output = "-",
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Run ``treaty evaluate``."""
    trees = TreeChoices(
        punctuation, subtypes, tuple(b.value for b in by or ()), train, aligned, undirected, quiet
    )
    rouge = RougeChoices(stem, words, jackknife, language)
    check_output(output)
    as_json = format is Format.JSON
    if model is not None:
        if system or against or trees.given or any(rouge):
            raise UsageError("--model predicts and scores as it was made to: leave out the rest")
        with Display("scoring", quiet=quiet):
            text = _score_model(model, gold, threads, as_json)
    elif system is None:
        raise UsageError("what shall be scored? give SYSTEM, a file, or --model, which predicts")
    else:
        with Display("scoring", quiet=quiet):
            text = _score_files(gold, system, against, input_format, trees, rouge, as_json)
    write_text(output, text)


def _score_model(name: str, gold: str, threads: int, as_json: bool) -> str:
    from treaty.cli._progress import score_text
    from treaty.cli._train import read_examples
    from treaty.learn import load

    loaded = load(name)
    examples = read_examples(gold, type(loaded).read)
    scores = loaded.evaluate(examples, threads=threads)
    if as_json:
        told = {"model": name, "task": loaded.task, "examples": len(examples), "scores": scores}
        return json_line(told)
    width = max(map(len, scores), default=0)
    return "".join(f"{title:<{width}}  {score_text(s)}\n" for title, s in scores.items())


def _score_files(
    gold: str,
    system: str,
    against: str | None,
    given: InputFormat | None,
    trees: TreeChoices,
    rouge: RougeChoices,
    as_json: bool,
) -> str:
    from treaty.corpus import FileKind

    if [gold, system, against, trees.train].count("-") > 1:
        raise UsageError("only one file can be standard input: give the others by name")
    right = _recognized(gold, given, is_gold=True)
    found = [_recognized(path, given) for path in (system, against) if path is not None]
    for path, other in zip((system, against), found, strict=False):
        _check_kinds(gold, right.kind, str(path), other.kind)
    of_trees = right.kind in (FileKind.CONLLU, FileKind.CONLLX)
    of_summaries = right.kind in (FileKind.COLLECTIONS, *TEXTS)
    if any(rouge) and not of_summaries:
        raise UsageError("--stem, --words, --jackknife and --language are for summaries")
    if trees.given and not of_trees:
        raise UsageError(f"{', '.join(trees.given)}: only for trees, and {gold} has none")
    if of_trees:
        return score_trees(right, found, trees, as_json=as_json)
    if of_summaries:
        return score_summaries(right, found, rouge, as_json=as_json)
    score: Callable[..., str] = {
        FileKind.COLUMNS: score_entities,
        FileKind.THREADS: score_links,
        FileKind.COMPRESSIONS: score_compressions,
    }[right.kind]
    return score(*(file.origin for file in (right, *found)), as_json=as_json)


TEXTS = ("plain text", "HTML")


def _recognized(path: str, given: InputFormat | None, *, is_gold: bool = False) -> KnownFile:
    from treaty.corpus import FileKind, KnownFile, recognize

    if given is not None:
        kinds: dict[Any, FileKind] = {
            InputFormat.SUMMARIES: FileKind.COLLECTIONS if is_gold else FileKind.SUMMARIES
        }
        return KnownFile(kinds.get(given) or FileKind[given.name], path)
    if path != "-" and Path(path).is_dir():
        return KnownFile(FileKind.TEXT, path)
    found = recognize(path)
    name = "<stdin>" if path == "-" else path
    if found.kind is FileKind.EMPTY:
        raise InputError("there is nothing in it to score", path=name)
    if found.kind is FileKind.JSON:
        raise InputError(
            "JSON, but neither threads ('posts'), collections ('documents'), summaries ('summary') "
            "nor compressions ('source_tokens' and 'keep')",
            path=name,
        )
    return found


def _check_kinds(gold: str, right: FileKind, path: str, other: FileKind) -> None:
    """Refuse files that cannot be compared."""
    from treaty.corpus import FileKind

    together = (
        {FileKind.CONLLU, FileKind.CONLLX},
        {FileKind.TEXT, FileKind.HTML},
        {FileKind.COLLECTIONS, FileKind.SUMMARIES},
    )
    names = {"-": "<stdin>"}
    if right is FileKind.SUMMARIES or (right is other is FileKind.COLLECTIONS):
        raise InputError(
            "GOLD has collections with references, and SYSTEM summaries; found "
            f"{right} in {names.get(gold, gold)}, {other} in {names.get(path, path)}"
        )
    if right is not other and not any({right, other} <= kinds for kinds in together):
        raise InputError(
            f"{names.get(gold, gold)} holds {right}, {names.get(path, path)} {other}: "
            "expected two files of the same kind"
        )
