"""Speed, memory and model size of the parsers, beside the peers that are installed.

    python -m research.benchmarks.parsing                              # models of a short training
    python -m research.benchmarks.parsing FILE --models first.model third.model
    # memory of training on all of EWT
    python -m research.benchmarks.parsing --train-sentences 12544

FILE is CoNLL-U with gold tags. Each line is a process of its own on one thread: CPU seconds are its
user and system time from start to end, so that the interpreter, the imports, loading the model,
reading and writing are in them; "without loading" leaves out what comes before the model is there.
Peak memory is that of the whole process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from research.benchmarks._process import FailedError, run_python
from research.report import ROOT, Run, append_run, say
from research.report.tables.parsing import processes

EWT = ROOT.parent / "shared" / "data" / "treebanks" / "english-ewt"
CHILD = Path(__file__).with_name("_parsing_child.py")
ORDERS = ("first", "second", "third")


def main() -> None:
    """Measure and print."""
    options = _options()
    runs, notes = [], []
    with tempfile.TemporaryDirectory() as folder:
        models = options.models or [Path(folder) / f"{order}.model" for order in ORDERS]
        jobs = [] if options.models else list(_training(models, options))
        jobs += [(f"treaty, {m.stem}", [str(CHILD), "treaty", m, options.file], m) for m in models]
        jobs += [*_embedded(options.file, notes), *_peers(options, notes)]
        for name, command, model in jobs:
            say(name)
            repeat = 1 if name.startswith("training") else options.repeat
            try:
                runs.append(append_run(options.out, measure(name, command, model, repeat)))
            except FailedError as error:
                notes.append(f"{name} failed: {error}")
    if not options.models:
        notes.append(
            f"models of one epoch on {options.train_sentences} sentences: "
            "sizes and speeds are those of a trial; give --models for real ones"
        )
    print(processes(runs))
    for note in notes:
        say(note)


def measure(name: str, command: list[object], model: Path | None, repeat: int) -> Run:
    """Run a command of this Python a few times; the run with the least CPU time counts."""
    found = (_run(name, command, model) for _ in range(repeat))
    return {**min(found, key=lambda run: run["seconds"]), "repeated": repeat}


def _run(name: str, command: list[object], model: Path | None) -> Run:
    """Run a command once."""
    done = run_python(*command)
    output = done.output
    said = json.loads(output.splitlines()[-1]) if output.startswith("{") else _count(output)
    words, loaded = said["words"], said["loaded"]
    return {
        "run": name,
        "words": words,
        "seconds": done.seconds,
        "seconds to load": loaded or None,
        "tokens per second": words / done.seconds,
        "tokens per second without loading": words / (done.seconds - loaded) if loaded else None,
        "megabytes": done.megabytes,
        "model bytes": None if model is None else model.stat().st_size,
    }


def _count(conllu: str) -> dict[str, float]:
    """A command that prints trees does not say how many words they have."""
    words = sum(line.partition("\t")[0].isdigit() for line in conllu.splitlines())
    return {"words": words, "loaded": 0.0}


Job = tuple[str, list[object], Path | None]


def _training(models: list[Path], options: argparse.Namespace) -> Iterator[Job]:
    for order, model in zip(ORDERS, models, strict=True):
        count = options.train_sentences
        name = f"training, {order}, one epoch on {count} sentences"
        yield name, [CHILD, "train", order, options.train, count, model], model


def _embedded(file: Path, notes: list[str]) -> Iterator[Job]:
    """The model in the package, by the command that uses it; it tags before it parses."""
    command = ["-m", "treaty", "parse"]
    help_of = subprocess.run([sys.executable, *command, "--help"], capture_output=True)
    if help_of.returncode != 0:
        notes.append("the embedded model is left out: there is no command treaty parse")
        return
    arguments = ["--format", "conllu", "--threads", "1", file]
    yield "treaty parse, embedded model", [*command, *arguments], None


def _peers(options: argparse.Namespace, notes: list[str]) -> Iterator[Job]:
    """Other parsers, where they and a model of theirs are installed."""
    if importlib.util.find_spec("ufal") is None:
        notes.append("UDPipe is left out: ufal.udpipe is not installed")
    elif options.udpipe is None:
        notes.append("UDPipe is left out: it has no models of its own; give --udpipe MODEL")
    else:
        yield "udpipe", [CHILD, "udpipe", options.udpipe, options.file], options.udpipe
    if importlib.util.find_spec("spacy") is None:
        notes.append("spaCy is left out: spacy is not installed")
        return
    listing = "import spacy.util; print(*spacy.util.get_installed_models())"
    found = subprocess.run([sys.executable, "-c", listing], capture_output=True, text=True)
    if not found.stdout.split():
        notes.append("spaCy is left out: none of its models is installed")
    for model in found.stdout.split():
        yield f"spacy, {model}", [CHILD, "spacy", model, options.file], None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("file", type=Path, nargs="?", help="CoNLL-U to parse; EWT's dev by default")
    add("--models", type=Path, nargs="+", metavar="FILE", help="parsers of Treaty")
    add("--train", type=Path, metavar="FILE", help="a treebank for the short training; EWT's train")
    add("--train-sentences", type=int, default=1000, metavar="N", help="its first sentences")
    add("--udpipe", type=Path, metavar="MODEL", help="a model of UDPipe")
    add("--repeat", type=int, default=3, help="runs of each process; the fastest counts")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args()
    options.file = options.file or _default_file()
    treebank = EWT / "train.conllu.xz"
    options.train = options.train or (treebank if treebank.exists() else options.file)
    return options


def _default_file() -> Path:
    candidates = [EWT / "dev.conllu", *sorted((ROOT / "examples").glob("*.conllu"))]
    found = next((path for path in candidates if path.exists()), None)
    if found is None:
        sys.exit(f"there is no {EWT}: give a CoNLL-U file to parse")
    return found


if __name__ == "__main__":
    main()
