"""The notation of templates, and the kernel against its twin in plain Python."""

import random

import numpy as np
import pytest
from tests.features import reference

from treaty._native import parse as native
from treaty._native.features import Sequences, Weights
from treaty.errors import UsageError
from treaty.features import Family, TemplateSet, attribute, compile_templates
from treaty.parse.trees._words import WORD_COLUMNS

ARC = Family("arc", ("h", "m", "between"), ("dir", "dist"))
COLUMNS = ("form", "lower", "lemma", "upos", "xpos", "feats")
ATTRIBUTES = ["form", "upos", "suffix2", "shape", "feats[Case]"]
BITS = 14


def test_comments_spaces_and_repetitions_are_dropped() -> None:
    templates = TemplateSet.of(
        """
        h.form   m.form   # both words
        # nothing
        m-1.upos m.suffix3(lemma) h.feats[Case]
        h.form m.form
        """
    )
    assert templates.templates == ("h.form m.form", "m-1.upos m.suffix3(lemma) h.feats[Case]")
    assert templates.attributes() == ["form", "upos", "suffix3(lemma)", "feats[Case]"]


@pytest.mark.parametrize(
    ("template", "each", "way_out"),
    [
        ("form", ("",), "write role.attribute"),
        ("h.Form", ("",), "write role.attribute"),
        ("h+.form", ("",), "write role.attribute"),
        ("h..form", ("",), "write role.attribute"),
        ("h.form,m.form", ("",), "write role.attribute"),
        ("g.form", ("",), "there are: h m between"),
        ("h+5.form", ("",), "offsets go to 4"),
        ("h-99.form", ("",), "offsets go to 4"),
        ("h.lemma", ("",), "there are: form upos"),
        ("h.form", ("direction",), "there are: dir dist"),
        ("h.form", (), "1 to 4"),
        ("h.form", ("", "dir", "dist", "dir dist", "dist dir"), "1 to 4"),
    ],
)
def test_errors_tell_the_way_out(template: str, each: tuple[str, ...], way_out: str) -> None:
    with pytest.raises(UsageError, match=way_out):
        compile_templates(ARC, TemplateSet.of(template, each), ATTRIBUTES)


def random_words(rng: random.Random, n: int) -> list[dict[str, str]]:
    forms = ["Rome", "naïve", "日本語", "x", "", "1999", "a\0b"]
    words = []
    for _ in range(n):
        form = rng.choice(forms)
        tag = rng.choice(["NOUN", "VERB", "X"])
        feats = rng.choice(["_", "Case=Nom", "Case=Acc|Number=Sing"])
        values = (form, form.lower(), form, tag, tag, feats)
        words.append(dict(zip(COLUMNS, values, strict=True)))
    return words


def arc_scores(
    words: list[dict[str, str]], templates: TemplateSet, table: np.ndarray
) -> dict[tuple[int, int], float]:
    """The scores of all arcs, natively."""
    sequences = Sequences([attribute(name, WORD_COLUMNS) for name in ATTRIBUTES], True)
    sequences.add([[word[column] for word in words] for column in COLUMNS])

    def model(templates: TemplateSet) -> native.ScoringModel:
        compiled = compile_templates(ARC, templates, ATTRIBUTES)
        return native.ScoringModel([compiled], BITS, ATTRIBUTES.index("upos"), len(ATTRIBUTES))

    scoring = model(templates)
    scoring.weights.values[:] = table
    pruning = native.PrunerOptions()
    pruning.heads, pruning.threshold = len(words), 0.0
    parts = native.candidate_parts(
        sequences, 0, model(TemplateSet.of("")), scoring, [True], pruning, np.zeros(0, np.int32)
    )
    arcs = zip(parts.head.tolist(), parts.modifier.tolist(), strict=True)
    return dict(zip(arcs, parts.scores(scoring, sequences, 0).tolist(), strict=True))


def distance(length: int) -> int:
    longest = (5, 10, 15, 20, 30)
    return length if length <= 5 else 5 + sum(length > limit for limit in longest)


def reference_buckets(
    words: list[dict[str, str]], templates: TemplateSet, h: int, m: int
) -> list[int]:
    rows = reference.rows_of(words, ATTRIBUTES, root=True)
    at = {node: (rows, reference.PADDING + node) for node in range(len(words) + 1)}
    step = 1 if h < m else -1
    kinds = {}  # of every kind of item in between, the nearest to the head
    for node in range(h + step, m, step):
        kinds.setdefault(rows[reference.PADDING + node]["upos"], at[node])
    values = {
        "dir": reference.value_of(1 if h < m else 2),
        "dist": reference.value_of(10 + distance(abs(h - m))),
    }
    places = {"h": at[h], "m": at[m]}
    hashes = reference.features(ARC, templates, places, values, list(kinds.values()))
    return [reference.bucket(h, BITS) for h in hashes]


SETS = [
    TemplateSet.of("h.form m.form"),
    TemplateSet.of("m.upos h.upos m.form", each=("dir dist", "")),
    TemplateSet.of("h-4.form m+4.suffix2 \n h.shape", each=("dist", "dir", "", "dist dir")),
    TemplateSet.of("h.upos between.upos between-1.form m.upos \n m.feats[Case]", each=("dir",)),
    TemplateSet.of("between+4.form"),
]


@pytest.mark.parametrize("templates", SETS)
@pytest.mark.parametrize("n", [1, 2, 7, 34])
def test_buckets_equal_the_reference(templates: TemplateSet, n: int) -> None:
    rng = random.Random(n)
    words = random_words(rng, n)
    # Whole numbers add up exactly; a score tells which buckets went into it.
    table = np.random.default_rng(n).integers(-(2**15), 2**15, 2**BITS).astype(np.float32)
    scores = arc_scores(words, templates, table)
    assert len(scores) == n * n
    for h, m in rng.sample(sorted(scores), min(60, n * n)):
        buckets = reference_buckets(words, templates, h, m)
        assert scores[h, m] == sum(table[b] for b in buckets), (h, m)


def test_one_more_template_moves_no_bucket() -> None:
    words = random_words(random.Random(0), 5)
    table = np.random.default_rng(0).integers(-(2**15), 2**15, 2**BITS).astype(np.float32)
    few = arc_scores(words, TemplateSet.of("h.form m.form"), table)
    more = arc_scores(words, TemplateSet.of("h.upos m.upos\nh.form m.form"), table)
    added = arc_scores(words, TemplateSet.of("h.upos m.upos"), table)
    assert all(more[arc] == few[arc] + added[arc] for arc in few)
    assert any(added.values())


def test_features_of_different_families_never_meet() -> None:
    words, templates = random_words(random.Random(1), 3), TemplateSet.of("h.form m.form")
    rows = reference.rows_of(words, ATTRIBUTES, root=True)
    places = {"h": (rows, 4), "m": (rows, 5)}
    other = Family("other", ARC.roles, ARC.values)
    ours, theirs = (reference.features(f, templates, places, {}) for f in (ARC, other))
    assert set(ours).isdisjoint(theirs)


@pytest.mark.parametrize("bits", [-1, 0, 31, 64])
def test_weight_tables_have_limits(bits: int) -> None:
    with pytest.raises(ValueError, match="buckets"):
        Weights(bits)


def test_weights_without_averaging_are_their_own_average() -> None:
    weights = Weights(3)
    weights.values[:] = np.arange(8)
    assert weights.average().tolist() == list(range(8)) and len(weights.late) == 0
