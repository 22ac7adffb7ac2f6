"""The treebanks of the data folder: where their sentences are, and what their splits are worth."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from research.report import ROOT
from treaty.parse import Settings, Tagger, jackknife
from treaty.text import Sentence, read_conllu

DATA = ROOT.parent / "shared" / "data" / "treebanks"

# What MANIFEST.md of the data folder says of splits that are not those of a release.
NOTES = {
    "arabic-padt-small": "train and dev are the official dev",
    "czech-mix": "a mixture; dev and test are CAC's",
    "danish-ddt": "CoNLL-2006 test documents, annotation corrected since; trained on train and dev",
    "dutch-lassysmall-v2-small": "train and dev are the official dev",
    "german-mix": "trained on LIT and PUD, tested on GSD: out of domain",
    "ptb-sample": "sentences in file order: first 80 % train, next 10 % dev, last 10 % test",
    "slovenian-ssj-small": "train and dev are the official dev",
    "spanish-ancora-small": "train and dev are the official dev",
    "spanish-cast3lb": "the CoNLL-2006 split",
    "swedish-talbanken-v0": "a pre-release of UD 1.0",
}
COLUMNS, FOLDS = ("upos", "xpos", "feats"), 10  # of taggers
SPANISH_TEST = 206  # sentences of CoNLL-2006 at the head of the test file of 2007


@dataclass(frozen=True)
class Treebank:
    """Three lists of sentences; dev may be empty."""

    name: str
    train: list[Sentence]
    dev: list[Sentence]
    test: list[Sentence]
    note: str = field(default="")
    tagged: list[Sentence] = field(default_factory=list)  # test, with tags that are not gold

    @property
    def is_official(self) -> bool:
        """Whether the split is that of a UD release."""
        return self.name not in NOTES


def options_of(
    about: str | None, treebanks: Sequence[str] | None, orders: Sequence[str], epochs: int
) -> argparse.ArgumentParser:
    """Make the options that all scripts have that train parsers on treebanks."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    add = parser.add_argument
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="the treebanks")
    add("--treebanks", type=names, default=treebanks, metavar="NAMES", help="some of them")
    add("--orders", type=_orders, default=list(orders), metavar="NAMES", help=", ".join(orders))
    add("--epochs", type=int, default=epochs)
    add("--seed", type=int, default=1)
    add("--out", type=Path, required=True, metavar="FILE", help="runs as JSON lines")
    return parser


def names(text: str) -> list[str]:
    """Split a list of names on a command line."""
    return text.split(",")


def _orders(text: str) -> list[str]:
    for order in names(text):
        Settings(order=order)  # refuses what is no order, before hours are spent
    return names(text)


def treebank_names(folder: Path) -> list[str]:
    """Every treebank that has something to train on."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.is_dir() and (_find(path, "train") or _find(path, "all"))
    )


def read_treebank(folder: Path, name: str, *, shared_task: bool = True) -> Treebank:
    """Read a treebank and split it as the CoNLL-2006 shared task did, where it had a part in it.

    Without `shared_task`, all parts are as they are in the folder.
    """
    parts = {
        part: _read(path)
        for part in ("train", "dev", "test", "all")
        if (path := _find(folder / name, part))
    }
    if "all" in parts:
        train, dev, test = tenths(parts["all"])
    else:
        train, dev, test = (parts.get(part, []) for part in ("train", "dev", "test"))
    if not shared_task:
        return Treebank(name, train, dev, test, NOTES.get(name, ""))
    if name == "spanish-cast3lb":
        train, test = train + test[SPANISH_TEST:], test[:SPANISH_TEST]
    elif name == "danish-ddt":
        train, dev = train + dev, []
    return Treebank(name, train, dev, test, NOTES.get(name, ""))


def retagged(treebank: Treebank, seed: int, threads: int) -> Treebank:
    """Replace all tags by a tagger's, which has not learned from the sentences it tags."""
    options = {"columns": _columns(treebank.train), "seed": seed, "threads": threads}
    folds = min(FOLDS, len(treebank.train))
    train = jackknife(treebank.train, folds=folds, **options)
    tagger = Tagger.train(treebank.train, **options)
    dev, tagged = (
        list(tagger.predict(part, threads=threads)) for part in (treebank.dev, treebank.test)
    )
    return Treebank(treebank.name, train, dev, treebank.test, treebank.note, tagged)


def _columns(sentences: list[Sentence]) -> list[str]:
    """The columns that are not empty."""
    words = [word for sentence in sentences for word in sentence]
    return [column for column in COLUMNS if any(getattr(word, column) != "_" for word in words)]


def tag_accuracy(treebank: Treebank) -> dict[str, float]:
    """The share of test words whose tag is right, by column; empty if tags are gold."""
    pairs = [
        pair
        for gold, own in zip(treebank.test, treebank.tagged, strict=False)
        for pair in zip(gold, own, strict=True)
    ]
    return {
        column: sum(getattr(a, column) == getattr(b, column) for a, b in pairs) / len(pairs)
        for column in _columns(treebank.test)
        if pairs
    }


def tenths(sentences: list[Sentence]) -> tuple[list[Sentence], list[Sentence], list[Sentence]]:
    """Split what comes in one file, in its order, so that documents stay whole but for two."""
    eight, nine = len(sentences) * 8 // 10, len(sentences) * 9 // 10
    return sentences[:eight], sentences[eight:nine], sentences[nine:]


def words_in(sentences: Iterable[Sentence]) -> int:
    """Count the words of sentences."""
    return sum(map(len, sentences))


def _find(folder: Path, part: str) -> Path | None:
    paths = (folder / f"{part}.conllu", folder / f"{part}.conllu.xz")
    return next((path for path in paths if path.exists()), None)


def _read(path: Path) -> list[Sentence]:
    is_conllx = path.parent.name == "spanish-cast3lb"
    return list(read_conllu(path, format="conllx" if is_conllx else "conllu"))
