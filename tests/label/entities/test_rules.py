"""Rules: how they are read, what they match, which of them counts, what is refused."""

import io

import pytest

from treaty.errors import InputError, UsageError
from treaty.label.entities import EntityRule, EntityRules, Message, message_of_words

TOML = """
# names of ours
[[rule]]
phrase = "Acme Rockets"
type = "ORG"

[[rule]]
pattern = 'AB-\\d+'
type = "MISC"
weight = 2
case = false
"""


def spans(rules, words):
    found = EntityRules(rules).matches(message_of_words(words.split()))
    return [(match.first, match.end, match.rule.type) for match in found]


def test_toml_and_json_lines_say_the_same(tmp_path):
    lines = '{"phrase": "Acme Rockets", "type": "ORG"}\n\n'
    lines += '{"pattern": "AB-\\\\d+", "type": "MISC", "weight": 2, "case": false}\n'
    (tmp_path / "rules.toml").write_text(TOML)
    (tmp_path / "rules.jsonl").write_text(lines)
    first, second = (EntityRules.read(tmp_path / f"rules.{x}") for x in ("toml", "jsonl"))
    assert first.rules == second.rules
    assert [rule.place[1] for rule in first.rules] == [3, 7]
    assert [rule.place[1] for rule in second.rules] == [1, 3]
    assert first.types == ["MISC", "ORG"]
    assert len(EntityRules.read(io.StringIO(""))) == 0


def test_phrases_match_whole_words_however_they_are_cut():
    rule = [{"phrase": "AT&T", "type": "ORG"}]
    assert spans(rule, "by AT&T now") == spans(rule, "by AT&T now") == [(1, 2, "ORG")]
    assert spans(rule, "by AT & T now") == [(1, 4, "ORG")]
    assert spans(rule, "by AT&TX now") == []
    assert spans([{"phrase": "Ann", "type": "PER"}], "Anna Ann Ann-Marie ann") == [(1, 2, "PER")]
    assert spans([{"phrase": "ann", "type": "PER", "case": False}], "ANN") == [(0, 1, "PER")]


def test_patterns_match_the_text_of_a_sentence():
    rule = [{"pattern": r"ticket (?P<name>[A-Z]+-\d+)", "type": "MISC"}]
    text = "A ticket QX-1. A ticket"
    message = Message(text, ((0, 1), (2, 8), (9, 11), (11, 12), (12, 13), (13, 14)))
    assert [m[:2] for m in EntityRules(rule).matches(message)] == [(2, 5)]
    second = Message(text, ((15, 16), (17, 23)))
    assert EntityRules(rule).matches(second) == []
    assert EntityRules([{"pattern": "x*", "type": "O"}]).matches(message) == []
    assert EntityRules(rule).matches(Message("", ())) == []
    either = [{"pattern": "(?P<name>Q)?A", "type": "O"}]
    assert EntityRules(either).matches(message) == []


def test_longer_and_earlier_rules_count_unless_they_have_a_weight():
    rules = [
        {"phrase": "New York", "type": "LOC"},
        {"phrase": "New York Times", "type": "ORG"},
        {"phrase": "Times", "type": "MISC", "weight": 1},
        {"phrase": "New York", "type": "O"},
    ]
    assert spans(rules, "New York Times") == [(0, 3, "ORG"), (2, 3, "MISC")]
    assert spans(rules, "New York today") == [(0, 2, "LOC")]


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ('[[rule]]\ntype = "ORG"\n', 1, "needs a phrase or a pattern"),
        ('\n[[rule]]\nphrase = "x"\n', 2, "needs a type"),
        ('[[rule]]\nphrase = "x"\ntype = 3\n', 1, "type: expected a string, not int"),
        ('[[rule]]\nphrase = "x"\ntype = "O"\nwieght = 2\n', 1, "no field 'wieght'"),
        ('[[rule]]\nphrase = "x"\ntype = "O"\nweight = "2"\n', 1, "weight: expected a number"),
        ('[[rule]]\nphrase = "x"\ntype = "O"\nweight = inf\n', 1, "at most 1000000"),
        (f'[[rule]]\nphrase = "x"\ntype = "O"\nweight = {"9" * 400}\n', 1, "at most 1000000"),
        ('[[rule]]\nphrase = "x"\ntype = 1999-01-01\n', 1, "type: expected a string"),
        ('[[rule]]\npattern = "[[a]"\ntype = "O"\n', 1, "no regular expression: Possible nested"),
        ('[[rule]]\nphrase = " "\ntype = "O"\n', 1, "has no words"),
        ('[[rule]]\npattern = "("\ntype = "O"\n', 1, "no regular expression"),
        ('[[rule]]\nphrase = "x"\ntype = "O"\ncase = 1\n', 1, "case: expected true or false"),
        ('[[rules]]\nphrase = "x"\n', 1, "expected tables \\[\\[rule\\]\\], found 'rules'"),
        ('[rule]\nphrase = "x"\n', None, "with two brackets"),
        ("phrase = \n", 1, "not valid TOML"),
    ],
)
def test_faults_name_file_and_line(tmp_path, text, line, cause):
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=cause) as caught:
        EntityRules.read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("line", "cause"),
    [("[1]", "expected an object"), ('{"type": "O"}', "phrase or a pattern"), ("{", "valid JSON")],
)
def test_faults_of_json_lines_name_file_and_line(tmp_path, line, cause):
    path = tmp_path / "rules.jsonl"
    path.write_text('{"phrase": "x", "type": "O"}\n' + line + "\n")
    with pytest.raises(InputError, match=cause) as caught:
        EntityRules.read(path)
    assert caught.value.line == 2


def test_types_are_those_of_the_model(labeler, tmp_path):
    with pytest.raises(UsageError, match="no type 'ORG': expected LOC, PER or O"):
        list(labeler.predict([["x"]], rules=EntityRules([EntityRule("ORG", phrase="x")])))
    (tmp_path / "rules.toml").write_text('\n[[rule]]\nphrase = "x"\ntype = "ORG"\n')
    with pytest.raises(InputError, match=r"rules.toml:2: the model has no type 'ORG'"):
        EntityRules.read(tmp_path / "rules.toml").check(labeler.types)
