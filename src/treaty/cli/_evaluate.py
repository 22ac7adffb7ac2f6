"""``treaty evaluate``: score trees, tags, entities, links and summaries."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli._evaluate_links import score_links
from treaty.cli._evaluate_summaries import RougeChoices, score_summaries
from treaty.cli._output import check_writable, note, write_text
from treaty.cli._progress import progress
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import ColumnSentence, Sentence
    from treaty.evaluate import SpanScores
    from treaty.show import Scores

__all__ = ["HELP", "evaluate"]

HELP = """Score trees, tags, entities, links and summaries: UAS, LAS, accuracies, F1, ROUGE.

GOLD and SYSTEM are CoNLL-U files with the same words (also as .gz or .xz); one may be - for
standard input. All words count and labels must be equal, unless you say otherwise: the CoNLL-2006
task scores with --no-punctuation, the CoNLL-2018 task with --no-subtypes.

Files named .tsv, .bio or .iob, or --task entities, are columns with labels of entities in the last:
BIO, IOB1, BIESO or BILOU, read as conlleval reads them. F1 is micro (over all entities) and macro
(the mean over types).

Files named .jsonl, or --task links, are threads of posts (see 'treaty threads --help').

Files named .txt, or --task summaries, are summaries: SYSTEM is one, and GOLD a human one or a
folder of them. With .jsonl, SYSTEM has lines with 'topic' and 'summary', GOLD lines with 'topic',
'documents' and 'references'. ROUGE counts as ROUGE-1.5.5 does.

\b
Examples:
  treaty evaluate gold.conllu system.conllu
  treaty evaluate gold.conllu system.conllu --no-punctuation --by label --by length
  treaty evaluate gold.conllu new.conllu --against old.conllu
  treaty parse text.txt | treaty evaluate gold.conllu - --aligned --format json
  treaty evaluate gold.tsv system.tsv --against other.tsv
  treaty evaluate gold.jsonl linked.jsonl
  treaty evaluate humans/ summary.txt --stem
  treaty evaluate topics.jsonl summaries.jsonl --task summaries --stem --words 100

