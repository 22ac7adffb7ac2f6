"""Hard constraints: what is never cut, what is safe, and what stays together."""

from functools import cache
from pathlib import Path

import pytest
from tests.summarize.test_source import sentence_of

from treaty.summarize import Problem, Rules, Source, Summarizer
from treaty.text import read_conllu

RULES = Rules.load()
STRUCTURE = Rules.of_structure()


def parsed(text, *columns):
    """A sentence with tag, head and label of each token, as in ``NOUN:2:nsubj``."""
    sentence = sentence_of(text)
    for token, column in zip(sentence.tokens, columns, strict=True):
        token.upos, head, token.deprel = column.split(":", 2)
        token.head = int(head)
    return sentence


def cuttable(sentence, rules=STRUCTURE):
    problem = Problem.of([Source(0, 0, sentence)], reduce_to=None, rules=rules)
    return [token.form for token, may in zip(sentence, problem.cuttable, strict=True) if may]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        (parsed("Cats sleep soundly .", "NOUN:2:nsubj", "VERB:0:root", "ADV:2:advmod",
                "PUNCT:2:punct"), ["soundly"]),
        (parsed("Cats do +n't sleep", "NOUN:4:nsubj", "AUX:4:aux", "PART:4:advmod", "VERB:0:root"),
         []),
        (parsed("Ann Smith slept Friday", "PROPN:3:nsubj", "PROPN:1:flat", "VERB:0:root",
                "PROPN:3:obl:tmod"), ["Friday"]),
        (parsed("Some of them slept", "DET:4:nsubj", "ADP:3:case", "PRON:1:nmod", "VERB:0:root"),
         []),
        (parsed("United Kingdom sleeps", "ADJ:2:amod", "PROPN:3:nsubj", "VERB:0:root"), []),
        (parsed("Old cats sleep", "ADJ:2:amod", "NOUN:3:nsubj", "VERB:0:root"), ["Old"]),
        (parsed("It rained , and wind blew", "PRON:2:nsubj", "VERB:0:root", "PUNCT:6:punct",
                "CCONJ:6:cc", "NOUN:6:nsubj", "VERB:2:conj"), ["blew"]),
        (parsed("It rained and blew", "PRON:2:nsubj", "VERB:0:root", "CCONJ:4:cc", "VERB:2:conj"),
         []),
        (parsed("An old cat sleeps", "DET:3:det", "ADJ:3:amod", "NOUN:4:nsubj", "VERB:0:root"), []),
        (parsed("A old dog sleeps", "DET:3:det", "ADJ:3:amod", "NOUN:4:nsubj", "VERB:0:root"), []),
        (parsed("A big cat sleeps", "DET:3:det", "ADJ:3:amod", "NOUN:4:nsubj", "VERB:0:root"),
         ["big"]),
        (parsed("They call for help", "PRON:2:nsubj", "VERB:0:root", "ADP:4:case", "NOUN:2:obl"),
         []),
        (parsed("They sleep for hours", "PRON:2:nsubj", "VERB:0:root", "ADP:4:case", "NOUN:2:obl"),
         ["hours"]),
        (parsed("Talks held Friday failed", "NOUN:4:nsubj", "VERB:1:acl", "PROPN:2:obl:tmod",
                "VERB:0:root"), ["held"]),
        (parsed("Quick help in need", "ADJ:2:amod", "NOUN:0:root", "ADP:4:case", "NOUN:2:nmod"),
         []),  # no predicate: the tree is doubtful
        (parsed("Men of Taliban +- +backed groups fled", "NOUN:7:nsubj", "ADP:6:case",
                "PROPN:5:obl", "PUNCT:5:punct", "VERB:6:amod", "NOUN:1:nmod", "VERB:0:root"),
         ["backed", "groups"]),
        (parsed("I love it except for rain at night", "PRON:2:nsubj", "VERB:0:root", "PRON:2:obj",
                "ADP:2:advmod", "ADP:6:case", "NOUN:2:obl", "ADP:8:case", "NOUN:2:obl"),
         ["night"]),
    ],
)  # fmt: skip
def test_what_may_be_cut(sentence, found):
    assert cuttable(sentence) == found


def test_quotations_are_kept_or_cut_as_a_whole():
    sentence = parsed(
        'He slept " very soundly " , she said', "PRON:2:nsubj", "VERB:0:root", "PUNCT:5:punct",
        "ADV:5:advmod", "ADV:2:advmod", "PUNCT:5:punct", "PUNCT:2:punct", "PRON:9:nsubj",
        "VERB:2:parataxis",
    )  # fmt: skip
    assert cuttable(sentence) == ["soundly", "said"]
    loose = Rules(STRUCTURE.never)
    assert cuttable(sentence, loose) == ["very", "soundly", "said"]


def test_every_embedded_rule_says_what_it_is_about():
    names = [rule.name for rule in RULES.never]
    assert len(set(names)) == len(names) > 30


# A test for every rule: ``data/rules.conllu`` has a sentence for each, with the word whose arc it
# is about; trees are fixed there, so that parsers may change.

