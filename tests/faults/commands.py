"""All commands that write files, on data that take them a moment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from treaty.learn import model_class
from treaty.text import write_columns, write_conllu, write_threads

__all__ = ["COMMANDS", "Command", "make_inputs"]

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = ("pipeline", "tagger", "entities", "threads", "summarizer", "sequences", "tokenizer")


class Command(NamedTuple):
    """A command: ``IN`` is the folder of its inputs, ``OUT`` that of its outputs."""

    arguments: str
    outputs: tuple[str, ...]

    def at(self, inputs: Path, outputs: Path) -> list[str]:
        """Give the arguments for these folders."""
        words = self.arguments.split()
        return [w.replace("IN/", f"{inputs}/").replace("OUT/", f"{outputs}/") for w in words]


def _commands() -> Iterator[tuple[str, Command]]:
    def command(name: str, arguments: str, *outputs: str) -> tuple[str, Command]:
        return name, Command(arguments, outputs)

    yield command("solve", "solve IN/map.uai -o OUT/a.tsv -q", "a.tsv")
    yield command("solve --trace", "solve IN/map.uai -o OUT/a --trace OUT/b.csv -q", "a", "b.csv")
    yield command("solve --plot", "solve IN/map.uai -o OUT/a --plot OUT/b.svg -q", "b.svg")
    parse = "parse IN/pipeline.conllu --model IN/pipeline.treaty -q -o OUT/"
    yield command("parse", f"{parse}a.conllu", "a.conllu")
    yield command("parse .gz", f"{parse}a.conllu.gz", "a.conllu.gz")
    yield command("parse .xz", f"{parse}a.conllu.xz", "a.conllu.xz")
    yield command("parse svg", f"{parse}a.html --format html", "a.html")
    yield command("tag", "tag IN/pipeline.conllu --model IN/tagger.treaty -q -o OUT/a", "a")
    yield command("label", "label IN/entities.tsv --model IN/entities.treaty -q -o OUT/a", "a")
    yield command("link", "link IN/threads.jsonl --model IN/threads.treaty -q -o OUT/a", "a")
    yield command(
        "summarize", "summarize IN/text.txt --model IN/summarizer.treaty -q -o OUT/a", "a"
    )
    yield command(
        "compress", "compress IN/pipeline.conllu --model IN/summarizer.treaty -q -o OUT/a", "a"
    )
    yield command("predict", "predict IN/pipeline.conllu --model IN/tagger.treaty -q -o OUT/a", "a")
    yield command("evaluate", "evaluate IN/pipeline.conllu IN/pipeline.conllu -o OUT/a", "a")
    yield command("info", "info IN/tagger.treaty -o OUT/a", "a")
    induce = "induce IN/pipeline.conllu --restarts 2 --iterations 50 -q"
    yield command("induce", f"{induce} -o OUT/a --plot OUT/b.svg", "a", "b.svg")
    yield command(
        "induce --folder",
        f"{induce} -o OUT/a --folder OUT/grammar",
        "grammar/grammar.txt", "grammar/grammar.treaty", "grammar/parses.conllu",
    )  # fmt: skip
    yield command(
        "induce --checkpoint",
        f"{induce} -o OUT/a --checkpoint OUT/search",
        "a", "search/search.state", "search/claims.json",
    )  # fmt: skip
    for name, task, more in (
        ("parser", "pipeline.conllu", "--epochs 2 --bits 8"),
        ("tagger", "pipeline.conllu", "--epochs 2"),
        ("labeler", "entities.tsv", "--epochs 2 --language-model none"),
        ("linker", "threads.jsonl", "--epochs 2"),
        ("tokenizer", "pipeline.conllu", "--set epochs=2"),
    ):
        yield command(
            f"train {name}", f"train {name} --train IN/{task} {more} -q -o OUT/m.treaty", "m.treaty"
        )


COMMANDS = dict(_commands())


def make_inputs(folder: Path) -> None:
    """Write the inputs of all commands: examples and models of every task."""
    for task in MODELS:
        model = model_class(task)
        sample = model.sample()
        model.train(sample.examples, seed=1, **sample.options).save(folder / f"{task}.treaty")
    write_conllu(model_class("pipeline").sample().examples, folder / "pipeline.conllu")
    write_columns(model_class("entities").sample().examples, folder / "entities.tsv")
    write_threads(model_class("threads").sample().examples, folder / "threads.jsonl")
    (folder / "map.uai").write_bytes((EXAMPLES / "map.uai").read_bytes())
    (folder / "text.txt").write_text("The cat sees a dog. The dog sleeps.\n\nA cat sleeps.\n")
    (folder / "topics.jsonl").write_text(
        json.dumps({"documents": ["The cat sees a dog. The dog sleeps."], "references": ["A cat."]})
    )
