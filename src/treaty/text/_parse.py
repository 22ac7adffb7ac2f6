"""Parsing and validating the lines of one sentence in CoNLL-U or CoNLL-X."""

from __future__ import annotations

from typing import Literal, NoReturn

from treaty.text._lines import Fault
from treaty.text._sentence import Sentence, Token

__all__ = ["COLUMNS", "RowFormat", "parse_sentence"]

RowFormat = Literal["conllu", "conllx"]
TREE_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL")
COLUMNS = {"conllu": (*TREE_COLUMNS, "DEPS", "MISC"), "conllx": (*TREE_COLUMNS, "PHEAD", "PDEPREL")}
WIDTH = 10
NO_NUMBER = -2


class Numbers(dict[str, int]):
    """Ids and heads by their text: plain decimals only, not other forms that `int` accepts."""

    def __missing__(self, text: str) -> int:
        plain = text.isascii() and text.isdecimal() and text[0] != "0" and len(text) < 10
        return int(text) if plain else NO_NUMBER


NUMBERS = Numbers({"_": -1} | {str(number): number for number in range(1000)})


def parse_sentence(
    block: list[str],
    first: int,
    format: RowFormat,  # noqa: A002 - as in read_conllu
    shared: dict[str, str],
) -> Sentence:
    """Parse a sentence.

    Parameters
    ----------
    block
        Its lines.
    first
        The number of the first line in the file.
    format
        The format of the lines.
    shared
        Strings seen before: equal ones become one object, which saves half of the memory.

    Raises
    ------
    Fault
        With the line number.
    """
    sentence = Sentence()
    tokens = sentence.tokens
    share = shared.setdefault
    highest = 0
    for number, line in enumerate(block, first):
        if line[0] == "#":
            if tokens or sentence.other_lines:
                message = "a comment inside a sentence; is a blank line missing before it?"
                raise Fault(message, line, line=number)
            sentence.comments.append(line)
            continue
        columns = line.split("\t")
        if len(columns) != WIDTH or "\t\t" in line or line[-1] == "\t":
            _refuse_columns(line, columns, number, format)
        identity, form, lemma, upos, xpos, feats, head_text, deprel, deps, misc = columns
        if NUMBERS[identity] != len(tokens) + 1:
            _add_other_line(sentence, identity, line, number, format)
            continue
        head = NUMBERS[head_text]
        if head > highest:
            highest = head
        elif head == NO_NUMBER:
            message = "expected a head: the id of a token, 0 for the root, or _ if unknown"
            raise Fault(message, head_text, line=number)
        tokens.append(
            Token(
                share(form, form),
                share(lemma, lemma),
                share(upos, upos),
                share(xpos, xpos),
                share(feats, feats),
                head,
                share(deprel, deprel),
                deps,  # rarely repeated
                share(misc, misc),
            )
        )
    _check_whole(sentence, block, first, highest)
    return sentence


def _refuse_columns(line: str, columns: list[str], number: int, format: RowFormat) -> NoReturn:  # noqa: A002
    if len(columns) == WIDTH:
        name = COLUMNS[format][columns.index("")]
        message = f"the column {name} is empty; write _ for an empty value"
    else:
        message = f"expected {WIDTH} columns separated by tabs, found {len(columns)}"
        if len(columns) < WIDTH <= len(line.split()):
            message += "; there are spaces where tabs should be"
    raise Fault(message, line, line=number)


def _add_other_line(
    sentence: Sentence,
    identity: str,
    line: str,
    number: int,
    format: RowFormat,  # noqa: A002
) -> None:
    """Store the line of a multiword token or an empty node; raise `Fault` for any other id."""
    done = len(sentence.tokens)
    first, dash, last = identity.partition("-")
    node, dot, index = identity.partition(".")
    if (dash and NUMBERS[first] == done + 1 <= NUMBERS[last]) or (
        dot and NUMBERS[node] == done and NUMBERS[index] > 0
    ):
        if format == "conllx":
            message = "CoNLL-X has no multiword tokens or empty nodes; is this CoNLL-U?"
            raise Fault(message, identity, line=number)
        sentence.other_lines.append((done, line))
        return
    message = f"expected the id {done + 1}: ids are 1, 2, 3… in every sentence"
    if identity == "1":
        message = f"expected the id {done + 1}; is a blank line missing between two sentences?"
    raise Fault(message, identity, line=number)


def _check_whole(sentence: Sentence, block: list[str], first: int, highest: int) -> None:
    """Check what is known only after all lines have been read."""
    size = len(sentence.tokens)
    if not size:
        message = "a sentence without tokens; add tokens or remove its lines"
        raise Fault(message, block[0], line=first)
    if highest > size:
        token = next(place for place, head in enumerate(sentence.heads, 1) if head > size)
        message = f"the head is not in the sentence, whose last id is {size}"
        raise Fault(message, str(sentence.heads[token - 1]), token=token)
    if sentence.other_lines:
        _check_other_lines(sentence, first + len(sentence.comments))


def _check_other_lines(sentence: Sentence, first: int) -> None:
    """Check that multiword tokens do not overlap, and that empty nodes are numbered in order."""
    covered, last_node = 0, (-1, 0)
    for place, (done, line) in enumerate(sentence.other_lines):
        identity = line.partition("\t")[0]
        _, dash, end = identity.partition("-")
        message = ""
        if not dash:
            index = last_node[1] + 1 if last_node[0] == done else 1
            last_node = done, index
            if identity != f"{done}.{index}":
                message = f"expected the id {done}.{index} of an empty node"
        elif int(end) > len(sentence):
            message = f"a multiword token extends beyond the last id, {len(sentence)}"
        elif done < covered:
            message = f"two multiword tokens contain the token {done + 1}"
        else:
            covered = int(end)
        if message:
            raise Fault(message, identity, line=first + done + place)
