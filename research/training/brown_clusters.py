"""Write the word clusters of the English model as ``path TAB word``.

``pip download --no-deps spacy-lookups-data==1.0.5``, then ``python -m
research.training.brown_clusters --wheel spacy_lookups_data-1.0.5-py2.py3-none-any.whl --out
clusters.tsv.xz``. The package (MIT) has 1,000 Brown clusters, and how frequent words are; the most
frequent ones are kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import zipfile
from pathlib import Path

FOLDER = "spacy_lookups_data/data"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--words", type=int, default=100_000, help="the most frequent so many")
    return parser.parse_args()


def table(wheel: zipfile.ZipFile, name: str) -> dict[str, float]:
    return json.loads(gzip.decompress(wheel.read(f"{FOLDER}/en_lexeme_{name}.json.gz")))


def paths_of(clusters: dict[str, float]) -> dict[str, str]:
    """Turn numbers into paths: the lowest bit is the first step, and 0 says that there is none.

    Zeros at the end of a path are lost in its number. No path begins with another one, so that
    paths filled up with zeros stay different, and their beginnings stay what they were.
    """
    longest = max(int(number).bit_length() for number in clusters.values())
    return {
        word: f"{int(number):0{longest}b}"[::-1]
        for word, number in clusters.items()
        if number and not any(c.isspace() for c in word)
    }


def without_needless(paths: dict[str, str]) -> dict[str, str]:
    """Leave out words whose lower-case form has the same path: it is found by that."""
    return {
        word: path
        for word, path in paths.items()
        if word == word.lower() or paths.get(word.lower()) != path
    }


def main() -> None:
    chosen = arguments()
    with zipfile.ZipFile(chosen.wheel) as wheel:
        paths, logarithms = paths_of(table(wheel, "cluster")), table(wheel, "prob")
    frequent = sorted(paths, key=lambda word: (-logarithms.get(word, float("-inf")), word))
    kept = without_needless({word: paths[word] for word in frequent[: chosen.words]})
    with lzma.open(chosen.out, "wt", encoding="utf-8") as file:
        file.writelines(f"{path}\t{word}\n" for word, path in sorted(kept.items()))
    print(f"{chosen.out}: {len(kept)} words, {len(set(kept.values()))} clusters")


if __name__ == "__main__":
    main()