EXAMPLES = Path(__file__).parent / "data" / "rules.conllu"
BY_HAND = [
    ("never conjunctions other than and, but, or", 1, parsed(
        "Nor did Ann", "CCONJ:2:cc", "VERB:0:root", "PROPN:2:nsubj")),
    ("never conjunctions within a sentence", 1, parsed(
        "and Ann came", "CCONJ:3:cc", "PROPN:3:nsubj", "VERB:0:root")),
    ("safe connectives", 1, parsed(
        "But Ann came", "CCONJ:3:cc", "PROPN:3:nsubj", "VERB:0:root")),
    ("never one of several conjuncts", 5, parsed(
        "Ann came +, Bob left and dogs barked", "PROPN:2:nsubj", "VERB:0:root", "PUNCT:5:punct",
        "PROPN:5:nsubj", "VERB:2:conj", "CCONJ:8:cc", "NOUN:8:nsubj", "VERB:2:conj")),
    ("never time of day, day and year", 4, parsed(
        "It began January 12", "PRON:2:nsubj", "VERB:0:root", "PROPN:2:obl", "NUM:3:nummod")),
    ("never asides that say who says so", 4, parsed(
        "It , Ann says , works", "PRON:6:nsubj", "PUNCT:4:punct", "PROPN:4:nsubj",
        "VERB:6:parataxis", "PUNCT:4:punct", "VERB:0:root")),
    ("never phrases that may say who says so", 6, parsed(
        "Work begins +, the council decided", "NOUN:2:nsubj", "VERB:0:root", "PUNCT:6:punct",
        "DET:5:det", "NOUN:6:nsubj", "VERB:2:parataxis")),
    ("safe phrases set off after a name", 4, parsed(
        "Ann , in Oslo , slept", "PROPN:6:nsubj", "PUNCT:4:punct", "ADP:4:case", "PROPN:1:nmod",
        "PUNCT:4:punct", "VERB:0:root")),
    ("safe times of an event", 6, parsed(
        "Ann saw Bob on Monday evening", "PROPN:2:nsubj", "VERB:0:root", "PROPN:2:obj",
        "ADP:6:case", "PROPN:6:compound", "NOUN:3:nmod")),
    ("safe times of an event", 5, parsed(
        "Ann slept at the time", "PROPN:2:nsubj", "VERB:0:root", "ADP:5:case", "DET:5:det",
        "NOUN:2:obl")),
    ("safe dates of an event", 5, parsed(
        "Ann saw Bob on Monday", "PROPN:2:nsubj", "VERB:0:root", "PROPN:2:obj", "ADP:5:case",
        "PROPN:3:nmod")),
    ("never what is contrasted", 8, parsed(
        "It won in Ulm but failed in Rome", "PRON:2:nsubj", "VERB:0:root", "ADP:4:case",
        "PROPN:2:obl", "CCONJ:6:cc", "VERB:2:conj", "ADP:8:case", "PROPN:6:obl")),
    ("never nouns that say what kind", 2, parsed(
        "the ice shelf broke", "DET:3:det", "NOUN:3:compound", "NOUN:4:nsubj", "VERB:0:root")),
    ("safe comments", 3, parsed(
        "To her relief , Ann won", "ADP:3:case", "PRON:3:nmod:poss", "NOUN:6:obl", "PUNCT:3:punct",
        "PROPN:6:nsubj", "VERB:0:root")),
    ("safe appositions", 5, parsed(
        "The man , a spy , slept", "DET:2:det", "NOUN:7:nsubj", "PUNCT:5:punct", "DET:5:det",
        "NOUN:2:conj", "PUNCT:2:punct", "VERB:0:root")),
    ("safe dates of an event", 4, parsed(
        "Ann came on 3 May", "PROPN:2:nsubj", "VERB:0:root", "ADP:4:case", "NUM:2:obl",
        "PROPN:2:obl")),
]  # fmt: skip


def _examples():
    for sentence in read_conllu(EXAMPLES):
        yield sentence.comment("rule"), int(sentence.comment("word")), sentence
    for name, word, sentence in BY_HAND:
        for token in sentence:
            token.xpos = "VBD" if token.head == 0 else "_"
            token.lemma = "say" if token.form == "says" else "_"
        yield name, word, sentence


@cache
def rules_and_examples():
    rules = Summarizer.load().rules_for("safe")
    return rules, [(name, w, rules.reading(s)) for name, w, s in _examples()]


ALL = [("never", n) for n in range(len(RULES.never))] + [
    ("safe", n) for n in range(len(RULES.safe))
]


@pytest.mark.parametrize(("kind", "number"), ALL)
def test_every_rule_has_an_example(kind, number):
    rules, examples = rules_and_examples()
    rule = getattr(rules, kind)[number]
    own = [(word, reading) for name, word, reading in examples if name == f"{kind} {rule.name}"]
    assert any(rule.holds(reading, word - 1) for word, reading in own), rule.name


def test_every_example_is_one_of_its_rule():
    rules, examples = rules_and_examples()
    for name, word, reading in examples:
        kind, _, title = name.partition(" ")
        own = [rule for rule in getattr(rules, kind) if rule.name == title]
        assert own, name
        assert any(rule.holds(reading, word - 1) for rule in own), name
