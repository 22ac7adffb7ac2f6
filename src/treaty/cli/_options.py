"""The options of all commands: one name, one meaning and one help text each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer

from treaty.errors import UsageError
from treaty.text._data import parse_json
from treaty.text._lines import Fault

# What goes in and out

Sources = Annotated[
    list[str] | None,
    typer.Argument(metavar="SOURCES", help="Texts, files, or - for standard input."),
]
Output = Annotated[
    str,
    typer.Option("--output", "-o", metavar="FILE", help="Where results go; - is standard output."),
]
Results = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where results go; - is standard output, folder/ gets a file for each document.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="With -o folder/: replace files.")]
MODEL: Any = typer.Option(
    "--model", metavar="MODEL", help="A model by name ('treaty info' lists them), or its file."
)
Model = Annotated[str, MODEL]
FORMAT: Any = typer.Option("--format", help="The format of the results.")
INPUT_FORMAT: Any = typer.Option(
    "--input-format", help="The format of the input; by default it is recognized by its content."
)
Abbreviations = Annotated[
    str | None,
    typer.Option(
        "--abbreviations", metavar="FILE", help="Words such as Mr. that do not end a sentence."
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress and no notes on standard error.")
]


Format = Literal["text", "json"]
"""How most commands write results."""
TreebankFormat = Literal["conllu", "conllx"]

# How answers are found

TimeLimit = Annotated[
    float | None,
    typer.Option(
        "--time-limit", min=0, metavar="SECONDS", help="Stop then, with the best answer so far."
    ),
]
Threads = Annotated[
    int,
    typer.Option("--threads", min=1, metavar="N", help="Number of threads; results are identical."),
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="The seed of random choices.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue a run that was interrupted.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a Dask cluster: its scheduler, or local:N for N processes.",
    ),
]
RunDir = Annotated[
    str | None,
    typer.Option("--run", metavar="DIR", help="With --cluster: keep the run here, to resume it."),
]
PartLimit = Annotated[
    float | None,
    typer.Option(
        "--part-limit",
        min=0.001,
        metavar="SECONDS",
        help="With --cluster: end workers that take longer for a part of the input.",
    ),
]
Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw the course (.png, .svg, .pdf)."),
]


ParserOrder = Literal["first", "second", "second+", "third", "full", "third+"]
ThreadOrder = Literal["independent", "2d", "3-wise"]
Scheme = Literal["BIO", "BIESO", "BILOU"]
ORDER: Any = typer.Option("--order", help="Higher orders are slower and more accurate.")
SCHEME: Any = typer.Option("--scheme", help="The scheme of labels.")
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="CODE", help="The language of the texts, such as fr."),
]
Parser = Annotated[
    str | None,
    typer.Option(
        "--parser",
        metavar="MODEL",
        help="The model that parses sentences, if not the language's own.",
    ),
]

# How models are trained

TrainFile = Annotated[
    list[str],
    typer.Option("--train", metavar="FILE", help="Examples to learn from; may be repeated."),
]
DevFile = Annotated[
    str | None, typer.Option("--dev", metavar="FILE", help="Other examples to score on.")
]
Epochs = Annotated[
    int | None,
    typer.Option(
        "--epochs", min=1, metavar="N", help="How often examples are seen; by default the model's."
    ),
]
Clusters = Annotated[
    str | None, typer.Option("--clusters", metavar="FILE", help="Word clusters: path, tab, word.")
]
VectorClusters = Annotated[
    str | None,
    typer.Option("--vector-clusters", metavar="FILE", help="A second set, for the tagger."),
]
License = Annotated[
    str | None, typer.Option("--license", metavar="NAME", help="Of the data; kept in the model.")
]
FromModel = Annotated[
    str | None,
    typer.Option("--from", metavar="MODEL", help="Go on training this model, by name or file."),
]
Info = Annotated[
    list[str] | None,
    typer.Option("--info", metavar="KEY=VALUE", help="Kept in the model file; may be repeated."),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="An option of the model; may be repeated."),
]


def info_of(pairs: Iterable[str] | None, **named: str | None) -> dict[str, str]:
    """Read ``--info``, and what has an option of its own.

    Examples
    --------
    >>> info_of(["data=letters"], license="CC0", language=None)
    {'data': 'letters', 'license': 'CC0'}
    """
    return dict(_pair(pair, "--info") for pair in pairs or ()) | chosen(**named)


def settings_of(pairs: Iterable[str] | None) -> dict[str, Any]:
    """Read ``--set``: a value is what JSON takes it for, or else a string.

    Examples
    --------
    >>> settings_of(["epochs=3", "order=first", "single_root=true"])
    {'epochs': 3, 'order': 'first', 'single_root': True}
    """
    settings: dict[str, Any] = {}
    for name, text in (_pair(pair, "--set") for pair in pairs or ()):
        try:
            settings[name.replace("-", "_")] = parse_json(text)
        except Fault:
            settings[name.replace("-", "_")] = text
    return settings


def chosen(**options: Any) -> dict[str, Any]:
    """Leave out the options that were not given.

    Examples
    --------
    >>> chosen(iterations=3, gap=None)
    {'iterations': 3}
    """
    return {name: value for name, value in options.items() if value is not None}


def flag(name: str) -> str:
    """Write an option as it is given.

    Examples
    --------
    >>> flag("time_limit")
    '--time-limit'
    """
    return f"--{name.replace('_', '-')}"


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UsageError(f"{option} takes a name and a value, such as data=letters, not {text!r}")
    return name, value