Exit codes: 0 done, 2 usage, 3 bad input.
"""


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


class InputFormat(StrEnum):
    """The formats that `treaty.corpus.read_conllu` knows."""

    CONLLU = "conllu"
    CONLLX = "conllx"


class Task(StrEnum):
    """What the files hold."""

    TREES = "trees"
    ENTITIES = "entities"
    LINKS = "links"
    SUMMARIES = "summaries"


class By(StrEnum):
    """What arcs can be told apart by."""

    LABEL = "label"
    LENGTH = "length"


def evaluate(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The right trees and tags.")],
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="Those of a parser or tagger.")],
    task: Annotated[
        Task | None, typer.Option(help="What is scored; by default what the files' names say.")
    ] = None,
    punctuation: Annotated[
        bool,
        typer.Option(
            "--punctuation/--no-punctuation", help="Whether words of punctuation alone count."
        ),
    ] = True,
    subtypes: Annotated[
        bool,
        typer.Option("--subtypes/--no-subtypes", help="Whether nsubj:pass is not nsubj."),
    ] = True,
    by: Annotated[
        list[By] | None, typer.Option(help="Add a table of arcs by label or by length.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Another system: is the difference significant?"),
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
        int | None, typer.Option(help="Summaries: only the first words of each count.")
    ] = None,
    jackknife: Annotated[
        bool,
        typer.Option("--jackknife", help="Summaries: leave out every human in turn, on average."),
    ] = False,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Summaries: their language, if the file does not say."),
    ] = None,
    input_format: Annotated[InputFormat, typer.Option(help="What the files are.")] = (
        InputFormat.CONLLU
    ),
    format: Annotated[  # noqa: A002 - what users call it
        Format, typer.Option(help="text: tables in percent. json: one object, shares of 1.")
    ] = Format.TEXT,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where results go; - is stdout.")
    ] = "-",
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> None:
    """Run ``treaty evaluate``."""
    from treaty.show import scores_json, scores_text

    if [gold, system, against, train].count("-") > 1:
        raise UsageError("only one file can be standard input: give the others by name")
    if aligned and (against or train or by or undirected):
        raise UsageError("--aligned goes with none of --against, --train, --by and --undirected")
    if output != "-":
        check_writable(output)
    chosen = task or _task_of(gold, system)
    choices = RougeChoices(stem, words, jackknife, language)
    if chosen is not Task.SUMMARIES and any(choices):
        raise UsageError("--stem, --words, --jackknife and --language are for summaries")
    if chosen is not Task.TREES:
        if aligned or train or by or undirected or not (punctuation and subtypes):
            raise UsageError(f"{chosen} are scored as they are, and may be compared by --against")
        as_json = format is Format.JSON
        if chosen is Task.SUMMARIES:
            text = score_summaries(gold, system, against, choices, as_json=as_json)
        else:
            score = _entities if chosen is Task.ENTITIES else score_links
            text = score(gold, system, against, as_json=as_json)
        write_text(output, text)
        return
    with progress("scoring", quiet=quiet):
        sentences = _read(gold, input_format), _read(system, input_format)
        if aligned:
            scores = _align(*sentences, subtypes)
        else:
            known = None if train is None else _read(train, input_format)
            other = None if against is None else _read(against, input_format)
            scores = _score(*sentences, other, known, punctuation, subtypes)
            if undirected:
                scores = _with_dependencies(scores, *sentences)
    if not quiet and not aligned and scores.trees is None:
        note("the system has no heads: only tags are scored")
    text = scores_json(scores) if format is Format.JSON else scores_text(scores, by or ())
    write_text(output, text)


def _read(path: str, input_format: InputFormat) -> list[Sentence]:
    from treaty.corpus import read_conllu

    sentences = list(read_conllu(path, format=input_format.value))
    if not sentences:
        raise InputError("there are no sentences", path="<stdin>" if path == "-" else path)
    return sentences


def _task_of(*paths: str) -> Task:
    from treaty.cli._label import COLUMN_FILES

    names = [path.removesuffix(".gz").removesuffix(".xz") for path in paths]
    if any(name.endswith(".jsonl") for name in names):
        return Task.LINKS
    if any(name.endswith(".txt") for name in names):
        return Task.SUMMARIES
    return Task.ENTITIES if any(name.endswith(COLUMN_FILES) for name in names) else Task.TREES


def _entities(gold: str, system: str, against: str | None, *, as_json: bool) -> str:
    from treaty.show import spans_json, spans_text

    ours = _read_columns(gold)
    scores = _score_entities(ours, _read_columns(system), "system")
    other = _score_entities(ours, _read_columns(against), "--against") if against else None
    return (spans_json if as_json else spans_text)(scores, other)


def _read_columns(path: str) -> list[ColumnSentence]:
    from treaty.corpus import read_columns

    sentences = [sentence for sentence in read_columns(path) if len(sentence)]
    if not sentences:
        raise InputError("there are no sentences", path="<stdin>" if path == "-" else path)
    return sentences


def _score_entities(
    gold: list[ColumnSentence], system: list[ColumnSentence], name: str
) -> SpanScores:
    from treaty.evaluate import span_scores

    for number, (ours, theirs) in enumerate(zip(gold, system, strict=False), 1):
        if ours.words != theirs.words:
            raise InputError(
                f"sentence {number}: gold and {name} have other words: both must hold the same "
                "sentences",
                text=" ".join(theirs.words),
            )
    return span_scores([s.labels for s in gold], [s.labels for s in system])


def _align(gold: list[Sentence], system: list[Sentence], subtypes: bool) -> Scores:
    from treaty.evaluate import aligned_scores
    from treaty.show import Scores

    return Scores(aligned=aligned_scores(gold, system, subtypes=subtypes))


def _with_dependencies(scores: Scores, gold: list[Sentence], system: list[Sentence]) -> Scores:
    from treaty.evaluate import dependency_accuracy

    return replace(scores, dependencies=dependency_accuracy(gold, system))


def _score(
    gold: list[Sentence],
    system: list[Sentence],
    other: list[Sentence] | None,
    train: list[Sentence] | None,
    punctuation: bool,
    subtypes: bool,
) -> Scores:
    from treaty.evaluate import attachment_scores, tagging_scores
    from treaty.show import Scores

    known = None if train is None else {form for sentence in train for form in sentence.words}
    tags = tagging_scores(gold, system, known=known)
    if other is None and not any(head >= 0 for sentence in system for head in sentence.heads):
        return Scores(tags=tags)
    options = {"punctuation": punctuation, "subtypes": subtypes}
    trees = attachment_scores(gold, system, **options)
    if other is None:
        return Scores(trees=trees, tags=tags)
    try:
        against = attachment_scores(gold, other, **options)
    except InputError as error:
        raise InputError(f"--against: {error.message}") from error
    return Scores(trees=trees, tags=tags, against=against)
