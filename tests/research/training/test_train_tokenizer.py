"""Sentences as people type them, without apostrophes."""

import random

from research.training.train_tokenizer import without_apostrophes
from treaty.text import read_conllu

TEXT = """\
# text = She's sure it's Ann's and didn't ask.
1-2\tShe's\t_\t_\t_\t_\t_\t_\t_\t_
1\tShe\tshe\tPRON\t_\t_\t3\tnsubj\t_\t_
2\t's\tbe\tAUX\t_\t_\t3\tcop\t_\t_
3\tsure\tsure\tADJ\t_\t_\t0\troot\t_\t_
4-5\tit's\t_\t_\t_\t_\t_\t_\t_\t_
4\tit\tit\tPRON\t_\t_\t6\tnsubj\t_\t_
5\t's\tbe\tAUX\t_\t_\t6\tcop\t_\t_
6-7\tAnn's\t_\t_\t_\t_\t_\t_\t_\t_
6\tAnn\tAnn\tPROPN\t_\t_\t3\tccomp\t_\t_
7\t's\t's\tPART\t_\t_\t6\tcase\t_\t_
8\tand\tand\tCCONJ\t_\t_\t11\tcc\t_\t_
9-10\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
9\tdid\tdo\tAUX\t_\t_\t11\taux\t_\t_
10\tn't\tnot\tPART\t_\t_\t11\tadvmod\t_\t_
11\task\task\tVERB\t_\t_\t3\tconj\t_\tSpaceAfter=No
12\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_

"""


def test_short_forms_lose_their_apostrophes(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(TEXT)
    given = list(read_conllu(path)) * 40
    made = list(without_apostrophes(given, random.Random(1)))
    assert 0 < len(made) < len(given)
    # What could be another word (its) and possessives stay; half of all are in lower case.
    assert {s.text for s in made} == {
        "Shes sure it's Ann's and didnt ask.",
        "shes sure it's ann's and didnt ask.",
    }
    for sentence in made:
        assert [word.lower() for word in sentence.words[:2]] == ["she", "s"]
    assert given[0].to_conllu() == TEXT
