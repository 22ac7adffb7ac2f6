"""Inducing: the best grammar of a corpus, with a proof of how good it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from treaty._json import json_line
from treaty.tasks._options import INPUT_HELP, Iterations, Threads, TimeLimit
from treaty.tasks._request import Http, Option, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import Source, file_format
from treaty.tasks._task import Task
from treaty.text import Format as FileFormat
from treaty.text.formats import format_named

if TYPE_CHECKING:
    from treaty.induce import Corpus, EdgeConstraint, Induced

__all__ = ["TAKES", "InduceRequest", "InducedGrammar", "Inducing"]

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
TAKES = {
    "branch-and-bound": (
        "restarts", "time_limit", "iterations", "memory", "checkpoint", "resume", "relaxation",
        "constraints", "relative_gap", "smoothing",
    ),
    "viterbi-em": ("restarts", "start", "time_limit", "constraints", "smoothing"),
    "em": ("start", "time_limit", "smoothing"),
}  # fmt: skip
"""The options of each method."""
OF_METHODS = (
    "relaxation", "constraints", "smoothing", "restarts", "start", "iterations", "time_limit",
    "relative_gap", "memory",
)  # fmt: skip
TAGSETS = ("upos", "xpos", "universal", "coarse3", "coarse4")
"""Those that are no files."""
FORMATS: dict[FileFormat, str] = {
    format_named("text"): "tags",
    format_named("conllu"): "conllu",
    format_named("conllx"): "conllu",
}


@dataclass(frozen=True, kw_only=True)
class InduceRequest(Request):
    """The grammar under which sentences of tags are most probable."""

    examples: ClassVar = ({"text": "Det Noun Verb\nNoun Verb Noun\nVerb Det Noun\n"},)
    method: Annotated[
        Literal["branch-and-bound", "viterbi-em", "em"], Option("The method that finds the answer.")
    ] = "branch-and-bound"
    relaxation: Annotated[
        str | None,
        Option(
            "Of branch and bound: chords (the default), or those of Gormley & Eisner: "
            "mccormick, rlt-obj, rlt-max-1k, rlt-30%, mccormick+counts.",
            metavar="NAME",
            of=("command",),
        ),
    ] = None
    tags: Annotated[
        str,
        Option(
            "CoNLL-U: upos, xpos, universal (of Penn tags), coarse3, coarse4 or a .toml file.",
            metavar="NAME",
            http=Http(choices=TAGSETS, help="CoNLL-U: the tags; universal is made of Penn tags."),
        ),
    ] = "upos"
    max_length: Annotated[
        int, Option("Leave out longer sentences.", least=1, metavar="N", http=Http(most=100))
    ] = 10
    most: Annotated[
        int | None, Option("Take only the first N sentences.", least=1, metavar="N")
    ] = None
    input_format: Annotated[
        Literal["conllu", "tags"] | None,
        Option(INPUT_HELP, http=Http(default="tags", help="The format of the text.")),
    ] = None
    constraints: Annotated[
        str | None,
        Option(
            "A .toml of arcs that must be many, or 'universal'.", metavar="FILE", of=("command",)
        ),
    ] = None
    smoothing: Annotated[float | None, Option("Add L to every count.", least=0, metavar="L")] = None
    restarts: Annotated[int | None, Option("Starts of Viterbi EM.", least=1, metavar="N")] = None
    start: Annotated[
        Literal["uniform", "harmonic", "random"] | None,
        Option("viterbi-em, em: where to begin."),
    ] = None
    iterations: Iterations = None
    time_limit: TimeLimit = None
    relative_gap: Annotated[
        float | None, Option("Stop at a gap of this share of the answer.", least=0, metavar="G")
    ] = None
    memory: Annotated[
        int | None,
        Option("For nodes of branch and bound; 1000.", least=1, metavar="MB", of=("command",)),
    ] = None
    threads: Threads = 1
    seed: Annotated[
        int, Option("The seed of random choices.", least=0, most=2**64 - 1, metavar="N")
    ] = 0
    trees: Annotated[bool, Option("Whether to add trees and rules.", of=("http",))] = False


@dataclass(frozen=True)
class InducedGrammar:
    """A grammar, and the corpus that it was induced from."""

    corpus: Corpus
    induced: Induced
    constraint: EdgeConstraint | None = None
    has_trees: bool = False
    """Whether JSON has the trees and rules."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        from treaty.show import induced_record

        record = induced_record(self.corpus, self.induced, self.constraint)
        grammar = self.induced.grammar
        if self.has_trees and grammar is not None:
            record["rules"] = [[*names, round(p, 6)] for names, p in grammar.rules() if p > 0]
            record["trees"] = [
                {"tags": [t.upos if t.upos != "_" else t.form for t in s.tokens], "heads": s.heads}
                for s in self.corpus.sentences(self.induced.heads)
            ]
        return record


