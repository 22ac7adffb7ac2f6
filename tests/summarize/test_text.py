"""What is left of sentences as text: only their words, balanced, nothing that dangles."""

import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.summarize.random_problems import random_problem, random_scores
from tests.summarize.test_rules import parsed
from tests.summarize.test_source import sentence_of

from treaty.corpus import Sentence
from treaty.summarize import Source, decode
from treaty.summarize._marks import with_marks
from treaty.summarize._text import text_of_tokens


def left_of(sentence, cut):
    """The text without some words."""
    source = Source(0, 0, sentence)
    keep = np.array([token.form not in cut.split() for token in sentence])
    return text_of_tokens(source, with_marks(source, keep))


CAME = parsed(
    "When he came +, sadly +, she slept in bed +, which was soft +.",
    "ADV:3:advmod", "PRON:3:nsubj", "VERB:8:advcl", "PUNCT:3:punct", "ADV:8:advmod",
    "PUNCT:5:punct", "PRON:8:nsubj", "VERB:0:root", "ADP:10:case", "NOUN:8:obl", "PUNCT:14:punct",
    "PRON:14:nsubj", "AUX:14:cop", "ADJ:10:acl:relcl", "PUNCT:8:punct",
)  # fmt: skip
MEN = parsed(
    "Men met on Sunday +, May 5 +, to raise money in Rome — a city — at noon +.",
    "NOUN:2:nsubj", "VERB:0:root", "ADP:4:case", "PROPN:2:obl", "PUNCT:6:punct", "PROPN:4:appos",
    "NUM:6:nummod", "PUNCT:6:punct", "PART:10:mark", "VERB:2:advcl", "NOUN:10:obj", "ADP:13:case",
    "PROPN:10:obl", "PUNCT:16:punct", "DET:16:det", "NOUN:13:appos", "PUNCT:16:punct",
    "ADP:19:case", "NOUN:10:obl", "PUNCT:2:punct",
)  # fmt: skip
LOST = parsed(
    "Men +, who were lost since May +, slept +.",
    "NOUN:9:nsubj", "PUNCT:5:punct", "PRON:5:nsubj", "AUX:5:cop", "ADJ:1:acl:relcl", "ADP:7:case",
    "PROPN:5:obl", "PUNCT:5:punct", "VERB:0:root", "PUNCT:9:punct",
)  # fmt: skip
ROB = parsed(
    "Rob +, the mayor +, slept ( +or dozed +) late +, said “ +Ann +. +”",
    "PROPN:6:nsubj", "PUNCT:4:punct", "DET:4:det", "NOUN:1:appos", "PUNCT:4:punct", "VERB:0:root",
    "PUNCT:9:punct", "CCONJ:9:cc", "VERB:6:conj", "PUNCT:9:punct", "ADV:6:advmod", "PUNCT:6:punct",
    "VERB:6:parataxis", "PUNCT:15:punct", "PROPN:13:nsubj", "PUNCT:6:punct", "PUNCT:15:punct",
)  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "cut", "text"),
    [
        (CAME, "", "When he came, sadly, she slept in bed, which was soft."),
        (CAME, "sadly", "When he came, she slept in bed, which was soft."),
        (CAME, "When he came", "Sadly, she slept in bed, which was soft."),
        (CAME, "When he came sadly", "She slept in bed, which was soft."),
        (CAME, "which was soft", "When he came, sadly, she slept in bed."),
        (CAME, "sadly in bed which was soft", "When he came, she slept."),
        (MEN, "", "Men met on Sunday, May 5, to raise money in Rome — a city — at noon."),
        (MEN, "May 5", "Men met on Sunday to raise money in Rome — a city — at noon."),
        (MEN, "a city", "Men met on Sunday, May 5, to raise money in Rome at noon."),
        (MEN, "to raise money in Rome a city at noon", "Men met on Sunday, May 5."),
        (LOST, "since May", "Men, who were lost, slept."),
        (LOST, "who were lost since May", "Men slept."),
        (ROB, "", "Rob, the mayor, slept (or dozed) late, said “Ann.”"),
        (ROB, "the mayor", "Rob slept (or dozed) late, said “Ann.”"),
        (ROB, "or dozed", "Rob, the mayor, slept late, said “Ann.”"),
        (ROB, "or dozed late", "Rob, the mayor, slept, said “Ann.”"),
        (ROB, "said Ann", "Rob, the mayor, slept (or dozed) late."),
        (ROB, "the mayor or dozed late said Ann", "Rob slept."),
    ],
)
def test_commas_brackets_and_quotes(sentence, cut, text):
    assert left_of(sentence, cut) == text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("it rained", "It rained."),
        ("it rained +!", "It rained!"),
        ("it rained +;", "It rained."),
        ("“ +why me +? +” he said", "“Why me?” he said."),
        ("he said " + '" +go', "He said go."),
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
        words = "".join(forms)
        assert text.lower().replace(" ", "").removesuffix(".") == words.removesuffix(".")
        assert balanced(text)
        assert len(re.findall(r"\w+", text)) <= sum(own & source.is_word)
        assert not text.startswith((",", ".")) and not re.search(r", ?\.$|,,|, ,", text)
        assert text[0].isupper() or not text[0].isalpha()
        assert re.search(r"[.!?…][”\")]*$", text)
