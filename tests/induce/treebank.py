"""Two sentences of a treebank, with punctuation to leave out."""

import io

ROWS = """\
1 Mr. _ PROPN NNP _ 3 _ _ _
2 , _ PUNCT , _ 3 _ _ _
3 Vinken _ PROPN NNP _ 5 _ _ _
4 has _ VERB VBZ _ 5 _ _ _
5 joined _ VERB VBN _ 0 _ _ _
6 " _ PUNCT '' _ 5 _ _ _
7 us _ PRON PRP _ 6 _ _ _

1 Long _ ADJ JJ _ 2 _ _ _
2 live _ VERB VB _ 0 _ _ _
3 live _ VERB VB _ 2 _ _ _
4 live _ VERB VB _ 2 _ _ _
5 live _ VERB VB _ 2 _ _ _
6 they _ PRON PRP _ 2 _ _ _
"""


def treebank() -> io.StringIO:
    return io.StringIO(ROWS.replace(" ", "\t"))
