"""What is left of sentences as text: only their words, balanced, nothing that dangles."""

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem, random_scores
from tests.summarize.test_source import sentence_of

from treaty.summarize import Source, decode
from treaty.summarize._marks import with_marks
from treaty.summarize._text import text_of_tokens
from treaty.text import Sentence


def left_of(sentence, cut):
    """The text without some words."""
    source = Source(0, 0, sentence)
    keep = np.array([token.form not in cut.split() for token in sentence])
    return text_of_tokens(source, with_marks(source, keep))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("it rained", "It rained."),
        ("it rained +!", "It rained!"),
        ("it rained +;", "It rained."),
        ("“ +why me +? +” he said", "“Why me?” he said."),
        ("he said " + '" +go', 'He said "go."'),
        ('go +, +" he said', '"Go," he said.'),
        ("“ +go +. “ +no", "Go. no."),
        ("it cost $ +5 +, or 5 +%", "It cost $5, or 5%."),
        ("Taliban +- +backed workers +' pay", "Taliban-backed workers' pay."),
        ("( it rained", "It rained."),
        ("a - b", "A - b."),
        ("it rained , and ( she said ) poured .", "It rained, and (she said) poured."),
        ("il pleut ! il neige ?", "Il pleut ! il neige ?"),
    ],
)  # fmt: skip
def test_whole_sentences_are_balanced_and_ended(text, whole):
    sentence = sentence_of(text.replace("( it", "( +it"))
    assert left_of(sentence, "") == whole


def test_words_of_several_tokens_look_as_they_did():
    sentence = Sentence.from_words(["Il", "va", "à", "le", "marché"])
    sentence.other_lines.append((2, "3-4\tau" + 8 * "\t_"))
    assert left_of(sentence, "") == "Il va au marché."


def test_speakers_and_headlines_are_written_as_what_they_are():
    words = Sentence.from_words(["<ann>", "rain", "again"])
    whole = np.ones(3, bool)
    assert text_of_tokens(Source(0, 1, words, is_turn=True), whole) == "<ann> rain again."
    assert text_of_tokens(Source(0, 1, words), whole) == "<Ann> rain again."
    assert text_of_tokens(Source(0, -1, words), whole) == "<Ann> rain again:"


def balanced(text):
    for opening, closing in ("()", "“”"):
        depth = 0
        for character in text:
            depth += (character == opening) - (character == closing)
            if depth < 0:
                return False
        if depth:
            return False
    return text.count('"') % 2 == 0


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=100)
def test_texts_of_summaries(seed):
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=2, longest=12)
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    cuts = np.array([rng.uniform(-1, 2) for _ in problem.source_of])
    keep = decode(problem, concepts + 1, cuts, words=rng.randint(1, 20), iterations=50).keep
    for n, source in enumerate(problem.sources):
        own = keep[problem.begin[n] : problem.begin[n + 1]]
        kept = with_marks(source, own)
        np.testing.assert_array_equal(kept & source.is_word, own & source.is_word)
        text = text_of_tokens(source, kept)
        if not own.any():
            assert text == ""
            continue
        forms = [t.form.lower() for t, k in zip(source.sentence, kept, strict=True) if k]
        said, words = (re.sub('[ "“”]', "", t).removesuffix(".") for t in (text, "".join(forms)))
        assert said.lower() == words
        assert balanced(text)
        assert len(re.findall(r"\w+", text)) <= sum(own & source.is_word)
        assert not text.startswith((",", ".")) and not re.search(r", ?\.$|,,|, ,", text)
        assert text[0].isupper() or not text[0].isalpha()
        assert re.search(r"[.!?…][”\")]*$", text)
