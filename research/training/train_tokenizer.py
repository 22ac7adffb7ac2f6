"""Train the tokenizer of the English model, and put it into the model's file.

``python -m research.training.train_tokenizer --data ../shared/data/treebanks`` trains on the
treebanks of `TREEBANKS` and replaces the tokenizer of ``english.treaty``; tagger and parser stay as
they are. The seed is fixed: the same data give the same bytes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from research.report import report_epoch, report_file, report_scores
from research.training.english_treebanks import MODEL, raw_text, read
from treaty.metrics import aligned_scores
from treaty.parse import Abbreviations, Pipeline, Tokenizer
from treaty.text import Sentence, Token

TREEBANKS = {"english-ewt": "train", "english-gum-open": "train", "english-ctetex": "test"}
"""What is learned from; UD_English-CTeTex has one file."""
INFO = {
    "language": "English",
    "data": "UD_English-EWT 2.16 (CC BY-SA 4.0), documents of UD_English-GUM under CC BY, CC BY-SA "
    "or in the public domain, UD_English-CTeTex (CC BY-SA 4.0)",
    "license": "CC BY-SA 4.0",
}

APOSTROPHES = str.maketrans("", "", "'\u2019")
SHORT_FORMS = frozenset({"n't", "'m", "'re", "'ve", "'ll", "'s", "'d"})
WORDS = frozenset(
    {"its", "ill", "well", "were", "shell", "hell", "wed", "shed", "id", "whore", "hed"}
)
"""What could be another word without its apostrophe, and is not split then."""
SHARE = 0.3
"""Of the sentences with short forms, so many are also learned from without apostrophes."""


def without_apostrophes(sentences: Iterable[Sentence], drawn: random.Random) -> Iterator[Sentence]:
    """Copy some sentences as people type them: *youre*, *didnt*, often in lower case."""
    for sentence in sentences:
        tokens = [*map(replace, sentence.tokens)]
        places = [
            i
            for i, token in enumerate(tokens[1:], 1)
            if token.form.lower().replace("\u2019", "'") in SHORT_FORMS
            and token.upos in ("AUX", "PART", "PRON", "VERB")
            and token.lemma != "'s"
            and (tokens[i - 1].form + token.form).translate(APOSTROPHES).lower() not in WORDS
        ]
        if not places or drawn.random() >= SHARE:
            continue
        lower = drawn.random() < 0.5
        for i in places:
            tokens[i].form = tokens[i].form.translate(APOSTROPHES)
        yield _retyped(sentence, tokens, lower)


def _retyped(sentence: Sentence, tokens: list[Token], lower: bool) -> Sentence:
    """Return a sentence with other forms; those of multiword tokens follow from their words."""
    lines = []
    for place, line in sentence.other_lines:
        number, form, *rest = line.split("\t")
        first, _, last = number.partition("-")
        if last:
            form = "".join(token.form for token in tokens[int(first) - 1 : int(last)])
        lines.append((place, "\t".join([number, form.lower() if lower else form, *rest])))
    if lower:
        tokens = [replace(token, form=token.form.lower()) for token in tokens]
    return Sentence(tokens, [c for c in sentence.comments if not c.startswith("# text")], lines)


def scores_of(tokenizer: Tokenizer, gold: list[Sentence]) -> dict[str, float]:
    """Score the raw text of a treebank."""
    found = aligned_scores(gold, tokenizer.sentences(raw_text(gold)))
    return {"words": round(found.words.f1, 4), "sentences": round(found.sentences.f1, 4)}


def raw_scores(pipeline: Pipeline, gold: list[Sentence]) -> dict[str, float]:
    """Score the trees of raw text, which depend on the tokenizer."""
    parses = pipeline.parse_text(raw_text(gold))
    found = aligned_scores(gold, [parse.sentence for parse in parses])
    scores = {"sentences": found.sentences, "words": found.words, "LAS": found.las}
    return {f"{name}, raw text": round(score.f1, 4) for name, score in scores.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the treebanks")
    parser.add_argument("--model", type=Path, default=MODEL, help="where to replace the tokenizer")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, metavar="FILE", help="scores as JSON lines")
    chosen = parser.parse_args()
    examples = [s for name, split in TREEBANKS.items() for s in read(chosen.data / name, split)]
    examples += without_apostrophes(examples.copy(), random.Random(chosen.seed))
    tokenizer = Tokenizer.train(
        examples,
        abbreviations=Abbreviations.of_language("english"),
        seed=chosen.seed,
        threads=chosen.threads,
        progress=report_epoch,
        info=INFO,
    )
    scores = {}
    for name in ("english-ewt", "english-gum-open"):
        found = scores_of(tokenizer, read(chosen.data / name, "dev"))
        report_scores("tokenizer", f"{name} dev", found, chosen.runs)
        scores |= {f"{key}, {name} dev": value for key, value in found.items()}
    tokenizer.info["scores"] = scores
    pipeline = Pipeline.load(chosen.model)
    pipeline.tokenizer = tokenizer
    pipeline.info["tokenizer data"] = INFO["data"]
    pipeline.info["scores"] |= raw_scores(pipeline, read(chosen.data / "english-ewt", "dev"))
    pipeline.save(chosen.model)
    report_file(chosen.model)


if __name__ == "__main__":
    main()
