"""Go on training the parser or the tagger of the English model.

``python -m research.training.go_on_english --data ../shared/data/treebanks --predicted
tags.conllu`` takes an epoch over a part of the mixture, with gold tags and with predicted ones, and
over sentences with rare clauses (``research/training/clauses.py``). Scores are linear in the
weights, so that the mean of both parsers costs no more than one, and is better than either. Tagger,
pruner and the other parts stay. With ``--tagger 5`` it is the tagger that goes on, for five epochs
over the whole mixture. Then run ``research.training.calibrate_english`` and
``research.training.refer_again``.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

from research.report import report_epoch, report_file, say
from research.training.clauses import MADE
from research.training.english_treebanks import MODEL, is_parsed, mixture
from research.training.train_english import average, mix
from treaty.learn import ModelFile
from treaty.parse import Clusters, Parser, Pipeline, Tagger
from treaty.text import Sentence, read_conllu

SHARES = {"varied": 0.06, "short": 2.0, "clauses": 0.06}
"""Copies in the mixture, as in ``research.training.train_english``."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the treebanks")
    parser.add_argument(
        "--predicted",
        type=Path,
        help="the tags that research.training.train_english has made by jackknifing",
    )
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--out", type=Path, default=MODEL)
    parser.add_argument("--sentences", type=int, default=16_000, help="so many with either tags")
    parser.add_argument("--clauses", type=float, default=0.1, help="share of copies with clauses")
    parser.add_argument("--seeds", type=int, default=3, help="the mean of so many parsers")
    parser.add_argument("--share", type=float, default=0.5, help="of the new weights in the mean")
    parser.add_argument(
        "--tagger", type=int, metavar="EPOCHS", help="go on with the tagger instead"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def chosen_sentences(chosen: argparse.Namespace, labels: Sequence[str]) -> list[Sentence]:
    """Draw sentences with gold and with predicted tags; all that have rare clauses are taken.

    Sentences with labels that the parser does not know are left out.
    """
    drawn = random.Random(chosen.seed)
    every = mixture(chosen.data, varied=0.06, clauses=chosen.clauses, seed=chosen.seed)
    gold = [s for s in every if len(s) and is_parsed(s) and MADE not in s.comments]
    found = [s for s in every if MADE in s.comments and is_parsed(s)]
    predicted = list(read_conllu(chosen.predicted)) if chosen.predicted else []
    for some in (gold, [s for s in predicted if len(s) and is_parsed(s)]):
        found += drawn.sample(some, min(len(some), chosen.sentences))
    known = set(labels)
    return [s for s in found if known.issuperset(token.deprel for token in s.tokens)]


def go_on_with_tagger(chosen: argparse.Namespace, pipeline: Pipeline) -> None:
    assert pipeline.tagger is not None
    lexicon = Clusters.of_model(ModelFile.read(chosen.model), "lexicon.")
    sentences = mixture(chosen.data, **SHARES, lexicon=lexicon, seed=chosen.seed)
    say(f"{len(sentences)} sentences to learn from")
    before = pipeline.tagger
    pipeline.tagger = Tagger.train(
        sentences,
        from_model=before,
        epochs=chosen.tagger,
        seeds=chosen.seeds,
        seed=chosen.seed,
        threads=chosen.threads,
        progress=report_epoch,
    )
    for own, other in zip(pipeline.tagger.taggers, before.taggers, strict=True):
        mix(own.model.weights.values, other.model.weights.values, 1.0 - chosen.share)


def go_on_with_parser(chosen: argparse.Namespace, pipeline: Pipeline) -> None:
    tagger, before = pipeline.tagger, pipeline.parser
    assert tagger is not None
    sentences = tagger.complete(chosen_sentences(chosen, before.labels), threads=chosen.threads)
    say(f"{len(sentences)} sentences to learn from")
    parser = Parser.train(
        sentences,
        from_model=before,
        epochs=1,
        seeds=chosen.seeds,
        seed=chosen.seed,
        threads=chosen.threads,
        progress=report_epoch,
    )
    parser.pruner_model.weights.values[:] = before.pruner_model.weights.values
    parser.calibration, parser.info = before.calibration, before.info
    average(parser, before, 1.0 - chosen.share)
    pipeline.parser = parser


def main() -> None:
    chosen = arguments()
    pipeline = Pipeline.load(chosen.model)
    if chosen.tagger:
        go_on_with_tagger(chosen, pipeline)
    else:
        go_on_with_parser(chosen, pipeline)
    pipeline.save(chosen.out)
    report_file(chosen.out)


if __name__ == "__main__":
    main()
