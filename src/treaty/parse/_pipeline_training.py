"""Training all that it takes to parse a language's text: tokenizer, tagger, parser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from treaty.corpus import Sentence, read_conllu, write_conllu
from treaty.errors import UsageError
from treaty.parse._clusters import Clusters
from treaty.parse._jackknife import jackknife
from treaty.parse._parser import Parser
from treaty.parse._pipeline import Pipeline
from treaty.parse._tagger import TAG_COLUMNS, Tagger
from treaty.parse._tokenizer import Tokenizer

__all__ = ["train_pipeline"]

Report = Callable[[str, int, int, int, Mapping[str, float] | None], object]


def train_pipeline(
    train: Iterable[Sentence],
    dev: Iterable[Sentence] = (),
    *,
    tokenizer: bool = True,
    tagger: bool = True,
    clusters: Clusters | None = None,
    folds: int = 0,
    seed: int = 1,
    threads: int = 1,
    checkpoint: Path | None = None,
    resume: bool = False,
    report: Report | None = None,
    info: Mapping[str, Any] | None = None,
    tokenizer_options: Mapping[str, Any] | None = None,
    tagger_options: Mapping[str, Any] | None = None,
    fold_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Pipeline:
    """Train a tokenizer, a tagger and a parser on a treebank.

    Parameters
    ----------
    train, dev
        Sentences with tags and trees. Scores on `dev` are told and kept; nothing is tuned on them.
    tokenizer
        Whether to train one; there is none where the treebank does not tell its white space.
    tagger
        Whether to train one, for the columns UPOS, XPOS and FEATS as far as they are filled.
    clusters
        Paths of words that tagger and parser may look at; the model keeps them.
    folds
        If not 0, the parser sees every sentence twice: with gold tags, and with tags predicted by
        taggers that have not seen it (`jackknife`, of so many folds). That makes it robust to the
        mistakes of its own tagger.
    seed, threads
        What the order of the sentences depends on; sentences looked at at a time, on which nothing
        depends.
    checkpoint, resume
        A path whose files (``.tokenizer``, ``.upos``, ``.trees``…) hold the state after each epoch,
        and whether to go on from there, to the same bytes as an unbroken run.
    report
        Called with the stage, epoch, sentences seen, sentences in all, and scores at the end of an
        epoch.
    info
        Kept in the model file: language, treebank, license.
    tokenizer_options, tagger_options, **options
        Others of `Tokenizer.train`, `Tagger.train` and `train_parser`.
    fold_options
        What the taggers of the folds do otherwise, such as fewer ``epochs``; each of them is
        trained once, also where there are more ``seeds``.
    """
    examples, held_out = [s for s in train if len(s)], [s for s in dev if len(s)]
    if not examples:
        raise UsageError("there are no sentences to train on")
    common: dict[str, Any] = {"seed": seed, "threads": threads, "resume": resume}
    made_tokenizer = made_tagger = None
    if tokenizer and _tells_spaces(examples):
        made_tokenizer = Tokenizer.train(
            examples,
            **{**common, **(tokenizer_options or {})},
            checkpoint=checkpoint and checkpoint.with_name(f"{checkpoint.name}.tokenizer"),
            report=report and _named("tokenizer", report),
        )
    seen = examples
    columns = _filled_columns(examples)
    if tagger and columns:
        own = {**common, "columns": columns, "clusters": clusters, "report": report}
        own |= tagger_options or {}
        made_tagger = Tagger.train(examples, dev=held_out, checkpoint=checkpoint, **own)
        if folds:
            again = {name: own[name] for name in own if name not in ("resume", "seeds")}
            again |= fold_options or {}
            seen = examples + _jackknifed(examples, folds, checkpoint, resume, again)
    options |= common | {"clusters": clusters, "checkpoint": checkpoint, "report": report}
    parser = Parser.train(seen, held_out, **options)
    pipeline = Pipeline(parser, made_tagger, made_tokenizer, info)
    if held_out and made_tagger is not None:
        pipeline.info["dev"] = _scores_with_own_tags(pipeline, held_out, threads)
    return pipeline


def _tells_spaces(sentences: Sequence[Sentence]) -> bool:
    return any("SpaceAfter=No" in misc for s in sentences for _, misc in s.surface())


def _filled_columns(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    return tuple(
        column
        for column in TAG_COLUMNS
        if any(getattr(token, column) != "_" for s in sentences for token in s.tokens)
    )


def _named(stage: str, report: Report) -> Callable[..., object]:
    return lambda *progress: report(stage, *progress)


def _jackknifed(
    sentences: list[Sentence],
    folds: int,
    checkpoint: Path | None,
    resume: bool,
    options: Mapping[str, Any],
) -> list[Sentence]:
    """Tag the training set by taggers that have not seen it; kept in a file for `resume`."""
    kept = checkpoint and checkpoint.with_name(f"{checkpoint.name}.jackknife.conllu")
    if kept is not None and resume and kept.exists():
        tagged = list(read_conllu(kept))
        if [s.words for s in tagged] == [s.words for s in sentences]:
            return tagged
    tagged = jackknife(sentences, folds=folds, **options)
    if kept is not None:
        write_conllu(tagged, kept)
    return tagged


def _scores_with_own_tags(
    pipeline: Pipeline, gold: Sequence[Sentence], threads: int
) -> dict[str, float]:
    """Score words with the right head, and with the right head and label, over predicted tags."""
    words = heads = labels = 0
    parses = pipeline.parse_sentences(gold, tags="predict", threads=threads)
    for sentence, parse in zip(gold, parses, strict=True):
        for right, found in zip(sentence.tokens, parse.sentence.tokens, strict=True):
            words += 1
            heads += right.head == found.head
            labels += right.head == found.head and right.deprel == found.deprel
    return {
        "UAS, predicted tags": round(heads / words, 4),
        "LAS, predicted tags": round(labels / words, 4),
    }
