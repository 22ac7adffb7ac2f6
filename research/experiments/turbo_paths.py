"""Non-projective arcs and directed paths as parts, and what the full model gains on G+CS.

    python -m research.experiments.turbo_paths --out docs/results/turbo_paths.jsonl

Appendix G of Martins et al. (2011) compares their full model with one of grandparents and
consecutive siblings alone (G+CS). Here these are the orders "full" and "second"; "second+" is the
full model without non-projective arcs and paths. Every run trains on the first sentences of a
treebank and parses those of its dev part, with gold tags. It counts the words that get the right
head by the length of their gold arc, by their distance to the root, by the number of their
siblings, and whether the arc is projective. What is in the file already is not done again.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from research.experiments._treebanks import options_of, read_treebank, words_in
from research.report import Run, append_run, key_of, read_runs, say
from research.report.tables.turbo_paths import KEY, KINDS
from treaty.metrics import attachment_scores
from treaty.parse import Parser
from treaty.solve import Status
from treaty.text import Sentence

TREEBANKS = ("danish-ddt", "dutch-lassysmall", "slovenian-ssj-small", "czech-mix")
COMPARED = ("second+", "full", "second")
MOST = {"length": (1, 2, 3, 4, 5, 10), "depth": (1, 2, 3, 4, 5, 6), "siblings": (0, 1, 2, 3, 4)}
"""Where the groups of each count end; one more has the rest."""


def main() -> None:
    """Do what is not done yet."""
    options = _options()
    done = {key_of(run, KEY) for run in read_runs(options.out, KEY)}
    for name in options.treebanks:
        for order in options.orders:
            about = dict(zip(KEY, (name, order, *_size(options)), strict=True))
            if key_of(about, KEY) in done:
                continue
            parts = read_treebank(options.data, name, shared_task=False)
            train, dev = parts.train[: options.sentences], parts.dev[: options.held_out]
            append_run(options.out, {**about, **run(train, dev, order, options)})


def run(train: list[Sentence], dev: list[Sentence], order: str, options: argparse.Namespace) -> Run:
    """Train a parser and see what it gets right."""
    started = time.process_time()
    parser = Parser.train(train, order=order, epochs=options.epochs, seed=options.seed)
    trained = time.process_time()
    parses = list(parser.predict(dev))
    parsed = time.process_time()
    found = [parse.sentence for parse in parses]
    scores = attachment_scores(dev, found)
    say(f"{order}: UAS {scores.all_words.uas:.4f} LAS {scores.all_words.las:.4f}")
    crossing = Counter(group for sentence in found for group in kinds_of(sentence, "projective"))
    return {
        "train sentences": len(train),
        "dev sentences": len(dev),
        "dev words": words_in(dev),
        "UAS": scores.all_words.uas,
        "LAS": scores.all_words.las,
        "training seconds": trained - started,
        "tokens per second": words_in(dev) / (parsed - trained),
        "optimal": sum(parse.status is Status.OPTIMAL for parse in parses) / len(parses),
        "predicted non-projective": crossing["no"],
        "groups": {kind: by_kind(dev, found, kind) for kind in KINDS},
        "right sentences": "".join(
            str(int(a.heads == b.heads)) for a, b in zip(dev, found, strict=True)
        ),
    }


def by_kind(gold: Sequence[Sentence], found: Sequence[Sentence], kind: str) -> dict[str, list[int]]:
    """How many words each group has in the gold trees, and how many of them have the right head."""
    words, right = Counter[str](), Counter[str]()
    for sentence, parse in zip(gold, found, strict=True):
        groups = kinds_of(sentence, kind)
        for group, head, own in zip(groups, sentence.heads, parse.heads, strict=True):
            words[group] += 1
            right[group] += head == own
    return {group: [words[group], right[group]] for group in words}


def kinds_of(sentence: Sentence, kind: str) -> Iterator[str]:
    """The group of every word of a tree.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> tree = Sentence.from_words(["a", "b", "c", "d"]).with_tree([0, 1, 1, 2], ["x"] * 4)
    >>> list(kinds_of(tree, "projective"))
    ['yes', 'yes', 'yes', 'no']
    >>> list(kinds_of(tree, "depth"))
    ['1', '2', '2', '3']
    >>> list(kinds_of(tree, "length"))
    ['root', '1', '2', '2']
    >>> list(kinds_of(tree, "siblings"))
    ['0', '1', '1', '0']
    """
    heads = [-1, *sentence.heads]
    for word in range(1, len(heads)):
        head = heads[word]
        if kind == "projective":
            between = range(min(head, word) + 1, max(head, word))
            yes = head == 0 or all(head in above(heads, other) for other in between)
            yield "yes" if yes else "no"
        elif kind == "length":
            yield "root" if head == 0 else _group(kind, abs(head - word))
        elif kind == "depth":
            yield _group(kind, len(above(heads, word)) + 1)
        else:
            yield _group(kind, heads.count(head) - 1)


def above(heads: Sequence[int], word: int) -> list[int]:
    """The words above a word, from its head upwards."""
    found = []
    while heads[word] > 0:
        word = heads[word]
        found.append(word)
    return found


def _group(kind: str, count: int) -> str:
    limits = MOST[kind]
    if count > limits[-1]:
        return f"{limits[-1] + 1}+"
    most = next(limit for limit in limits if count <= limit)
    least = max([limit + 1 for limit in limits if limit < most], default=limits[0])
    return f"{most}" if least == most else f"{least}–{most}"


def _size(options: argparse.Namespace) -> tuple[int, int, int | None, int | None]:
    return options.epochs, options.seed, options.sentences, options.held_out


def _options() -> argparse.Namespace:
    parser = options_of(__doc__, TREEBANKS, COMPARED, 3)
    add = parser.add_argument
    add("--sentences", type=int, default=1000, metavar="N", help="at most so many to train on")
    add("--held-out", type=int, default=300, metavar="N", help="at most so many to parse")
    return parser.parse_args()


if __name__ == "__main__":
    main()