class Inducing(Task[InduceRequest]):
    """Induces grammars."""

    name = "induce"
    doing = "inducing"
    asks = InduceRequest
    help = HELP
    formats = ("text", "json")
    streamed = formats
    is_single = True
    reports = True

    def __init__(self, request: InduceRequest, run: Run) -> None:
        import treaty.induce  # noqa: F401 - takes time that is not the search's

        super().__init__(request, run)
        self.options: dict[str, Any] = request.given(*OF_METHODS)
        run.check_taken(request.method, self.options, TAKES[request.method])
        self.constraint: EdgeConstraint | None = None
        if "memory" in self.options:
            self.options["memory"] *= 10**6
        if request.method == "viterbi-em" and "time_limit" in self.options:
            self.options.setdefault("restarts", None)  # as many as the time allows
        self.options |= {"seed": request.seed, "threads": request.threads}

    @classmethod
    def models(cls, request: InduceRequest) -> list[str]:
        """There are none."""
        return []

    @classmethod
    def files(cls, request: InduceRequest) -> list[str]:
        """List the files of tags and constraints."""
        return [str(name) for name in request.given("constraints", "tags").values()]

    def read(self, sources: Iterable[Source]) -> Iterator[Corpus]:
        """Read a corpus from each source, and the constraints."""
        from treaty.induce import Corpus, EdgeConstraint

        request = self.request
        if self.options.pop("constraints", None) is not None:
            self.constraint = EdgeConstraint.read(str(request.constraints))
            self.options["constraint"] = self.constraint

        def corpora() -> Iterator[Corpus]:
            for source in sources:
                kind, origin = file_format(source, request.input_format, FORMATS)
                yield Corpus.read(
                    origin,
                    tags=request.tags,
                    max_length=request.max_length,
                    most=request.most,
                    kind=kind,
                )

        return iter(self.run.admitted(corpora()))

    def results(self, items: Iterator[Corpus]) -> Iterator[InducedGrammar]:
        """Induce grammars."""
        for corpus in items:
            induced = self.search(corpus, **self.run.limits())
            yield InducedGrammar(corpus, induced, self.constraint, self.request.trees)

    def search(self, corpus: Corpus, **options: Any) -> Induced:
        """Search for the best grammar of a corpus, with more options of the method."""
        from treaty.induce import branch_and_bound, em, viterbi_em

        options = {**self.options, **options}
        if self.request.method == "em":
            return em(corpus, **options)
        if self.run.progress is not None:
            options["progress"] = self.run.progress
        method: Callable[..., Induced] = (
            viterbi_em if self.request.method == "viterbi-em" else branch_and_bound
        )
        return method(corpus, **options)

    def texts(self, results: Iterator[InducedGrammar], format: str) -> Iterator[str]:  # noqa: A002
        """Write results as text or JSON."""
        from treaty.show import induced_text

        for one in results:
            if format == "json":
                yield json_line(one)
            else:
                yield induced_text(one.corpus, one.induced, one.constraint)
