"""Which sentences of summaries can be understood alone, judged by a reader who is blind to systems.

    python -m research.experiments.judging sheet --out sheet.txt        # sentences, shuffled
    python -m research.experiments.judging count sheet.txt --out docs/results/judged.jsonl

Sentences are those of Treaty, of the first words (LEAD) and of sumy's TextRank, at one and a half
times the length of the human summaries of the documents of GUM dev; whole sentences only. ``sheet``
writes a line for each, without its system, which is in ``sheet.txt.key``. The reader replaces the
question mark by ``y``, or by ``n`` and a reason; then ``count`` looks at the key. A sentence can be
understood alone (``y``) if

- it is whole: it has its predicate and what that needs, and is no heading, caption or list;
- every "he", "they", "this", "the council" in it is explained in it, or known to everybody;
- it does not answer, continue or contrast with something that is not there ("But", "also", "Yes");
- a reader can tell what it is about. Names need not be known.

Reasons: ``ref`` (points at something else), ``link`` (leans on another sentence), ``part`` (not
whole), ``about`` (not clear what it is about). A ``+`` after a reason says that the sentence can be
understood with those before it in its summary, which ``--context`` shows.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from statistics import fmean

from research.benchmarks.documents import GUM, plain, sumy_sentences
from research.benchmarks.problems import DATA
from research.report import append_run
from research.report.tables.judged import shares
from treaty.summarize import Summarizer, body_of
from treaty.text import Collection, read_collections

SENTENCES = 100
LENGTH = 1.5
SYSTEMS = ("Treaty", "LEAD", "TextRank")


def fitting(sentences: list[str], words: int) -> list[str]:
    """Take sentences while they fit into a number of words; at least one."""
    found, used = [], 0
    for sentence in sentences:
        used += len(sentence.split())
        if found and used > words:
            break
        found.append(" ".join(sentence.split()).removesuffix(":"))
    return found


def summaries(summarizer: Summarizer, collection: Collection) -> dict[str, list[str]]:
    """Summarize a document by each system; a list of sentences."""
    given = plain(collection)
    words = round(LENGTH * fmean(len(text.split()) for text in collection.references))
    body = [s.text for article in given.articles for s in summarizer.split(body_of(article).text)]
    ranked = sumy_sentences("TextRank", summarizer.split, given, words)
    digest = summarizer.summarize(given, words=words)
    return {
        "Treaty": [sentence.text.removesuffix(":") for sentence in digest.sentences],
        "LEAD": fitting(body, words),
        "TextRank": fitting(ranked, words),
    }


def key_of(sheet: Path) -> Path:
    return sheet.with_name(f"{sheet.name}.key")


def drawn() -> list[tuple[str, str, str]]:
    """Draw systems, what their summaries say before, and sentences; as many of each; shuffled."""
    summarizer = Summarizer.load()
    rng = random.Random(16)
    pools: dict[str, list[tuple[str, str]]] = {system: [] for system in SYSTEMS}
    for collection in read_collections(DATA / GUM[1]):
        for system, sentences in summaries(summarizer, collection).items():
            pools[system] += [(" ".join(sentences[:n]), s) for n, s in enumerate(sentences)]
    found = []
    for number, system in enumerate(SYSTEMS):
        count = SENTENCES // len(SYSTEMS) + (number < SENTENCES % len(SYSTEMS))
        found += [(system, *s) for s in rng.sample(pools[system], min(count, len(pools[system])))]
    rng.shuffle(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("sheet", "count"))
    parser.add_argument("sheet", type=Path, nargs="?")
    parser.add_argument("--context", action="store_true", help="show what stands before")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    if chosen.part == "sheet":
        found = drawn()
        more = [f"\t[{context}]" if chosen.context else "" for _, context, _ in found]
        lines = [f"{n + 1:3}\t?\t{text}{more[n]}\n" for n, (_, _, text) in enumerate(found)]
        chosen.out.write_text("".join(lines), "utf-8")
        systems = [system for system, _, _ in found]
        key_of(chosen.out).write_text(json.dumps(systems), "utf-8")
        return
    judged = [line.split("\t") for line in chosen.sheet.read_text("utf-8").splitlines()]
    systems = json.loads(key_of(chosen.sheet).read_text("utf-8"))
    runs = []
    for (number, mark, *_), system in zip(judged, systems, strict=True):
        alone, reason, inside, *_ = [*mark.split(" "), "", ""]
        run = {
            "number": int(number), "system": system, "alone": alone == "y", "reason": reason,
            "in summary": alone == "y" or inside == "+",
        }  # fmt: skip
        runs.append(append_run(chosen.out, run))
    print(shares(runs))


if __name__ == "__main__":
    main()
