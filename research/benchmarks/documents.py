"""Summaries of documents as plain files beside those of sumy, in one run.

    python -m research.benchmarks.documents --folds 2
    python -m research.benchmarks.documents --what news --folds 10 --out runs.jsonl
    python -m research.benchmarks.documents --what reviews

``long``: the documents of GUM, each as a file with its headline on the first line, at the length of
the human summaries; ROUGE-1 and ROUGE-2 F1 with stemming, by genre, and the share of the names in
the human summaries that are mentioned. ``news``: the topics of
MultiLing 2011 as such files and as JSON lines, 250 words, recall of ROUGE-2. ``reviews``: the
topics of Opinosis (20 words) and Amazon (50 words) that the shipped model was not trained on, as
JSON lines, a file a review, and one file for all, recall. Treaty's models are trained on other
folds than they are tried on: for news all weights, for documents those of single documents, which
alone score their concepts. ``--models`` keeps them. Differences are tested by a paired bootstrap
over documents. sumy is needed only here: ``pip install 'treaty[bench]'``.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

from research.benchmarks.problems import DATA
from research.report import Run, append_run, say
from research.report.tables.documents import scores
from research.training.train_summarizer import COMPRESSIONS, INFO, NEWS, REVIEWS, frames, refitted
from treaty.metrics import RougeOptions, rouge
from treaty.summarize import Summarizer
from treaty.text import Article, Collection, read_collections, read_compressions

AMAZON = "summarization/fewsum_amazon/fewsum_amazon.jsonl"
NEWS_WORDS = 250
GUM = ("summarization/gum_open/train.jsonl", "summarization/gum_open/dev.jsonl")
SUMY = ("LexRank", "TextRank", "LSA", "SumBasic")
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


def sumy_sentences(
    name: str, split: Callable[[str], Any], collection: Collection, words: int
) -> list[str]:
    """Return the sentences that one of sumy's summarizers chooses for so many words."""
    from sumy.nlp.stemmers import Stemmer
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.lsa import LsaSummarizer
    from sumy.summarizers.sum_basic import SumBasicSummarizer
    from sumy.summarizers.text_rank import TextRankSummarizer
    from sumy.utils import get_stop_words

    kinds = (LexRankSummarizer, TextRankSummarizer, LsaSummarizer, SumBasicSummarizer)
    summarizer = kinds[SUMY.index(name)](Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    text = "\n\n".join(article.text for article in collection.articles)
    document = PlaintextParser.from_string(text, Tokenizer(split)).document
    return [str(sentence) for sentence in summarizer(document, max(2, words // 8))]


def sumy_systems(split: Callable[[str], Any]) -> Systems:
    """Return sumy's summarizers."""

    def system(name: str) -> Callable[[Collection, int], str]:
        return lambda c, words: limited(sumy_sentences(name, split, c, words), words)

    return {name: system(name) for name in SUMY}


def simple_systems(split: Callable[[str], Any]) -> Systems:
    """Return the first words, and sentences drawn at random."""

    def lead(collection: Collection, words: int) -> str:
        own = [article.text.partition("\n\n")[2] or article.text for article in collection.articles]
        own = [" ".join(text.split()) for text in own[:words]]
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
    if what != "long":
        one, two = found["ROUGE-1"].recall, found["ROUGE-2"].recall
    else:
        one, two = found["ROUGE-1"].f, found["ROUGE-2"].f
    return {"R1": one, "R2": two, "names": names}


def treaty_systems(made: Summarizer, what: str) -> Systems:
    """Return Treaty, for documents in several forms."""
    systems: Systems = {
        "Treaty": lambda c, n: made.summarize(plain(c), words=n).text,
        "Treaty, extractive": lambda c, n: (
            made.summarize(plain(c), words=n, mode="extractive").text
        ),
    }
    if what != "long":
        systems["Treaty, JSON lines"] = lambda c, n: made.summarize(c, words=n).text
    if what == "reviews":
        systems["Treaty, one file"] = lambda c, n: made.summarize(one_file(c), words=n).text
    return systems


def one_file(collection: Collection) -> Collection:
    """Make one article of all reviews, with blank lines between them."""
    text = "\n\n".join(article.text for article in collection.articles)
    return replace(collection, articles=[Article(text)])


def of_plain(systems: Systems) -> Systems:
    """Give plain files to systems."""
    return {
        name: lambda c, n, system=system: system(plain(c), n)  # type: ignore[misc]
        for name, system in systems.items()
    }


def topics(what: str) -> list[tuple[Collection, int]]:
    """Return what is summarized, and in how many words."""
    if what == "news":
        return [(collection, NEWS_WORDS) for collection in read_collections(DATA / NEWS)]
    if what == "reviews":
        unseen = [c for n, c in enumerate(read_collections(DATA / REVIEWS)) if n % 5]
        amazon = read_collections(DATA / AMAZON)
        opinosis = [(replace(c, more={**c.more, "genre": "opinosis"}), 20) for c in unseen]
        return opinosis + [(replace(c, more={**c.more, "genre": "amazon"}), 50) for c in amazon]
    gum = [c for name in GUM for c in read_collections(DATA / name)]
    return [(c, round(fmean(len(text.split()) for text in c.references))) for c in gum]


def models(
    what: str, tried: Sequence[Collection], folds: int, shipped: str, kept: Path | None
) -> Iterator[Summarizer]:
    """Train a model for each fold, on the others."""
    reviews = list(read_collections(DATA / REVIEWS))[::5]
    compressions = [c for c in read_compressions(DATA / COMPRESSIONS) if c.more["split"] == "train"]
    for fold in range(folds):
        path = kept / f"{what}-{fold + 1}-of-{folds}.treaty" if kept else None
        if path and path.exists():
            yield Summarizer.load(str(path))
            continue
        rest = [c for n, c in enumerate(tried) if n % folds != fold]
        if what == "long":
            made = refitted(Summarizer.load(shipped), rest)
        else:
            made = trained([*reviews, *rest], compressions, frames(DATA))
        if path:
            made.save(path)
        yield made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what", choices=("long", "news", "reviews"), default="long")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--every", type=int, default=1, help="try every Nth document only")
    parser.add_argument("--model", default=Summarizer.shipped, help="whose other weights are kept")
    parser.add_argument("--seen", action="store_true", help="try the model as it is")
    parser.add_argument("--models", type=Path, help="folder where models of folds are kept")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args()
    tried = topics(chosen.what)[:: chosen.every]
    given = [collection for collection, _ in tried]
    folds = chosen.folds
    if chosen.seen or chosen.what == "reviews":
        folds, found = 1, iter([Summarizer.load(chosen.model)])
    else:
        found = models(chosen.what, given, folds, chosen.model, chosen.models)
    runs: list[Run] = []
    for fold, made in enumerate(found):
        others = sumy_systems(made.split) | simple_systems(made.split)
        systems = treaty_systems(made, chosen.what) | of_plain(others)
        for collection, size in tried[fold::folds]:
            for name, system in systems.items():
                run = {
                    "what": chosen.what, "topic": str(collection.id), "system": name,
                    "genre": collection.more.get("genre", "news"), "words": size,
                    "seen": chosen.seen,
                    **score(chosen.what, system(collection, size), collection),
                }  # fmt: skip
                runs.append(append_run(chosen.out, run))
        say(f"fold {fold + 1} of {folds}")
    print(scores(runs, chosen.what, "seen" if chosen.seen else ""))


if __name__ == "__main__":
    main()
