"""The treebanks of the English model, brought to the conventions of UD_English-EWT.

The treebanks differ in what they annotate and in some conventions. A column that a treebank does
not have stays empty; training leaves such sentences out of that column. Of what differs, the
frequent cases are changed by rules; the counts are in ``docs/results/parsing.md``.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

from research.report import ROOT
from research.training.as_typed import as_typed, bulleted
from research.training.clauses import Clauses
from research.training.make_lexicon import verbs_and_nouns
from research.training.short_sentences import short_sentences
from treaty.parse import Clusters
from treaty.text import Sentence, Token, read_conllu, text_of

MODEL = ROOT / "src" / "treaty" / "shipped" / "english.treaty"
SOURCES = {
    "english-ewt": ("train", "UD_English-EWT 2.16 (CC BY-SA 4.0)"),
    "english-gum-open": (
        "train",
        "documents of UD_English-GUM under CC BY, CC BY-SA or in the public domain",
    ),
    "english-childes": ("train", "UD_English-CHILDES (CC BY-SA 4.0)"),
    "english-eslspok": ("train", "UD_English-ESLSpok (CC BY-SA 4.0)"),
    "english-pronouns": ("test", "UD_English-Pronouns (CC BY-SA 4.0)"),
}
"""Folder, part and name of each treebank; UD_English-Pronouns has one file."""
DEV = ("english-ewt", "english-gum-open", "english-childes", "english-eslspok")

LABELS = {
    "obl:tmod": "obl:unmarked",
    "obl:npmod": "obl:unmarked",
    "nmod:tmod": "nmod:unmarked",
    "nmod:npmod": "nmod:unmarked",
    "flat:foreign": "flat",
}
MARKS = {"?": ".", "!": ".", '"': "``"}
COMMA_LIKE = frozenset({";", "--", "/", "—", "–"})
"""Marks that EWT tags as commas, GUM as colons or symbols."""
INDEFINITE = frozenset(
    f"{some}{kind}"
    for some in ("some", "any", "every", "no")
    for kind in ("thing", "one", "body")
    if some + kind != "noone"
)
GRADED = frozenset(
    {"well", "far", "soon", "long", "hard", "early", "late", "little", "badly", "high", "close"}
    | {"fast", "low"}
)
"""The adverbs that have Degree=Pos in EWT; in GUM most have."""
TAGS_ONLY = "# tags only"
"""Comment of sentences that the parser does not learn from."""
PARSED = 0.1
"""Share of the short sentences that the parser learns from."""
BULLETED = 0.08
"""Share of the short sentences that are items of a list."""
DOCUMENT = 20
"""Number of sentences taken as a document where a treebank has none."""
WITHOUT_FEATURES = frozenset({"english-childes", "english-eslspok", "english-pronouns"})


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


def mixture(
    folder: Path,
    most: int | None = None,
    *,
    varied: float = 0.0,
    short: float = 0.0,
    clauses: float = 0.0,
    lexicon: Clusters | None = None,
    seed: int = 1,
) -> list[Sentence]:
    """Read all training data, with the conventions of EWT.

    After a share of sentences there are copies as people type (`varied`;
    ``research/training/as_typed.py``). After each sentence there are `short` short sentences for
    each clause, some with verbs of the `lexicon` that are nouns, too. After a share of the
    sentences there are copies with other `clauses` (``research/training/clauses.py``). Copies stay
    in the document of the original, so that jackknifing does not learn from them what it tags.
    """
    drawn, parted, found = random.Random(seed), random.Random(-seed), list[Sentence]()
    verbs = verbs_and_nouns(lexicon) if lexicon is not None else []
    for name, (split, _) in SOURCES.items():
        sentences = read(folder / name, split, most)
        maker = Clauses([harmonized(name, s) for s in sentences] if clauses else [], verbs)
        has_documents = any(_begins_document(s) for s in sentences)
        for number, sentence in enumerate(sentences):
            own = harmonized(name, sentence)
            if not has_documents and number % DOCUMENT == 0:
                own.comments.insert(0, f"# newdoc id = {name}-{number}")
            copies = as_typed(own, varied, drawn)
            copies += maker.copies(own, clauses, drawn) if clauses else []
            made: list[Sentence] = []
            for part in range(math.ceil(short)):
                made += short_sentences(own, min(1.0, short - part), verbs, drawn)
            made = [_perhaps_bulleted(sentence, drawn) for sentence in made]
            found += _for_tags_or_trees([own, *copies], made, parted)
    return found


def _perhaps_bulleted(sentence: Sentence, drawn: random.Random) -> Sentence:
    item = bulleted(sentence, drawn) if drawn.random() < BULLETED else None
    return sentence if item is None else replace(item, comments=list(sentence.comments))


def _for_tags_or_trees(
    versions: list[Sentence], made: list[Sentence], drawn: random.Random
) -> list[Sentence]:
    """Mark what the parser does not learn from: most short ones, all versions but one.

    A parser that sees a sentence twice learns its words by heart.
    """
    chosen = drawn.randrange(len(versions))
    for number, sentence in enumerate(versions):
        if number != chosen:
            sentence.comments.append(TAGS_ONLY)
    for sentence in made:
        if drawn.random() >= PARSED:
            sentence.comments.append(TAGS_ONLY)
    return versions + made


def is_parsed(sentence: Sentence) -> bool:
    """Whether the parser learns from a sentence."""
    return TAGS_ONLY not in sentence.comments


def _begins_document(sentence: Sentence) -> bool:
    return any(comment.startswith("# newdoc") for comment in sentence.comments)


def harmonized(name: str, sentence: Sentence) -> Sentence:
    """Change a sentence of a treebank to the conventions of EWT."""
    if name == "english-ewt":
        return sentence
    tokens = [_harmonized(replace(token), name) for token in sentence.tokens]
    return Sentence(tokens, list(sentence.comments), list(sentence.other_lines))


def _harmonized(token: Token, name: str) -> Token:
    lower = token.form.lower()
    token.deprel = LABELS.get(token.deprel, token.deprel)
    token.xpos = MARKS.get(token.xpos, token.xpos)
    if token.xpos == "WRB" and token.upos in ("SCONJ", "ADV"):
        token.upos, token.deprel = "ADV", token.deprel.replace("mark", "advmod")
    elif lower in INDEFINITE and token.upos == "NOUN":
        token.upos = "PRON"
    elif lower == "to" and token.upos == "PART" and token.deprel == "case":
        token.upos, token.xpos = "ADP", "IN"
    elif lower == "else" and token.upos == "ADJ":
        token.upos, token.xpos = "ADV", "RB"
    elif lower == "united" and token.xpos == "NNP":
        token.upos = "ADJ"
    elif token.form in COMMA_LIKE and token.upos == "PUNCT" and token.xpos in (":", "SYM"):
        token.xpos = ","
    graded = token.upos != "ADV" or lower in GRADED or token.feats != "Degree=Pos"
    annotated = name not in WITHOUT_FEATURES
    token.feats = _features(token.feats) if annotated and graded else "_"
    return token


def _features(feats: str) -> str:
    """Leave out the number of *you* and the person of imperatives, as EWT does."""
    values = feats.split("|")
    if "Person=2" not in values:
        return feats
    if "PronType=Prs" in values:
        values = [v for v in values if not v.startswith("Number=")]
    elif "Mood=Imp" in values:
        values.remove("Person=2")
    return "|".join(values)
