"""Summaries of texts in no data set beside those of sumy, to be read.

    python -m research.experiments.reading --words 60
    python -m research.experiments.reading --texts research/experiments/texts/second --words 100

Thirty texts written for this stand in ``research/experiments/texts``: news about one event, long
articles, reviews, e-mail threads, chats and reports; thirty more are in ``second``, six in
``third``. ``= name`` begins a text, ``- date`` a document of it. sumy is needed only here: ``pip
install 'treaty[bench]'``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from research.benchmarks.documents import sumy_systems
from treaty.summarize import Summarizer
from treaty.text import Article, Collection

TEXTS = Path(__file__).parent / "texts"
PEERS = ("TextRank", "LexRank", "LSA")


def read_texts(path: Path) -> Iterator[Collection]:
    """Read the texts of a file."""
    for part in f"\n{path.read_text('utf-8')}".split("\n= ")[1:]:
        name, _, body = part.partition("\n")
        pieces = f"\n{body}".split("\n- ") if "\n- " in f"\n{body}" else [f"\n{body}"]
        articles = []
        for number, piece in enumerate(pieces):
            date, _, text = piece.partition("\n") if number or piece.strip() else ("", "", "")
            if text.strip():
                articles.append(Article(text.strip(), date=date.strip() or None))
        yield Collection(articles, id=name.strip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--texts", type=Path, default=TEXTS)
    parser.add_argument("--model", default="summarizer")
    chosen = parser.parse_args()
    summarizer = Summarizer.load(chosen.model)
    peers = sumy_systems(summarizer.split)
    for path in sorted(chosen.texts.glob("*.txt")):
        for collection in read_texts(path):
            print(f"\n{path.stem}: {collection.id}")
            print("  Treaty:", summarizer.summarize(collection, words=chosen.words).text)
            for name in PEERS:
                found = peers[name](collection, chosen.words)
                print(f"  {name}:", " ".join(found.split()))


if __name__ == "__main__":
    main()
