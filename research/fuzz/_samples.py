"""Valid inputs that mutations start from, made by script, and the words of each format."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from treaty.induce import Grammar
from treaty.parse import Document, Tokenizer
from treaty.solve import Certificate
from treaty.text import Entity, read_conllu

ROOT = Path(__file__).parents[2]

CONLLU_WORDS = (
    b"# text = x", b"# newpar", b"# sent_id = 1", b"1-2", b"2-3", b"1.1", b"0.1", b"SpaceAfter=No",
    b"SpacesAfter=\\n\\s", b"SpacesBefore=\\s", b"SpacesInToken=a\\sb", b"\\u00A0", b"\\uD800",
    b"|", b"=", b"\t_\t_\t_\t_\t", b"0", b"1", b"2", b"99", b"root", b"\t\t", b"-", b".",
    b"Case=Nom", b"1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n",
)  # fmt: skip
COLUMN_WORDS = (
    b"B-PER", b"I-LOC", b"O", b"S-", b"# id = 1", b"\t", b" ", b"0110\ta\t5\n", b"1" * 70,
)  # fmt: skip
TEXT_WORDS = (
    b"...", b"http://a.b/", b"www.", b"a@b.c", b":-)", b"^_^", b"<3", b"Dr. ", b"\xc2\xab ",
    b"\xc2\xbb", b"\n\n", b"\r\n", b" ", "“".encode(), "’".encode(), "\u0301".encode(), b"- ",
    b"e.g. ", b"don't",
)  # fmt: skip
JSON_WORDS = (
    b'"posts":', b'"links":', b'"text":', b'"documents":', b'"references":', b'"summary":',
    b'"id":', b'"source_tokens":', b'"keep":', b'"kept":', b'"tokens":', b'"topic":',
    b'"paragraphs":', b"null", b'"starts":', b'"annotated_from":', b'"title":', b'"date":',
    b"true", b"false", b"[]", b"{}", b"[[", b'""', b'"\\ud800"', b'"\\u0000"', b'"\\n"',
    b"{" * 2000, b"[" * 5000, b'{"a":' * 3000, b"1e999", b"-0", b"0.5", b"NaN", b"9" * 5000,
    b'{"posts":[]}\n', b'"sentences":', b'"entities":', b'"other_tokens":', b'"comments":',
    b'"certificate":', b'"misc":"SpacesInToken=a"', b'"1-2"',
)  # fmt: skip
HTML_WORDS = (
    b"<![", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<!", b"<?", b"</", b"/>", b"<p>", b"<a",
    b"<br/>", b"<script>", b"</script>", b"<style>", b"<title>", b"</title>",
    b"<meta name=date content='", b"&", b'<time datetime="', b"&#x", b"&#9999999999;",
    b"&#" + b"1" * 5000 + b";", b"&amp;", b"&notit;", b"<svg>", b"<nav>", b"</nav>", b"<textarea>",
    b"='", b'="', b"<!doctype html>", b"<A HREF=x>",
)  # fmt: skip
TOML_WORDS = (
    b"[[never]]", b"[together]", b"[tags]", b"name = 'x'", b"labels = []", b"leaf = true", b" = ",
    b"'''", b"quotation_marks = ['\xc2\xab \xc2\xbb']", b"edges = [['VERB', 'NOUN']]",
    b"share = 0.5", b"column =", b"[" * 3000, b"a = " + b"[" * 2000, b"{a=" * 2000, b"x.y.z = 1",
    b"9" * 5000, b"1e999", b"nan", b'"""', b"0x" + b"f" * 5000, b"1979-05-27", b"\\u0000",
    b"\\U0010FFFF", b"auxiliary_forms = [[1]]", b"other = 1",
)  # fmt: skip
GRAMMAR_WORDS = (
    b"root ", b"child ", b"decision ", b" left ", b" right ", b" stop ", b" first ", b"0.5\n",
)  # fmt: skip
GRAPH_WORDS = (
    b"XOR ", b"OR ", b"ATMOSTONE ", b"IMPLY ", b"BUDGET ", b"PAIR ", b"DENSE ", b"MARKOV\n",
    b"BAYES\n", b"KNAPSACK ", b"XOROUT ", b"OROUT ", b"ANDOUT ", b"SEQUENCE ", b"-inf", b"1e308",
    b"-1", b"# x0: a\n", b"2147483647", b"4294967297", b"1" * 400, b"9" * 5000, b"\n\n",
    b"0 2 0 2\n", b"ARBORESCENCE ",
)  # fmt: skip
TEMPLATE_WORDS = (
    b"c.char ", b"c-1.mark ", b"c+1.kind", b"shape(", b"prefix3(", b"suffix1(", b")",
    b"c+999999999.char", b"c.prefix" + b"9" * 5000 + b"(char)",
)  # fmt: skip
NAME_WORDS = (
    b"ROUGE-", b"rlt-", b"max-", b"%", b"k", b"SU", b"S*", b"9" * 5000, b"1e5",
)  # fmt: skip


