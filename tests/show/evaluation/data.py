"""Small files with gold data and predictions, as streams."""

import io

from treaty.show.evaluation import RougeChoices, TreeChoices
from treaty.text import KnownFile
from treaty.text.formats import format_named

TREES = TreeChoices(True, True, (), None, False, False)
ROUGE = RougeChoices(False, None, False, None)
TREE = "1\tHush\t_\tINTJ\t_\t_\t{head}\troot\t_\t_\n2\t!\t_\tPUNCT\t_\t_\t{other}\tpunct\t_\t_\n\n"
GOLD, WRONG = TREE.format(head=0, other=1), TREE.format(head=2, other=0)


def file(kind, text):
    return KnownFile(format_named(kind.lower()), io.StringIO(text))
