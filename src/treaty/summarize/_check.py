"""Independent checker of summaries: violated hard constraints, from the output alone.

It shares no code with the summarizer: trees are followed upwards token by token, conditions are
checked on the columns of the sentence (`_check_conditions`), and quotations on its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from treaty.summarize._check_conditions import applies, base_of, children_of, is_a_word
from treaty.summarize._problem import Problem
from treaty.summarize._rules import Rules
from treaty.text import Sentence

__all__ = ["broken_rules"]


def broken_rules(
    problem: Problem,
    keep: npt.ArrayLike,
    *,
    words: int | None = None,
    sentences: int | None = None,
) -> list[str]:
    """Check that a summary satisfies the hard constraints.

    Parameters
    ----------
    problem
        The sentences, and the rules for them.
    keep
        Whether each token is kept; punctuation is ignored.
    words, sentences
        The limits, to check them too.

    Returns
    -------
    list of str
        The violations; empty if there are none.

    Examples
    --------
    >>> from treaty.text import Sentence
    >>> from treaty.summarize import Problem, Rules, Source
    >>> words = Sentence.from_words(["Cats", "sleep", "soundly"])
    >>> cats = words.with_tree([2, 0, 2], ["nsubj", "root", "advmod"])
    >>> problem = Problem.of([Source(0, 0, cats)], rules=Rules.load(bold=True))
    >>> broken_rules(problem, [True, True, False])
    []
    >>> broken_rules(problem, [False, True, False])
    ["document 1, sentence 1: 'Cats' is cut from 'sleep' (subjects)"]
    """
    kept = np.asarray(keep, bool).tolist()
    found, used, count = list[str](), 0, 0
    for source, (begin, end) in zip(problem.sources, pairwise(problem.begin), strict=True):
        own = [k and is_a_word(t) for k, t in zip(kept[begin:end], source.sentence, strict=True)]
        where = f"document {source.document + 1}, sentence {source.number + 1}: "
        if any(own):
            found += [where + fault for fault in _faults(source.sentence, own, problem.rules)]
            used += 1
            count += _written(source.sentence, own)
    taken = {int(n) for n, k in zip(problem.source_of, kept, strict=True) if k}
    for one, other in problem.needs:
        if one in taken and other not in taken:
            source = problem.sources[one]
            where = f"document {source.document + 1}, sentence {source.number + 1}"
            found.append(f"{where} is kept without one that it needs")
    found += _incoherent(problem, kept, taken)
    if words is not None and count > words:
        found.append(f"{count} words are kept, more than the limit of {words}")
    if sentences is not None and used > sentences:
        found.append(f"{used} sentences are kept, more than the limit of {sentences}")
    return found


def _incoherent(problem: Problem, kept: list[bool], taken: set[int]) -> Iterator[str]:
    for token, other in problem.leans:
        if kept[token] and other not in taken:
            source = problem.sources[problem.source_of[token]]
            form = source.sentence.tokens[token - problem.begin[problem.source_of[token]]].form
            where = f"document {source.document + 1}, sentence {source.number + 1}"
            yield f"{where}: {form!r} is kept without the sentence that it leans on"
    for pair in problem.alike:
        if taken.issuperset(pair):
            numbers = [problem.sources[n].number + 1 for n in pair]
            yield f"sentences {numbers[0]} and {numbers[1]} say the same"


def _faults(sentence: Sentence, kept: list[bool], rules: Rules) -> Iterator[str]:
    if not all(token.head >= 0 for token in sentence):
        missing = [t.form for t, k in zip(sentence, kept, strict=True) if is_a_word(t) and not k]
        if missing:
            yield f"{missing[0]!r} is cut from a sentence without a tree"
        return
    groups = list(_groups(sentence, rules))
    tied = [place for group in groups for place in group]
    for group in groups:
        states = {kept[place] for place in group if is_a_word(sentence.tokens[place])}
        if len(states) > 1:
            text = " ".join(sentence.tokens[place].form for place in group)
            yield f"a part of {text!r} is cut"
    whole = rules.doubtful and not _is_understood(sentence)
    for place, token in enumerate(sentence):
        above = True if token.head == 0 else kept[token.head - 1]
        if not is_a_word(token) or (token.head and not is_a_word(sentence.tokens[token.head - 1])):
            continue
        head = "the root" if token.head == 0 else repr(sentence.tokens[token.head - 1].form)
        # A token that is tied to others may be attached to one of these instead.
        if kept[place] and not above and place not in tied:
            yield f"{token.form!r} is kept without its head {head}"
        if above and not kept[place]:
            for rule in rules.never:
                if applies(rule, sentence, place, rules):
                    yield f"{token.form!r} is cut from {head} ({rule.name})"
                    break
            else:
                if whole:
                    yield f"{token.form!r} is cut from {head}, in a doubtful tree"
                elif _kind(rules, sentence, place) is None:
                    yield f"{token.form!r} is cut from {head}, and no rule calls that safe"


def _kind(rules: Rules, sentence: Sentence, place: int) -> str | None:
    """Return the kind of a cut, or None if no rule calls it safe where one must."""
    found = [rule.name for rule in rules.safe if applies(rule, sentence, place, rules)]
    return found[0] if found else "other" if rules.bold or not rules.safe else None


def _is_understood(sentence: Sentence) -> bool:
    for place, token in enumerate(sentence, 1):
        below = {base_of(t) for t in children_of(sentence, place)}
        is_predicate = below & {"nsubj", "csubj", "expl"} or "Mood=Imp" in token.feats.split("|")
        relative = [
            t
            for t in children_of(sentence, place)
            if base_of(t) in ("nsubj", "csubj", "expl") and t.form.lower() in ("which", "who")
        ]
        inside = any(t is not sentence.tokens[0] for t in relative)
        if token.head == 0 and is_predicate and "mark" not in below and not inside:
            return True
    return False


def _groups(sentence: Sentence, rules: Rules) -> Iterator[list[int]]:
    if rules.written_words:
        yield from _written_groups(sentence)
    if rules.names:
        for place in range(1, len(sentence)):
            if sentence.tokens[place - 1].upos == sentence.tokens[place].upos == "PROPN":
                yield [place - 1, place]
    for place in range(1, len(sentence)):
        pair = [sentence.tokens[place - 1].form, sentence.tokens[place].form]
        for month, day in (pair, pair[::-1]):
            if month.lower() in rules.dates and day[0].isdigit() and len(day) < 5:
                yield [place - 1, place]
    yield from _quoted(sentence, dict(rules.quotation_marks))


def _quoted(sentence: Sentence, closing_of: dict[str, str]) -> Iterator[list[int]]:
    """List what is between a mark and its closing mark, or an end of the sentence."""
    parts = [set(group) for group in _written_groups(sentence)]
    glued = {(a, a + 1) for part in parts for a in part if a + 1 in part}
    begin, count, closing = -1, 0, ""
    for place, token in enumerate(sentence):
        inner = 0 < place < len(sentence) - 1
        at_end = inner and (place - 1, place) in glued and (place, place + 1) not in glued
        if begin >= 0:
            if token.form == closing:
                yield list(range(begin, place + 1))
                begin, count = -1, count + 1
        elif token.form in closing_of and not (at_end and token.form in closing_of.values()):
            begin, closing = place, closing_of[token.form]
        elif token.form in closing_of.values() and token.form not in "'’" and count == 0:
            yield list(range(place + 1))
            count = 1
    if begin >= 0:
        yield list(range(begin, len(sentence)))


def _written_groups(sentence: Sentence) -> Iterator[list[int]]:
    """List the tokens of each part of the text without spaces."""
    place, group, length = 0, list[int](), {}
    for several in sentence.multiword_tokens:
        length[several.first - 1] = several.last - several.first + 1
    for _, misc in sentence.surface():
        size = length.get(place, 1)
        group += range(place, place + size)
        place += size
        if "SpaceAfter=No" not in misc.split("|"):
            yield group
            group = []
    yield group


def _written(sentence: Sentence, kept: Sequence[bool]) -> int:
    """Count the written words of which some part is kept."""
    return sum(any(kept[place] for place in group) for group in _written_groups(sentence))
