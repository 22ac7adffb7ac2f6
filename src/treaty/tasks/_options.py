"""Fields that several requests have: one name, one meaning and one help text each."""

from __future__ import annotations

from typing import Annotated, Literal

from treaty.tasks._request import Http, Option
from treaty.tasks._sources import SENTENCE_FORMATS, SentenceFormat, over_http

__all__ = [
    "Abbreviations",
    "Confidences",
    "Encoding",
    "Field",
    "Gap",
    "IdField",
    "Iterations",
    "Language",
    "LineMeaning",
    "Lines",
    "Method",
    "Model",
    "Parser",
    "ParserOrder",
    "Rules",
    "SentenceInput",
    "Short",
    "ShowCuts",
    "Threads",
    "TimeLimit",
]

INPUT_HELP = "The format of the input; by default it is recognized by its content."
INPUT_FORMAT = Option(INPUT_HELP)


def input_format(names: tuple[str, ...]) -> Option:
    """Describe the field of the format, with these choices: over HTTP there are no archives.

    Examples
    --------
    >>> input_format(("text", "epub", "tokens")).http.choices
    ('text', 'tokens')
    """
    return Option(
        INPUT_HELP,
        http=Http(default="text", choices=over_http(names), help="The format of the text."),
    )


MODEL_HELP = "A model by name ('treaty info' lists them), or its file."
MODEL_OVER_HTTP = Http(help="The name of an installed model.")
LineMeaning = Literal["auto", "wrapped", "sentence", "paragraph"]
ParserOrder = Literal["first", "second", "second+", "third", "full", "third+"]

Model = Annotated[
    str,
    Option(MODEL_HELP, metavar="MODEL", http=MODEL_OVER_HTTP),
]
SentenceInput = Annotated[SentenceFormat | None, input_format(SENTENCE_FORMATS)]
Lines = Annotated[LineMeaning, Option("The meaning of a line of a text; auto: its layout tells.")]
Abbreviations = Annotated[
    str | None,
    Option("Words such as Mr. that do not end a sentence.", metavar="FILE", of=("command",)),
]
Encoding = Annotated[
    str | None,
    Option(
        "The encoding of texts that are not UTF-8, such as latin-1.",
        metavar="NAME",
        of=("command",),
    ),
]
Field = Annotated[
    str | None,
    Option(
        "The field with the texts of a table (CSV, TSV, JSON lines).",
        metavar="NAME", of=("command",),
    ),
]  # fmt: skip
IdField = Annotated[
    str | None,
    Option(
        "With --field: that with the names of the documents; by default id, if there is one.",
        metavar="NAME", of=("command",), flag="id",
    ),
]  # fmt: skip
Confidences = Annotated[
    bool, Option("The probability of each answer to be right, in the column MISC.")
]
Threads = Annotated[
    int, Option("Number of threads; results are identical.", least=1, metavar="N", of=("command",))
]
MethodName = Literal[
    "ad3", "subgradient", "two-slave", "naive", "lp", "ilp", "exact", "junction", "exhaustive"
]
"""The methods of `treaty.solve.METHODS`, which is costly to import."""
Method = Annotated[MethodName | None, Option("The method that finds the answer.")]
Iterations = Annotated[
    int | None, Option("Stop after N iterations or nodes.", least=0, metavar="N")
]
TimeLimit = Annotated[
    float | None,
    Option("Stop then, with the best answer so far.", least=0, metavar="SECONDS", of=("command",)),
]
Gap = Annotated[
    float | None, Option("Stop when answer and bound differ by G.", least=0, metavar="G")
]
Language = Annotated[
    str | None,
    Option("The language of the texts, such as fr.", pattern="[a-z]{2,3}", metavar="CODE"),
]
Parser = Annotated[
    str | None,
    Option("The model that parses sentences, if not the language's own.", metavar="MODEL"),
]
Short = Annotated[
    bool, Option("Cut whatever the rules do not forbid, or only what is safe.", off="safe")
]
Rules = Annotated[
    str | None,
    Option(
        "Phrases that are never cut, as TOML; see the reference.", metavar="FILE", of=("command",)
    ),
]
ShowCuts = Annotated[bool, Option("Show what was cut, and where sentences stand.", of=("command",))]
