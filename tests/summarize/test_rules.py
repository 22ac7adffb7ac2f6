"""Hard constraints: the file of rules, what it keeps together, and the checker that is no twin."""

import pytest
from tests.summarize.test_source import sentence_of

from treaty import InputError
from treaty.summarize import Problem, Rules, Source

RULES = Rules.load()


def parsed(text, *columns):
    """A sentence with tag, head and label of each token, as in ``NOUN:2:nsubj``."""
    sentence = sentence_of(text)
    for token, column in zip(sentence.tokens, columns, strict=True):
        token.upos, head, token.deprel = column.split(":", 2)
        token.head = int(head)
    return sentence


def cuttable(sentence, rules=RULES):
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
    loose = Rules(RULES.never)
    assert cuttable(sentence, loose) == ["very", "soundly", "said"]


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("x = ", 1, "not valid TOML"),
        ("[never]\n", 1, "sections"),
        ('never = [{name = "x", leaf = true}]', 1, "as sections"),
        ("[sometimes]\n", 1, "unknown section 'sometimes'"),
        ("[together]\nhyphens = true\n", 2, "no key 'hyphens'"),
        ("[together]\nwritten_words = 1\n", 2, "true or false"),
        ('[together]\nquotation_marks = ["«"]\n', 2, "pairs of marks"),
        ('\n[[never]]\nlabels = ["x"]\n', 2, "must have a name"),
        ('[[never]]\nname = "x"\n', 2, "must have a condition"),
        ('[[never]]\nname = "x"\nlabel = ["y"]\n', 3, "no condition 'label'"),
        ('[[never]]\nname = "x"\nlabels = "y"\n', 3, "list of strings"),
        ('[[never]]\nname = "x"\nleaf = "y"\n', 3, "true or false"),
    ],
)
def test_faulty_rules_are_told_with_their_line(tmp_path, text, line, cause):
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=cause) as error:
        Rules.load(path)
    assert (error.value.path, error.value.line) == (str(path), line)


def test_rules_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Rules.load(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="UTF-8"):
        Rules.load(tmp_path / "bytes.toml")


def test_every_embedded_rule_says_what_it_is_about():
    names = [rule.name for rule in RULES.never]
    assert len(set(names)) == len(names) > 30
