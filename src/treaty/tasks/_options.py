"""Fields that several requests have: one name, one meaning and one help text each."""

from __future__ import annotations

from typing import Annotated, Literal

from treaty.tasks._request import Option
from treaty.tasks._sources import SentenceFormat

__all__ = [
    "Abbreviations",
    "Confidences",
    "Format",
    "LineMeaning",
    "Lines",
    "Model",
    "ParserOrder",
    "SentenceInput",
    "Threads",
]

INPUT_FORMAT = Option("The format of the input; by default it is recognized by its content.")
Format = Option("The format of the results.", of=("command",))
LineMeaning = Literal["auto", "wrapped", "sentence", "paragraph"]
ParserOrder = Literal["first", "second", "second+", "third", "full", "third+"]

Model = Annotated[
    str, Option("A model by name ('treaty info' lists them), or its file.", metavar="MODEL")
]
SentenceInput = Annotated[SentenceFormat | None, INPUT_FORMAT]
Lines = Annotated[LineMeaning, Option("The meaning of a line of a text; auto: its layout tells.")]
Abbreviations = Annotated[
    str | None,
    Option("Words such as Mr. that do not end a sentence.", metavar="FILE", of=("command",)),
]
Confidences = Annotated[
    bool, Option("The probability of each answer to be right, in the column MISC.")
]
Threads = Annotated[
    int, Option("Number of threads; results are identical.", least=1, metavar="N", of=("command",))
]
