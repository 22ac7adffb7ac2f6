"""Renew the lists that the English model holds, with all weights as they are.

    python -m research.training.renew_lists --data ../shared/data/treebanks

Abbreviations are added from the list of the package; which labels exclude each other is counted
again in the treebanks. Afterwards the other models are to refer to the new file
(`python -m research.training.refer_again`).
"""

from __future__ import annotations

import argparse
from pathlib import Path

from research.report import say
from research.training.english_treebanks import MODEL, SOURCES, harmonized, read
from treaty.parse import Abbreviations, Pipeline


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="the treebanks")
    folder = parser.parse_args().data
    pipeline = Pipeline.load(MODEL)
    for kind, words in Abbreviations.of_language("english").to_dict().items():
        pipeline.tokenizer.abbreviations.add(words, kind)
    gold = [
        harmonized(name, sentence)
        for name, (part, _) in SOURCES.items()
        for sentence in read(folder / name, part)
    ]
    for one, other in pipeline.parser.learn_exclusions(gold):
        say(f"{one} excludes {other}")
    pipeline.save(MODEL)


if __name__ == "__main__":
    main()
