"""Train the lemmatizer of the English model, and put it into the model's file.

``python -m research.training.train_lemmatizer --data ../shared/data/treebanks --wheel
spacy_lookups_data-1.0.5-py2.py3-none-any.whl`` trains on the treebanks of `TREEBANKS`, on the words
of WordNet (``research/training/lemma_paradigms.py``) and of chats
(``research/training/as_typed.py``), and adds the lemmatizer to ``english.treaty``, or replaces it;
all else stays as it is. Then run ``python -m research.training.refer_again``. The same data give
the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from research.report import report_file, report_scores, say
from research.training.as_typed import LEMMAS, REMARKS, SPELLINGS
from research.training.english_treebanks import MODEL, read
from research.training.lemma_paradigms import WordNet, corrected, paradigms
from treaty.metrics import tagging_scores
from treaty.parse import Lemmatizer, Pipeline
from treaty.text import Sentence, Token

TREEBANKS = ("english-ewt", "english-gum-open", "english-childes")
OTHER_PRONOUNS = ("english-childes",)
"""Treebanks where the lemma of *your* is *you*; the others have *your*."""
LEAST_SEEN = 3
"""Number of times that a word of a chat spelling has been seen with its tags."""
INFO = {
    "language": "English",
    "data": "UD_English-EWT 2.16 (CC BY-SA 4.0), documents of UD_English-GUM under CC BY, CC BY-SA "
    "or in the public domain, UD_English-CHILDES (CC BY-SA 4.0), forms of words of "
    "WordNet 3.0 (WordNet License) in spacy-lookups-data 1.0.5 (MIT)",
    "license": "CC BY-SA 4.0",
}


def examples(folder: Path, wheel: Path | None = None) -> list[Sentence]:
    """Read all that is learned from; pronouns of other conventions have no lemmas."""
    found: list[Sentence] = []
    for name in TREEBANKS:
        for sentence in read(folder / name, "train"):
            if name in OTHER_PRONOUNS:
                sentence.tokens = [
                    replace(token, lemma="_") if token.upos == "PRON" else token
                    for token in sentence.tokens
                ]
            found.append(sentence)
    if wheel is not None:
        words = WordNet.read(wheel)
        say(f"{corrected(words, found)} lemmas of the treebanks are corrected")
        found += paradigms(words, found)
    return found + chat_words(found)


def chat_words(treebank: Iterable[Sentence]) -> list[Sentence]:
    """List spellings of chats as sentences of one word, with the lemmas of the words meant."""
    bases: dict[str, Counter[tuple[str, str, str, str]]] = defaultdict(Counter)
    for sentence in treebank:
        for t in sentence.tokens:
            if t.form.lower() in SPELLINGS and "_" not in (t.lemma, t.xpos) and t.upos != "PROPN":
                bases[t.form.lower()][t.lemma, t.upos, t.xpos, t.feats] += 1
    found = [
        Token(other, lemma=lemma, upos=upos, xpos=xpos, feats=feats)
        for word, seen in sorted(bases.items())
        for spelling in SPELLINGS[word].split()
        for other in dict.fromkeys((spelling, spelling.capitalize()))
        for lemma, upos, xpos, feats in sorted(seen)
        if seen[lemma, upos, xpos, feats] >= LEAST_SEEN
    ]
    found += [
        Token(word, lemma=LEMMAS.get(remark, remark), upos=upos, xpos=xpos)
        for remark, (upos, xpos) in REMARKS.items()
        for word in (remark, remark.capitalize())
    ]
    return [Sentence([token]) for token in found]


def scores_of(pipeline: Pipeline, gold: list[Sentence], threads: int) -> dict[str, float]:
    """Score lemmas of gold tags, and of the pipeline's own tags."""
    assert pipeline.lemmatizer is not None and pipeline.tagger is not None
    own = list(pipeline.tagger.predict(gold, threads=threads))
    found = {"gold tags": gold, "own tags": own}
    return {
        f"LEMMA, {tags}": round(
            tagging_scores(gold, pipeline.lemmatizer.predict(given, threads=threads)).lemma.value, 4
        )
        for tags, given in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the treebanks")
    parser.add_argument("--wheel", type=Path, help="of spacy-lookups-data, for words of WordNet")
    parser.add_argument("--model", type=Path, default=MODEL, help="where to put the lemmatizer")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", action="store_true", help="score on the test data of EWT, too")
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    chosen = parser.parse_args()
    options = {"epochs": chosen.epochs, "seed": chosen.seed, "threads": chosen.threads}
    pipeline = Pipeline.load(chosen.model)
    trained = Lemmatizer.train(examples(chosen.data, chosen.wheel), info=INFO, **options)
    pipeline.lemmatizer = Lemmatizer.from_bytes(trained.to_bytes())  # score what is stored
    for name in TREEBANKS:
        found = scores_of(pipeline, read(chosen.data / name, "dev"), chosen.threads)
        report_scores("lemmatizer", f"{name} dev", found, chosen.runs)
        if name == TREEBANKS[0]:
            pipeline.lemmatizer.info["scores"] = found
            pipeline.info.setdefault("scores", {}).update(found)
    pipeline.info["lemmatizer data"] = INFO["data"]
    pipeline.save(chosen.model)
    if chosen.test:
        gold = read(chosen.data / TREEBANKS[0], "test")
        found = scores_of(Pipeline.load(chosen.model), gold, chosen.threads)
        report_scores("lemmatizer", "test", found, chosen.runs)
    report_file(chosen.model)


if __name__ == "__main__":
    main()
