"""Training of pipelines: tokenizer, tagger, lemmatizer and parser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any

from treaty.errors import UsageError, check_threads
from treaty.learn import checkpoint_of
from treaty.parse._clusters import Clusters
from treaty.parse._column_tagger import TAG_COLUMNS, has_column
from treaty.parse._confidences import calibrate
from treaty.parse._jackknife import jackknife
from treaty.parse._lemmatizer import Lemmatizer, has_lemmas
from treaty.parse._parser import Parser
from treaty.parse._pipeline import Pipeline
from treaty.parse._spacing import tells_spaces, with_usual_spaces, writes_spaces
from treaty.parse._tagger import Tagger
from treaty.parse._tokenizer import Tokenizer
from treaty.progress import OnProgress
from treaty.text import Sentence, read_conllu, write_conllu

__all__ = ["train_pipeline"]


def train_pipeline(
    examples: Iterable[Sentence],
    dev: Iterable[Sentence] = (),
    *,
    from_model: Pipeline | None = None,
    tokenizer: bool = True,
    tagger: bool = True,
    lemmatizer: bool = True,
    clusters: Clusters | None = None,
    folds: int = 0,
    with_tree: Callable[[Sentence], bool] | None = None,
    seed: int = 1,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: OnProgress | None = None,
    info: Mapping[str, Any] | None = None,
    tokenizer_options: Mapping[str, Any] | None = None,
    tagger_options: Mapping[str, Any] | None = None,
    lemmatizer_options: Mapping[str, Any] | None = None,
    fold_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Pipeline:
    """Train a tokenizer, a tagger, a lemmatizer and a parser on a treebank.

    Parameters
    ----------
    examples, dev
        Sentences with tags and trees. Scores on `dev` are reported and stored, and confidences are
        calibrated on it; nothing else is tuned on it.
    from_model
        A pipeline to go on from: its parts are trained further, with their features and settings;
        labels, tags and words that they do not know are added. Parts for which the treebank has no
        data stay as they are.
    tokenizer
        Whether to train one. If the treebank does not record white space (``SpaceAfter=No``), it is
        supposed to be as usual around marks; none is trained for a script without white space.
    tagger
        Whether to train one, for those of the columns UPOS, XPOS and FEATS that are not empty.
    lemmatizer
        Whether to train one; none is trained if the treebank has no lemmas.
    clusters
        Word clusters for the features of tagger and parser; stored in the model.
    folds
        If not 0, the parser is trained with gold tags and with tags predicted by jackknifing with
        this number of folds (see `jackknife`), which makes it robust to tagging errors: its
        trainings (``seeds``, at least two) take them in turn, so that none sees a sentence twice
        and learns its words by heart.
    with_tree
        Which sentences the parser learns from; by default all. The others serve the tagger only.
    seed, threads
        The seed of the order of the sentences; the number of threads, which does not affect the
        result.
    checkpoint, resume
        A path whose files (``.tokenizer``, ``.upos``, ``.trees``…) hold the state after each epoch,
        and whether to continue from there, to the same bytes as an uninterrupted run.
    progress
        Called with `treaty.Progress` events.
    info
        Stored in the model file: language, data, license.
    tokenizer_options, tagger_options, lemmatizer_options, **options
        Other options of `Tokenizer.train`, `Tagger.train`, `Lemmatizer.train` and `train_parser`.
    fold_options
        Options that differ for the taggers of the folds, such as fewer ``epochs``; each is trained
        once, even if ``seeds`` is larger.
    """
    check_threads(threads)
    sentences, held_out = [s for s in examples if len(s)], [s for s in dev if len(s)]
    if not sentences:
        raise UsageError("there are no sentences to train on")
    common: dict[str, Any] = {
        "seed": seed,
        "threads": threads,
        "resume": resume,
        "progress": progress,
    }
    made_tokenizer: Tokenizer | None = None
    made_tagger: Tagger | None = None
    made_lemmatizer: Lemmatizer | None = None
    if from_model is not None:
        tagger, clusters = tagger and from_model.tagger is not None, None
        made_tokenizer, made_tagger = from_model.tokenizer, from_model.tagger
        made_lemmatizer = from_model.lemmatizer
        options["from_model"] = from_model.parser
        tokenizer_options = {**(tokenizer_options or {}), "from_model": made_tokenizer}
        lemmatizer_options = {**(lemmatizer_options or {}), "from_model": made_lemmatizer}
    told = tells_spaces(sentences)
    if tokenizer and (told or (from_model is None and writes_spaces(sentences))):
        made_tokenizer = Tokenizer.train(
            sentences if told else with_usual_spaces(sentences),
            held_out if told else with_usual_spaces(held_out),
            **{**common, **(tokenizer_options or {})},
            checkpoint=checkpoint_of(checkpoint, Tokenizer.task),
        )
        made_tokenizer.info |= {} if told else {"spaces": "supposed, not those of the treebank"}
    chosen = [with_tree is None or with_tree(sentence) for sentence in sentences]
    seen = list(compress(sentences, chosen))
    versions = [seen]
    columns = _filled_columns(sentences)
    if tagger and columns:
        named: dict[str, Any] = {"columns": columns, "clusters": clusters}
        if from_model is not None:
            named = {"from_model": from_model.tagger}
        own = {**common, **named, **(tagger_options or {})}
        made_tagger = Tagger.train(sentences, held_out, checkpoint=checkpoint, **own)
        if folds:
            again = {name: own[name] for name in own if name not in ("resume", "seeds")}
            again |= fold_options or {}
            predicted = compress(_jackknifed(sentences, folds, checkpoint, resume, again), chosen)
            versions = [seen, list(predicted)]
            options["seeds"] = max(len(versions), options.get("seeds", 1))
        versions = [made_tagger.complete(version, threads=threads) for version in versions]
    if lemmatizer and has_lemmas(sentences):
        made_lemmatizer = Lemmatizer.train(
            sentences,
            held_out if has_lemmas(held_out) else (),
            **{**common, **(lemmatizer_options or {})},
            checkpoint=checkpoint_of(checkpoint, Lemmatizer.task),
        )
    options |= common | {"clusters": clusters, "checkpoint": checkpoint}
    if from_model is not None and from_model.tagger is not None:  # with tags as the parser knows
        versions = [from_model.tagger.complete(v, threads=threads) for v in versions]
        held_out = from_model.tagger.complete(held_out, threads=threads)
    mixed = [versions[i % len(versions)][i] for i in range(len(seen))]
    parser = Parser.train(mixed, held_out, versions=versions, **options)
    known = {} if from_model is None else {**from_model.info, "from": parser.info["from"]}
    about = {
        **known,
        **(info or {}),
        "training": {**parser.info["training"], "sentences": len(sentences)},
    }
    pipeline = Pipeline(parser, made_tagger, made_tokenizer, about, made_lemmatizer)
    if held_out:
        calibrate(pipeline, held_out, threads)
        pipeline.info["scores"] = _scores(pipeline, held_out, threads)
    return pipeline


def _filled_columns(sentences: Sequence[Sentence]) -> tuple[str, ...]:
    return tuple(
        column
        for column in TAG_COLUMNS
        if any(has_column(sentence, column) for sentence in sentences)
    )


def _jackknifed(
    sentences: list[Sentence],
    folds: int,
    checkpoint: str | Path | None,
    resume: bool,
    options: Mapping[str, Any],
) -> list[Sentence]:
    """Tag the training set by jackknifing; the tags are stored in a file for `resume`."""
    kept = checkpoint_of(checkpoint, "jackknife.conllu")
    if kept is not None and resume and kept.exists():
        tagged = list(read_conllu(kept))
        if [s.words for s in tagged] == [s.words for s in sentences]:
            return tagged
    tagged = jackknife(sentences, folds=folds, **options)
    if kept is not None:
        write_conllu(tagged, kept)
    return tagged


def _scores(pipeline: Pipeline, gold: Sequence[Sentence], threads: int) -> dict[str, float]:
    """Score all parts on dev data; trees with predicted tags, and with gold tags."""
    scores = dict(pipeline.parser.info["scores"])
    for part in (pipeline.tokenizer, pipeline.tagger, pipeline.lemmatizer):
        scores |= part.info.get("scores", {}) if part is not None else {}
    if pipeline.tagger is not None:
        own = pipeline.evaluate(gold, threads=threads)
        scores |= {f"{name}, predicted tags": value for name, value in own.items()}
    return {name: round(value, 4) for name, value in scores.items()}
