"""Summaries of documents as plain files beside those of sumy, in one run.

    python -m benchmarks.documents --folds 4
    python -m benchmarks.documents --what news --folds 10 --out runs.jsonl

``long``: the documents of GUM, each as a file with its headline on the first line, at the length of
the human summaries; ROUGE-1 and ROUGE-2 F1 with stemming, by genre, and the share of the names in
the human summaries that are mentioned. ``news``: the topics of
MultiLing 2011 as such files, 250 words, recall of ROUGE-2. Treaty's models are trained on other
folds than they are tried on: for news all weights, for documents those of single documents, which
alone score their concepts. Differences are tested by a paired bootstrap over documents. sumy is
needed only here: ``pip install 'treaty[bench]'``.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.problems import DATA
from experiments.report import Run, append_run, say
from scripts.train_summarizer import COMPRESSIONS, INFO, NEWS, REVIEWS, frames, refitted
from treaty.corpus import Article, Collection, read_collections, read_compressions
from treaty.evaluate import RougeOptions, rouge
from treaty.summarize import Summarizer

GUM = ("summarization/gum_open/train.jsonl", "summarization/gum_open/dev.jsonl")
SUMY = ("LexRank", "TextRank", "LSA", "SumBasic")
RESAMPLED = 10_000
OPTIONS = RougeOptions(("ROUGE-1", "ROUGE-2"), stem=True)
Systems = dict[str, Callable[[Collection, int], str]]


def plain(collection: Collection) -> Collection:
    """Make articles of the contents of plain files: the headline on the first line."""
    texts = [f"{a.title}\n\n{a.text}" if a.title else a.text for a in collection.articles]
    return replace(collection, articles=[Article(text) for text in texts])


def limited(sentences: Sequence[str], words: int) -> str:
    """Join sentences up to a number of words; the last one is cut."""
    return " ".join(" ".join(sentences).split()[:words])


class Tokenizer:
    """Sentences and words for sumy, by Treaty: sumy's own needs a download."""

    def __init__(self, split: Callable[[str], Any]) -> None:
        self.split = split

    def to_sentences(self, text: str) -> tuple[str, ...]:
        return tuple(sentence.text for sentence in self.split(text))

    def to_words(self, text: str) -> tuple[str, ...]:
        return tuple(re.findall(r"\w+", text))


