"""Train the model of English entities that comes with Treaty.

``python -m scripts.train_entities --data ../shared/data/ner``. It learns from the Broad Twitter
Corpus and Tweebank-NER, with lists of places from GeoNames and tags of the English model: nothing
that does not allow free use. The corpora differ, and this is how they are brought together:

- the Broad Twitter Corpus parts ``@`` and ``#`` from what follows: both are joined again;
- it labels names of users as persons or organizations, Tweebank-NER does not: they are no entities
  here, for they say themselves what they are;
- Tweebank-NER has a fourth type, MISC, for what is neither person, place nor organization; the
  other corpus has no entities there. It is left out.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from experiments.report import ROOT, report_epoch, report_file, report_scores, say
from treaty.corpus import OUTSIDE, ColumnSentence, read_columns, spans_of_labels
from treaty.corpus import labels_of_spans as labels_of
from treaty.label import EntityLabeler, Gazetteers

MODEL = ROOT / "src" / "treaty" / "shipped" / "entities.treaty"
TYPES = frozenset({"PER", "LOC", "ORG"})
CORPORA = ("btc", "tweebank_ner")
LISTS = ("geonames/city", "geonames/country", "geonames/us_state", "geonames/us_state_code",
         "geonames/us_county")  # fmt: skip
INFO = {
    "language": "English",
    "data": "Broad Twitter Corpus (CC BY 4.0), Tweebank-NER 1.0 (Apache-2.0); "
    "place names of GeoNames (CC BY 4.0)",
    "source": "https://github.com/GateNLP/broad_twitter_corpus, "
    "https://github.com/mit-ccc/TweebankNLP, https://www.geonames.org",
    "license": "CC BY 4.0",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--order", choices=["chain", "global"], default="global")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", action="store_true", help="score on test data, too")
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    return parser.parse_args()


def read(folder: Path, corpus: str, part: str) -> list[ColumnSentence]:
    """Read a part of a corpus as the model shall learn it."""
    messages = read_columns(folder / corpus / f"{part}.tsv")
    return [unified(message) for message in messages if len(message)]


def unified(message: ColumnSentence) -> ColumnSentence:
    """Join what belongs together, and leave out what only one corpus has."""
    rows = joined(list(zip(message.words, message.labels, strict=True)))
    labels = [OUTSIDE if word.startswith("@") else label for word, label in rows]
    spans = [span for span in spans_of_labels(labels) if span.type in TYPES]
    kept = labels_of(spans, len(rows), "BIO")
    return ColumnSentence([(word, label) for (word, _), label in zip(rows, kept, strict=True)])


def joined(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put ``@`` and ``#`` before the word that follows, whose label counts."""
    made: list[tuple[str, str]] = []
    for word, label in rows:
        if made and made[-1][0] in ("@", "#") and re.fullmatch(r"\w+", word):
            sign, _ = made.pop()
            word = sign + word
        made.append((word, label))
    return made


def scores_of(labeler: EntityLabeler, folder: Path, part: str) -> dict[str, float]:
    """Score a part of each corpus."""
    found = {}
    for corpus in CORPORA:
        messages = read(folder, corpus, part)
        scores = labeler.evaluate(messages)
        for name in ("micro F1", "macro F1"):
            found[f"{name}, {corpus}"] = round(scores[name], 4)
    return found


def main() -> None:
    chosen = arguments()
    train = [message for corpus in CORPORA for message in read(chosen.data, corpus, "train")]
    dev = [message for corpus in CORPORA for message in read(chosen.data, corpus, "dev")]
    say(f"{len(train)} messages to learn from, {len(dev)} to score on")
    labeler = EntityLabeler.train(
        train,
        dev,
        gazetteers=Gazetteers.read(chosen.data / "gazetteers" / "gazetteers.tsv.xz", only=LISTS),
        order=chosen.order,
        epochs=chosen.epochs,
        seed=chosen.seed,
        progress=report_epoch,
        info=INFO,
    )
    for part in ("dev", *(["test"] if chosen.test else [])):
        scores = scores_of(labeler, chosen.data, part)
        report_scores("entities", part, scores, chosen.runs)
        if part == "dev":
            micro = {name: score for name, score in scores.items() if name.startswith("micro")}
            labeler.info["scores"] = micro
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    labeler.save(chosen.out)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
