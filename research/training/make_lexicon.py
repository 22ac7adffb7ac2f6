"""Make the lexicon of the English tagger from the word lists of WordNet in spacy-lookups-data.

``python -m research.training.make_lexicon --wheel spacy_lookups_data-1.0.5-py2.py3-none-any.whl
--words vectors.tsv --out lexicon.tsv`` reads the package's ``en_lemma_index``, ``en_lemma_exc`` and
``en_lexeme_prob``, and the words of a file of clusters, which alone are kept. A line of the output
is a path of bits (see `PROPERTIES`), a tab, and a word. The last two bits of a verb's forms say how
often it is a verb, judged by its forms in *-ed* and *-ing*: *corn* is in the list of verbs, too,
but nobody writes *corning*.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from treaty.parse import Clusters

PROPERTIES = ("noun", "plural", "verb", "-s", "-ed", "-ing", "adj", "adv")
"""What the first bits of a path say, from the left."""
STEPS = (0.05, 0.15, 0.35)
"""Shares of the forms in -ed and -ing that part rare from frequent verbs."""
FORMS = {"noun": ("plural",), "verb": ("-s", "-ed", "-ing")}


class WordNet(NamedTuple):
    """Base forms and irregular forms by kind, and logarithms of the probabilities of words."""

    index: Mapping[str, list[str]]
    exceptions: Mapping[str, Mapping[str, list[str]]]
    chances: Mapping[str, float]

    @classmethod
    def read(cls, wheel: Path) -> WordNet:
        """Read the word lists of spacy-lookups-data."""
        with zipfile.ZipFile(wheel) as package:
            parts: list[Any] = [
                json.loads(
                    gzip.decompress(package.read(f"spacy_lookups_data/data/en_{name}.json.gz"))
                )
                for name in ("lemma_index", "lemma_exc", "lexeme_prob")
            ]
        return cls(*parts)


def lexicon(
    index: Mapping[str, list[str]], exceptions: Mapping[str, Mapping[str, list[str]]]
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """List the properties of all word forms, and the forms of each verb."""
    found: dict[str, set[str]] = defaultdict(set)
    forms: dict[str, set[str]] = {base: {base} for base in index["verb"]}
    for kind in ("noun", "verb", "adj", "adv"):
        for base in index[kind]:
            if base.isalpha():
                found[base].add(kind)
                for name in FORMS.get(kind, ()):
                    found[inflected(base, name)].add(name)
                    if kind == "verb":
                        forms[base].add(inflected(base, name))
        for form, bases in exceptions[kind].items():
            name = {"noun": "plural", "adj": "adj", "adv": "adv"}.get(kind)
            ing = "-ing" if form.endswith("ing") and form not in bases else "-ed"
            found[form].add(name or ing)
            for base in bases if kind == "verb" else ():
                forms.setdefault(base, {base}).add(form)
    return found, forms


def verb_shares(
    found: dict[str, set[str]], forms: dict[str, set[str]], chances: Mapping[str, float]
) -> dict[str, int]:
    """Return for each form of a verb how often it is one, from 0 to 3."""
    best: dict[str, int] = {}
    for own in forms.values():
        clear = {
            form for form in own if found[form] & {"-ed", "-ing"} and "verb" not in found[form]
        }
        certain, every = (
            sum(math.exp(chances.get(form, -30.0)) for form in some) for some in (clear, own)
        )
        step = sum(certain >= least * every for least in STEPS)
        for form in own:
            best[form] = max(step, best.get(form, 0))
    return best


def verbs_and_nouns(lexicon: Clusters) -> list[str]:
    """List the words that are often verbs, and nouns, too."""
    both = PROPERTIES.index("noun"), PROPERTIES.index("verb")
    return sorted(
        word
        for word, bits in lexicon.paths.items()
        if all(bits[i] == "1" for i in both) and int(bits[-2:], 2) >= 2
    )


def inflected(base: str, name: str) -> str:
    """Inflect a regular noun (``plural``) or verb (``-s``, ``-ed``, ``-ing``)."""
    if name in ("plural", "-s"):
        if base.endswith("y") and base[-2:-1] not in "aeiou":
            return f"{base[:-1]}ies"
        sibilants = ("s", "x", "z", "ch", "sh", *(("o",) if name == "-s" else ()))
        return f"{base}es" if base.endswith(sibilants) else f"{base}s"
    if name == "-ed" and base.endswith("y") and base[-2:-1] not in "aeiou":
        return f"{base[:-1]}ied"
    stem = base[:-1] if base.endswith("e") and not base.endswith("ee") else base
    return f"{stem}{name[1:]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, required=True, help="of spacy-lookups-data")
    parser.add_argument("--words", required=True, help="a file of clusters, whose words are kept")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    index, exceptions, chances = WordNet.read(chosen.wheel)
    found, forms = lexicon(index, exceptions)
    shares = verb_shares(found, forms, chances)
    words = sorted({word.lower() for word in Clusters.read(chosen.words).paths} & found.keys())
    with chosen.out.open("w", encoding="utf-8") as stream:
        for word in words:
            bits = "".join("01"[name in found[word]] for name in PROPERTIES)
            stream.write(f"{bits}{shares.get(word, 0):02b}\t{word}\n")
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