def sumy_systems(split: Callable[[str], Any]) -> Systems:
    """Return sumy's summarizers."""
    from sumy.nlp.stemmers import Stemmer
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.lsa import LsaSummarizer
    from sumy.summarizers.sum_basic import SumBasicSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    kinds = (LexRankSummarizer, TextRankSummarizer, LsaSummarizer, SumBasicSummarizer)

    def system(kind: Any) -> Callable[[Collection, int], str]:
        def run(collection: Collection, words: int) -> str:
            text = "\n\n".join(article.text for article in collection.articles)
            document = PlaintextParser.from_string(text, Tokenizer(split)).document
            summarizer = kind(Stemmer("english"))
            summarizer.stop_words = get_stop_words("english")
            few = max(2, words // 8)
            return limited([str(sentence) for sentence in summarizer(document, few)], words)

        return run

    return {name: system(kind) for name, kind in zip(SUMY, kinds, strict=True)}


def simple_systems(split: Callable[[str], Any]) -> Systems:
    """Return the first words, and sentences drawn at random."""

    def lead(collection: Collection, words: int) -> str:
        own = [" ".join(article.text.split("\n\n")[1:]) for article in collection.articles]
        each = words // len(own)
        return " ".join(limited([text], each) for text in own)

    def drawn(collection: Collection, words: int) -> str:
        text = "\n\n".join(article.text for article in collection.articles)
        sentences = [sentence.text for sentence in split(text)]
        random.Random(1).shuffle(sentences)
        return limited(sentences, words)

    return {"LEAD": lead, "random": drawn}


def trained(topics: Sequence[Collection], compressions: Sequence[Any], words: Any) -> Summarizer:
    return Summarizer.train([*topics, *compressions], frames=words, info=INFO)


def names_in(texts: Iterable[str]) -> set[str]:
    """Return the words of names: those with a capital that do not begin a sentence."""
    found = set[str]()
    for text in texts:
        words = re.findall(r"[^\W\d_][\w’'-]*|[.!?]", text)
        for before, word in pairwise([".", *words]):
            if word[:1].isupper() and before not in (".", "!", "?"):
                found.add(word.removesuffix("'s").removesuffix("’s").lower())
    return found


def score(what: str, text: str, collection: Collection) -> dict[str, float]:
    found = rouge(text, collection.references, OPTIONS)
    own, wanted = set(re.findall(r"[\w’'-]+", text.lower())), names_in(collection.references)
    own |= {word.removesuffix("'s").removesuffix("’s") for word in own}
    names = len(wanted & own) / len(wanted) if wanted else 1.0
    if what == "news":
        one, two = found["ROUGE-1"].recall, found["ROUGE-2"].recall
    else:
        one, two = found["ROUGE-1"].f, found["ROUGE-2"].f
    return {"R1": one, "R2": two, "names": names}


def better(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the share of bootstrap samples in which the first is not better than the second."""
    rng = random.Random(1)
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    return fmean(sum(rng.choices(gaps, k=len(gaps))) <= 0 for _ in range(RESAMPLED))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", choices=("long", "news"), default="long")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--every", type=int, default=1, help="try every Nth document only")
    parser.add_argument("--model", default=Summarizer.shipped, help="whose other weights are kept")
    parser.add_argument("--seen", action="store_true", help="try the model as it is")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    gum = [c for name in GUM for c in read_collections(DATA / name)]
    news = list(read_collections(DATA / NEWS))
    reviews = list(read_collections(DATA / REVIEWS))[::5]
    compressions = [c for c in read_compressions(DATA / COMPRESSIONS) if c.more["split"] == "train"]
    tried = (gum if chosen.what == "long" else news)[:: chosen.every]
    words = frames(DATA) if chosen.what == "news" and not chosen.seen else None
    runs: list[Run] = []
    for fold in range(chosen.folds):
        rest = [c for n, c in enumerate(tried) if n % chosen.folds != fold]
        if chosen.seen:
            made = Summarizer.load(chosen.model)
        elif chosen.what == "long":
            made = refitted(Summarizer.load(chosen.model), rest)
        else:
            made = trained([*reviews, *rest], compressions, words)
        systems: Systems = {
            "Treaty": lambda c, n, made=made: made.summarize(c, words=n).text,
            "Treaty, extractive": lambda c, n, made=made: (
                made.summarize(c, words=n, mode="extractive").text
            ),
            **sumy_systems(made.split),
            **simple_systems(made.split),
        }
        for collection in tried[fold :: chosen.folds]:
            given = plain(collection)
            lengths = [len(text.split()) for text in collection.references]
            size = 250 if chosen.what == "news" else round(fmean(lengths))
            for name, system in systems.items():
                run = {
                    "what": chosen.what, "topic": str(collection.id), "system": name,
                    "genre": collection.more.get("genre", "news"), "words": size,
                    **score(chosen.what, system(given, size), collection),
                }  # fmt: skip
                runs.append(append_run(chosen.out, run) if chosen.out else run)
        say(f"fold {fold + 1} of {chosen.folds}")
    report(runs)


def report(runs: Sequence[Run]) -> None:
    """Print means, by genre, and how likely each system is not worse than Treaty."""
    systems = list(dict.fromkeys(run["system"] for run in runs))
    genres = sorted({run["genre"] for run in runs})
    by = {s: [r for r in runs if r["system"] == s] for s in systems}
    own = [run["R2"] for run in by["Treaty"]]
    heads = f"{'system':20} {'R1':>6} {'R2':>6} {'p':>6} {'names':>6}  "
    print(heads + " ".join(f"{g:>9}" for g in genres))
    for name, found in by.items():
        chance = better(own, [run["R2"] for run in found]) if name != "Treaty" else 0.0
        cells = [fmean(r["R2"] for r in found if r["genre"] == g) for g in genres]
        print(
            f"{name:20} {100 * fmean(r['R1'] for r in found):6.2f} "
            f"{100 * fmean(r['R2'] for r in found):6.2f} {chance:6.3f} "
            f"{100 * fmean(r['names'] for r in found):6.1f}  "
            + " ".join(f"{100 * cell:9.2f}" for cell in cells)
        )


if __name__ == "__main__":
    main()
