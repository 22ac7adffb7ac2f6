"""Train the summarizer that comes with Treaty.

``python -m research.training.train_summarizer --data ../shared/data``. It learns from openly
licensed data alone: news of MultiLing 2011, reviews of Opinosis, single documents of GUM, and
sentences of Wikipedia whose simple version leaves out words. Of Opinosis every fifth topic is
taken, so that genres weigh about the same. What words need beside them is counted in treebanks.
After each epoch the state is kept beside the model; ``--resume`` goes on from there.
``--documents`` learns the weights of single documents alone, and keeps the others of the shipped
model.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from research.report import report_epoch, report_file, say
from treaty.learn import model_path, remove_checkpoints
from treaty.summarize import (
    Frames,
    LearningSettings,
    LinearScorer,
    SimpleScorer,
    Summarizer,
    Trainer,
)
from treaty.text import Collection, read_collections, read_compressions, read_conllu

MODEL = model_path(Summarizer.shipped)
NEWS = "summarization/multiling2011/en.jsonl"
REVIEWS = "summarization/opinosis/opinosis.jsonl"
DOCUMENTS = "summarization/gum_open/train.jsonl"
COMPRESSIONS = "compression/simplewiki.jsonl"
TREEBANKS = ("english-ewt", "english-gum-open", "english-childes", "english-eslspok")
INFO = {
    "language": "English; extractive summaries in any language",
    "data": "MultiLing 2011, English (CC BY 3.0, by the MultiLing Community, texts of WikiNews); "
    "Opinosis (Apache-2.0, by Kavita Ganesan); English and Simple English Wikipedia, "
    "sentences aligned by Kauchak (2013) and by Zhang and Lapata (2017) (CC BY-SA 3.0); documents "
    "and summaries of GUM under CC BY, CC BY-SA or in the public domain; frames of words counted "
    "in UD_English-EWT, -CHILDES, -ESLSpok (CC BY-SA 4.0) and these documents of UD_English-GUM",
    "source": "https://github.com/ayushoriginal/Multi-Document-Summarization, "
    "https://github.com/kavgan/opinosis-summarization, "
    "https://github.com/viniciusdsmello/wiki-sentence-simplification, "
    "https://github.com/louismartin/dress-data, https://github.com/UniversalDependencies",
    "license": "CC BY-SA 4.0; texts and compressions CC BY-SA 3.0",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of all data")
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--epochs", type=int, default=LearningSettings().epochs)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--documents", action="store_true", help="only weights of single documents")
    return parser.parse_args()


def topics(folder: Path) -> list[Collection]:
    """Read the collections of all genres."""
    return [
        *read_collections(folder / NEWS),
        *list(read_collections(folder / REVIEWS))[::5],
        *read_collections(folder / DOCUMENTS),
    ]


def frames(folder: Path) -> Frames:
    """Count what words need beside them in the training parts of treebanks."""
    files = [
        file
        for name in TREEBANKS
        for file in sorted((folder / "treebanks" / name).glob("train.conllu*"))
    ]
    return Frames.count(sentence for file in files for sentence in read_conllu(file))


def refitted(made: Summarizer, collections: Sequence[Collection]) -> Summarizer:
    """Learn the weights of single documents again; the others are kept."""
    scorer, settings = made.scorer, LearningSettings()
    assert isinstance(scorer, LinearScorer)
    trainer = Trainer(replace(made, scorer=SimpleScorer()), settings, scorer.coverage, scorer.arcs)
    topics = [trainer.topic(collection) for collection in collections]
    weights = trainer.of_documents(topics)
    about = {
        "documents": len(topics),
        "document_regularization": settings.document_regularization,
    }
    return replace(
        made,
        scorer=replace(scorer, weights={**scorer.weights, **weights}),
        info={**made.info, "training": {**made.info.get("training", {}), **about}},
    )


def main() -> None:
    chosen = arguments()
    if chosen.documents:
        refitted(Summarizer.load(), list(read_collections(chosen.data / DOCUMENTS))).save(
            chosen.out
        )
        report_file(chosen.out)
        return
    compressions = [
        compression
        for compression in read_compressions(chosen.data / COMPRESSIONS)
        if compression.more["split"] == "train"
    ]
    collections = topics(chosen.data)
    say(f"{len(collections)} topics and {len(compressions)} compressions to learn from")
    checkpoint = chosen.out.with_name(f"{chosen.out.name}.checkpoint")
    summarizer = Summarizer.train(
        [*collections, *compressions],
        epochs=chosen.epochs,
        seed=chosen.seed,
        threads=chosen.threads,
        checkpoint=checkpoint,
        resume=chosen.resume,
        progress=report_epoch,
        info=INFO,
        frames=frames(chosen.data),
    )
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    summarizer.save(chosen.out)
    remove_checkpoints(checkpoint)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
