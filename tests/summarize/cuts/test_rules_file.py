"""Files of rules: their sections, lists of words, and faults with their lines."""

import pytest

from treaty import InputError
from treaty.summarize import Rules
from treaty.summarize.cuts._rules_file import read_rules


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


def test_lists_of_words_are_named_by_an_at_sign(tmp_path):
    first, second = tmp_path / "a.toml", tmp_path / "b.toml"
    first.write_text('[words]\nsmall = ["a", "b"]\nmore = ["@small", "c"]\n')
    second.write_text('[[never]]\nname = "x"\nforms = ["@more", "d"]\n')
    (rule,) = read_rules(first, second).never
    assert rule.conditions["forms"] == {"a", "b", "c", "d"}
    with pytest.raises(InputError, match="no list 'more'"):
        Rules.load(second)


def test_scopes_and_patterns(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text('[scope]\nverbs = ["ban"]\n[[safe]]\nname = "x"\npattern = "[ab]+"\n')
    rules = Rules.load(path, bold=True)
    assert rules.scope.verbs == {"ban"} and rules.bold
    path.write_text('[[safe]]\nname = "x"\npattern = "["\n')
    with pytest.raises(InputError, match="no regular expression"):
        Rules.load(path)
    path.write_text("[scope]\nnouns = []\n")
    with pytest.raises(InputError, match="no key 'nouns', only operators"):
        Rules.load(path)
