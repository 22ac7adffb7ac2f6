"""Evaluating: scores of predictions, or of a model, on gold data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from treaty._json import json_line
from treaty._streams import name_of
from treaty.errors import InputError, UsageError
from treaty.tasks._options import INPUT_FORMAT, MODEL_HELP, MODEL_OVER_HTTP, Language, Threads
from treaty.tasks._request import Http, Option, Request
from treaty.tasks._sources import Source
from treaty.tasks._task import Task

if TYPE_CHECKING:
    from treaty.show.evaluation import RougeChoices, TreeChoices

__all__ = ["EvaluateRequest", "Evaluated", "Evaluating"]

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


@dataclass(frozen=True, kw_only=True)
class EvaluateRequest(Request):
    """Scores of predictions, or of a model, on gold data."""

    examples: ClassVar = ({"gold": "Ann\tB-PER\nslept\tO\n", "system": "Ann\tB-ORG\nslept\tO\n"},)
    gold: Annotated[
        str,
        Option(
            "The correct structures.",
            metavar="GOLD",
            argument=True,
            http=Http(help="The correct structures: the text of a file."),
        ),
    ]
    system: Annotated[
        str | None,
        Option(
            "The predicted structures.",
            metavar="SYSTEM",
            argument=True,
            http=Http(help="The predicted structures: the text of a file."),
        ),
    ] = None
    model: Annotated[
        str | None,
        Option(MODEL_HELP, metavar="MODEL", http=MODEL_OVER_HTTP),
    ] = None
    against: Annotated[
        str | None,
        Option(
            "Another system, to test whether the difference is significant.",
            metavar="FILE",
            http=Http(
                help="The text of another system, to test whether the difference is significant."
            ),
        ),
    ] = None
    punctuation: Annotated[
        bool, Option("Whether words of punctuation alone count.", off="no-punctuation")
    ] = True
    subtypes: Annotated[
        bool, Option("Whether nsubj:pass differs from nsubj.", off="no-subtypes")
    ] = True
    by: Annotated[
        tuple[Literal["label", "length"], ...],
        Option("Add a table of arcs by label or by length.", longest=2),
    ] = ()
    train: Annotated[
        str | None,
        Option(
            "Training data: score known and unknown words apart.",
            metavar="FILE",
            of=("command",),
        ),
    ] = None
    aligned: Annotated[
        bool, Option("Made from raw text: other tokens, aligned as in CoNLL-2018 (F1).")
    ] = False
    undirected: Annotated[bool, Option("Add accuracies with and without the arcs' directions.")] = (
        False
    )
    stem: Annotated[bool, Option("Summaries: words with the same stem are the same.")] = False
    words: Annotated[
        int | None,
        Option(
            "Summaries: only the first words of each count.", least=0, most=100_000, metavar="N"
        ),
    ] = None
    jackknife: Annotated[bool, Option("Summaries: leave out every human in turn, on average.")] = (
        False
    )
    language: Language = None
    input_format: Annotated[
        Literal["conllu", "conllx", "columns", "threads", "compressions", "summaries", "text"]
        | None,
        INPUT_FORMAT,
    ] = None
    threads: Threads = 1


@dataclass(frozen=True)
class Evaluated:
    """Scores: the text of a table, or JSON."""

    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return JSON as a record."""
        record: dict[str, Any] = json.loads(self.text)
        return record


class Evaluating(Task[EvaluateRequest]):
    """Scores predictions; its one item is what the request names."""

    name = "evaluate"
    doing = "scoring"
    asks = EvaluateRequest
    help = HELP
    formats = ("text", "json")
    streamed = formats
    has_text = False
    is_single = True

    @classmethod
    def models(cls, request: EvaluateRequest) -> list[str]:
        """List the model that is scored."""
        return [str(name) for name in request.given("model").values()]

    @classmethod
    def files(cls, request: EvaluateRequest) -> list[str]:
        """List all files that are read."""
        return [str(name) for name in request.given("gold", "system", "against", "train").values()]

    def read(self, sources: Iterable[Source]) -> Iterator[list[Source]]:
        """Return the gold data and the systems that the request names; there are no sources."""
        given = self.request.given("gold", "system", "against")
        self._check()
        files = [self.run.content(value, name) for name, value in given.items()]
        return iter(self.run.admitted([files]))

    def _check(self) -> None:
        """Raise `UsageError` if there is nothing to score, or too much."""
        request, (trees, rouge) = self.request, self._choices()
        if request.model is None:
            if request.system is None:
                raise UsageError("nothing to score: give SYSTEM, a file of predictions, or --model")
        elif request.system or request.against or trees.given or any(rouge):
            raise UsageError(
                "--model scores as its task does: leave out SYSTEM and options of scoring"
            )

    def _choices(self) -> tuple[TreeChoices, RougeChoices]:
        from treaty.show.evaluation import RougeChoices, TreeChoices

        r = self.request
        trees = TreeChoices(r.punctuation, r.subtypes, r.by, r.train, r.aligned, r.undirected)
        return trees, RougeChoices(r.stem, r.words, r.jackknife, r.language)

    def results(self, items: Iterator[list[Source]]) -> Iterator[Evaluated]:
        """Score."""
        from treaty.show.evaluation import score_files

        as_json = self.format == "json"
        for files in items:
            if self.request.model is not None:
                yield Evaluated(self._of_model(self.request.model, files[0], as_json))
                continue
            trees, rouge = self._choices()
            text = score_files(
                files, self.request.input_format, trees, rouge,
                as_json=as_json, tell=self.run.note,
            )  # fmt: skip
            yield Evaluated(text)

    def _of_model(self, name: str, gold: Source, as_json: bool) -> str:
        from treaty.learn import Model
        from treaty.show import score_text

        model = self.run.models.load(Model, name)
        examples = list(type(model).read(gold))
        if not examples:
            raise InputError("there are no examples in it", path=name_of(gold))
        scores = model.evaluate(examples, threads=self.request.threads)
        if as_json:
            return json_line(
                {"model": name, "task": model.task, "examples": len(examples), "scores": scores}
            )
        width = max(map(len, scores), default=0)
        return "".join(f"{title:<{width}}  {score_text(s)}\n" for title, s in scores.items())

    def texts(self, results: Iterator[Evaluated], format: str) -> Iterator[str]:  # noqa: A002
        """Return the tables, or the JSON."""
        return (one.text for one in results)