def _encoded(*texts: str) -> list[bytes]:
    return [text.encode() for text in texts]


def _lines(*records: object) -> list[bytes]:
    return _encoded(*(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def _files(folder: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob(pattern))]


def conllu() -> list[bytes]:
    """Treebanks with comments, multiword tokens, empty nodes and white space."""
    rows = (
        "# newdoc\n# text = I don't know.\n1 I I PRON PRP Case=Nom 4 nsubj 4:nsubj _\n"
        "2-3 don't _ _ _ _ _ _ _ _\n2 do do AUX VBP _ 4 aux _ _\n3 n't not PART RB _ 4 advmod _ _\n"
        "4 know know VERB VB _ 0 root _ SpaceAfter=No\n4.1 it it PRON PRP _ _ _ 4:obj _\n"
        "5 . . PUNCT . _ 4 punct _ SpacesAfter=\\n\\s\n\n",
        "1 Ёж _ NOUN _ _ 2 nsubj _ SpacesInToken=Ё\\sж\n2 спит _ VERB _ _ 0 root _ _\n\n"
        "# a\n1 A _ _ _ _ 3 x _ _\n2 B _ _ _ _ 4 _ _ _\n3 C _ _ _ _ 0 _ _ _\n"
        "4 D _ _ _ _ 3 _ _ SpacesBefore=\\s\n\n",
        "1 שלום _ X _ _ _ _ _ _\n\n1 😀 _ SYM _ _ 0 root _ _\n",
    )
    tabbed = ["\n".join(_tabbed(line) for line in text.split("\n")) for text in rows]
    return _encoded(*tabbed, "".join(tabbed))


def _tabbed(line: str) -> str:
    return line if line.startswith("#") else line.replace(" ", "\t")


def conllx() -> list[bytes]:
    """CoNLL-X, whose last columns are another tree."""
    return [b"1\tCats\t_\tN\tN\t_\t2\tnsubj\t2\tnsubj\n2\tsleep\t_\tV\tV\t_\t0\troot\t_\t_\n\n"]


def columns() -> list[bytes]:
    """Entities in columns, by tabs and by spaces."""
    return [
        b"# id = 1\nNew\tNNP\tB-LOC\nYork\tNNP\tI-LOC\n\n#cute\tNN\tO\n",
        b"-DOCSTART- -X- O O\n\nEU NNP B-NP S-ORG\nrejects VBZ B-VP O\n\n",
    ]


def texts() -> list[bytes]:
    """Plain text: marks, addresses, quotes, blank lines, several scripts."""
    return [
        "Dr. Who said: “Hush!” (He didn't.) See http://a.b/c?d, or a@b.org :-)\n\n"
        "LISBON (AP) - It rained... 3.5 cm; e.g. U.S. cats.\r\n  « Où ? » dit-il.".encode(),
        "Ёж спит. 猫は眠る。 नमस्ते! 😀👍🏽 a\u0301".encode(),
        b"one two three\n\n\n  four\tfive\n",
    ]


def pages() -> list[bytes]:
    """HTML with all that the reader looks at."""
    return [
        b"<!doctype html><html><head><title>Tea &amp; rain</title><meta property='og:title' "
        b'content="Rain"><meta name=date content=2024-05-01><script>if (a<b) x()</script><style>p{}'
        b"</style></head><body><nav>Menu</nav><!-- c --><p class=x>It <b>rained</b>.<br/>Twice"
        b"&nbsp;<time datetime='2024'>today</time><ul><li>one<li>two</ul><svg><p>x</svg>"
        b"&#8217;&#x41;</html>",
        b"<?xml version='1.0'?><html><p>a < b & c<p/><![CDATA[x]]><textarea>t</textarea></html>",
    ]


def threads() -> list[bytes]:
    """Threads with links and metadata."""
    posts = [{"text": "Tea?", "author": "Ann", "id": 7, "time": "10:15"}, {"text": "Yes!\nNow."}]
    whole = {
        "posts": posts,
        "links": [[1, 0, "answer"]],
        "id": "t1",
        "starts": [0],
        "x": {"y": [1.5]},
    }
    return _lines(whole, {"posts": posts, "links": [[1, 0]], "annotated_from": 1, "source": "irc"})


def collections() -> list[bytes]:
    """Collections of articles with references."""
    document = {"text": "It rained.", "title": "Rain", "date": "2024-05-01", "id": 3, "source": "a"}
    whole = {"topic": "rain", "documents": [document, "It poured."], "references": ["Rain."]}
    more = {"id": 1, "sentences": ["One.", "Two."], "language": "en", "references": [{"text": "x"}]}
    return _lines(whole, more, {"documents": [{"paragraphs": ["A.", "B."]}]})


def summaries() -> list[bytes]:
    """Summaries as lists and as texts."""
    return _lines(
        {"topic": "rain", "summary": "It rained.\nIt poured."}, {"id": 2, "summary": ["A."]}
    )


def compressions() -> list[bytes]:
    """Compressed sentences, as in training data and as written."""
    one = {"source_tokens": ["Cats", "sleep", "soundly"], "keep": [1, 1, 0], "id": "c"}
    return _lines(one, {"tokens": ["Dogs", "bark"], "kept": [True, False], "more": None})


def documents() -> list[bytes]:
    """Documents as JSON: with other tokens, entities and certificates."""
    sentences = [s for data in conllu()[:-1] for s in read_conllu(io.BytesIO(data))]
    made = [Document.from_sentences([sentence]) for sentence in sentences]
    first = made[0]
    name = Entity("PER", "I", 0, 1, 0, 0, 0.5)
    made.append(Document(first.text, first.sentences, [name], [Certificate.exact(1.5)]))
    return [document.to_json().encode() for document in made]


def rules() -> list[bytes]:
    """Rules of compression."""
    whole, *_ = _files("src/treaty/languages/en/rules", "1-*.toml")
    return [
        b"[[never]]".join(whole.split(b"[[never]]")[:4]),  # all of it would be slow
        b"[together]\nnames = true\nquotation_marks = ['( )']\n[[never]]\n"
        b"name = 'a'\nlabels = ['x']\n",
    ]


def entity_rules() -> list[bytes]:
    """Rules for names."""
    return [
        b'[[rule]]\nphrase = "AT&T"\ntype = "ORG"\nweight = 2.5\n',
        b"[[rule]]\npattern = 'x (?P<name>[a-c]+)'\ntype = \"O\"\ncase = false\n",
    ]


def tagsets() -> list[bytes]:
    """Tagsets of grammars."""
    return [
        *_files("src/treaty/induce/tagsets", "*.toml"),
        b"column = 'xpos'\nother = 'X'\n[tags]\nNN = 'N'",
    ]


def constraints() -> list[bytes]:
    """Posterior constraints."""
    return [*_files("src/treaty/induce/rules", "*.toml"), b"share = 0.5\nedges = [['V', 'N']]\n"]


def clusters() -> list[bytes]:
    """Word clusters."""
    return [b"0110\trome\t500\n0111\tparis\t7\n1\tx\n"]


def gazetteers() -> list[bytes]:
    """Lists of names."""
    return [b"geo/city\tNew York\ngeo/country\tChad\nbook\tThe Bell Jar\n"]


def grammars() -> list[bytes]:
    """Grammars as text."""
    return [
        Grammar.uniform(["N", "V"]).to_text().encode(),
        *_files("src/treaty/induce/grammars", "*.txt"),
    ]


def fg() -> list[bytes]:
    """Graphs of AD3."""
    dense = b"2\n1\n0.5\n-0.2\n\n3\n2\n1\n2\n3\nXOROUT 3 1 -2 3\nKNAPSACK 2 1 2 1 2 2\n\n"
    return [*_files("examples", "*.fg"), b"2\n1\n0.5\n-0.2\nXOR 2 1 -2\n", dense]


def uai() -> list[bytes]:
    """Markov networks."""
    return [*_files("examples", "*.uai"), b"MARKOV\n2\n2 3\n1\n2 0 1\n6\n1 2 3 4 5 6\n"]


def mrf() -> list[bytes]:
    """Pattern problems."""
    return [b"0 2 0 3 0 2\n0 1\n0 0.5\n0 1 1 2\n0 -1.5\n0 0 1 1 2 1\n0 2\n\n0 2\n0 1\n0 1\n"]


def templates() -> list[bytes]:
    """Feature templates of a tokenizer."""
    return [
        b"c.char\nc-1.mark c.mark\nc.gap c.shape(before) c.prefix2(chunk)\n",
        b"c.suffix1(before) c+1.kind",
    ]


def names() -> list[bytes]:
    """Names of metrics and relaxations."""
    return _encoded(
        "ROUGE-1", "ROUGE-L", "ROUGE-SU4", "ROUGE-S*", "rlt-30%", "rlt-max-1k", "mccormick"
    )


def everything() -> list[bytes]:
    """A file of every kind."""
    makers: Iterable[Callable[[], list[bytes]]] = (
        conllu, conllx, columns, texts, pages, threads, collections, summaries, compressions,
    )  # fmt: skip
    return [data for make in makers for data in make()]


@cache
def tokenizer() -> Tokenizer:
    """Train a small tokenizer."""
    sentences = list(read_conllu(io.BytesIO(conllu()[0] * 4)))
    return Tokenizer.train(sentences, epochs=2, bits=12)
