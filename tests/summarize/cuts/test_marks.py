"""Which punctuation is left: commas that part something, brackets and quotes in pairs, the end."""

import numpy as np
import pytest
from tests.summarize.cuts.test_rules import parsed
from tests.summarize.sentences.test_source import sentence_of

from treaty.summarize import Source
from treaty.summarize.cuts._marks import with_marks
from treaty.summarize.cuts._text import text_of_tokens


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


def test_without_words_there_are_no_marks():
    source = Source(0, 0, sentence_of("( it rained +) +."))
    for keep in (np.zeros(5, bool), ~source.is_word):
        assert not with_marks(source, keep).any()


@pytest.mark.parametrize(
    ("text", "cut", "left"),
    [
        ("a ( +b [ +c +] +) d +.", "c", "a ( b ) d ."),
        ("a ( +b [ +c +] +) d +.", "b c", "a d ."),
        ("a ( +b [ +c +) d +.", "", "a ( b c ) d ."),
        ("a +) b +.", "", "a b ."),
        ("a +. b +! +! c +?", "", "a . b ! c ?"),
        ("a +. b +! c +?", "c", "a . b ?"),
        ("a +, b +, c", "b", "a c"),
    ],
)
def test_marks_of_sentences_without_trees(text, cut, left):
    sentence = sentence_of(text)
    keep = np.array([token.form not in cut.split() for token in sentence])
    kept = with_marks(Source(0, 0, sentence), keep)
    assert [t.form for t, k in zip(sentence, kept, strict=True) if k] == left.split()
