"""Sentences that cannot be understood without another one: a light resolver of references.

A sentence whose subject or first word is a pronoun needs the sentence that says who or what that
is: the nearest one before it, in the same document, with a fitting noun or name. So does one whose
subject is "the" and a noun that an earlier sentence introduced with "a" or, in a single document,
with a name. "The rest", "all three", "one of them", "there", answers and a turn of a chat that
begins with a pronoun need what was said just before, and a question of a text needs what follows.
These are implications between sentences in the factor graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treaty.summarize._openers import one_before, opener_of, speaker_of
from treaty.summarize._source import Source, is_word
from treaty.text import Sentence

__all__ = ["first_word", "needs_another", "references"]

PERSON = frozenset({"he", "she", "his", "her", "him", "hers"})
THING = frozenset({"it", "its"})
SEVERAL = frozenset({"they", "their", "them", "theirs", "both"})
POINTING = frozenset({"this", "these", "that", "those", "such", "another", "neither", "others"})
TIMES = frozenset({
    "day", "week", "weekend", "month", "year", "morning", "afternoon", "evening", "night", "time",
    "spring", "summer", "autumn", "winter", "season",
})  # fmt: skip
ANSWERS = frozenset({
    "yes", "no", "yeah", "yep", "nope", "sure", "ok", "okay", "right", "agreed", "done", "perfect",
    "exactly", "same",
})  # fmt: skip
REST = frozenset({"rest", "others", "latter", "former", "same"})
COUNTED = frozenset({"all", "each", "none", "one", "other", "first", "second", "third"})
THEM = frozenset({"them", "these", "those"})
ASKING = frozenset({"who", "what", "why", "how", "which", "where", "when", "whose"})
FARTHEST = 6
"""How many sentences back the noun may be."""
SUBJECTS = frozenset({"nsubj", "nsubj:pass"})
NOMINAL = frozenset({"NOUN", "PROPN"})


def first_word(sentence: Sentence) -> str:
    """Return the first word of a sentence, in lower case.

    >>> first_word(Sentence.from_words(['"', "It", "rained"]))
    'it'
    """
    return next((token.form.lower() for token in sentence if is_word(token.form)), "")


def needs_another(source: Source) -> int:
    """Return where the sentence is that one needs by its first word, without a look at its tree.

    It is 0 if it needs none.

    >>> he, who = ["He", "slept"], ["Who", "slept", "?"]
    >>> [needs_another(Source(0, 1, Sentence.from_words(words))) for words in (he, who)]
    [-1, 1]
    """
    sentence, start = source.sentence, speaker_of(source)
    words = [form.lower() for form in sentence.words[start:] if is_word(form)]
    if words and (words[0] in PERSON | THING | SEVERAL | POINTING or _answers(source)):
        return -1
    return -1 if opener_of(sentence, start) else int(_asks(source))


def references(sources: Sequence[Source]) -> list[tuple[int, int]]:
    """Find for each sentence that points back the one that it needs.

    Parameters
    ----------
    sources
        Sentences with trees, sorted by document and number.

    Returns
    -------
    list
        Pairs of indices: the first sentence needs the second one. Both are the same where no
        sentence fits: then it cannot be understood.

    Examples
    --------
    >>> words = [["Ann", "slept"], ["She", "dreamed"]]
    >>> trees = [Sentence.from_words(w).with_tree([2, 0], ["nsubj", "root"]) for w in words]
    >>> trees[0].tokens[0].upos, trees[1].tokens[0].upos = "PROPN", "PRON"
    >>> references([Source(0, n, tree) for n, tree in enumerate(trees)])
    [(1, 0)]
    """
    place = {(source.document, source.number): n for n, source in enumerate(sources)}
    return [
        (n, n if other is None else other)
        for n, source in enumerate(sources)
        if source.number > 0
        for other in (*_beside(source, place), *_before(source, sources, place))
    ]


def _beside(source: Source, place: Mapping[tuple[int, int], int]) -> Iterator[int | None]:
    """List what a sentence needs from just before or after it; None for one that is not there."""
    document, number = source.document, source.number
    if _answers(source):
        before = one_before(source, place)
        yield before if before >= 0 else None
    elif source.is_turn and source.place:  # only the first of a turn names the speaker
        yield place.get((document, number - source.place))
    if _asks(source):
        yield place.get((document, number + 1))
    last = None if source.is_turn else place.get((document, number - 1))
    if last is not None and _points_at_the_last(source.sentence):
        yield last


def _before(
    source: Source, sources: Sequence[Source], place: Mapping[tuple[int, int], int]
) -> Iterator[int | None]:
    """List the sentences that say what the subject of one is; None if no sentence does."""
    if source.is_turn:
        return
    word, document = _points_back(source.sentence), source.document
    numbers = range(source.number - 1, max(-1, source.number - 1 - FARTHEST), -1)
    before = [place[document, number] for number in numbers if (document, number) in place]
    if not word:
        noun = _known_noun(source.sentence)
        several = any(s.document != document for s in sources)  # others may introduce it, too
        first = [m for m in before if noun and _introduces(sources[m].sentence, noun, several)]
        yield from first[-1:]
        return
    if word in POINTING:  # at what was just said
        before = [m for m in before if sources[m].number == source.number - 1]
    fitting = [m for m in before if _fits(sources[m].sentence, word)]
    if fitting or word not in THING:
        yield fitting[0] if fitting else None


def _points_back(sentence: Sentence) -> str:
    """Return the pronoun that needs another sentence; empty if there is none."""
    tokens = [token for token in sentence if is_word(token.form)]
    if not tokens:
        return ""
    first = tokens[0]
    word = first.form.lower()
    if word in POINTING:
        head = sentence.tokens[first.head - 1] if first.head > 0 else None
        is_time = head is not None and head.form.lower() in TIMES
        is_mark = first.deprel in ("mark", "advmod")
        return "" if is_time or is_mark else word
    if word in THING and first.deprel == "expl":
        return ""
    if word in PERSON | THING | SEVERAL and first.upos in ("PRON", "DET", "_"):
        return word
    for token in tokens:  # "…," he said
        above = sentence.tokens[token.head - 1] if token.head > 0 else None
        if above is not None and above.head == 0 and token.deprel in SUBJECTS:
            return token.form.lower() if token.form.lower() in PERSON | SEVERAL else ""
    return ""


def _answers(source: Source) -> bool:
    """Return whether a sentence is an answer: "yes, ...", or a turn of a chat with a pronoun."""
    rest = source.sentence.tokens[speaker_of(source) :]
    place = next((n for n, token in enumerate(rest) if is_word(token.form)), len(rest))
    if source.number <= 0 or place == len(rest):
        return False
    word, begins = rest[place].form.lower(), source.is_turn and source.place == 0
    parted = any(not is_word(token.form) for token in rest[place + 1 : place + 2])
    if word in ANSWERS and (parted or begins):
        return True
    back = word in PERSON | THING | SEVERAL | POINTING and rest[place].deprel != "expl"
    return back and begins


def _asks(source: Source) -> bool:
    """Return whether a sentence is a question that the text itself goes on to answer."""
    asks = source.sentence.words[-1:] == ["?"] and first_word(source.sentence) in ASKING
    return asks and not source.is_turn


def _points_at_the_last(sentence: Sentence) -> bool:
    """Return whether a sentence speaks of "the rest", "all three" or "there", not of a pronoun."""
    if _points_back(sentence):
        return False
    if _counts_the_last(sentence):
        return True
    forms = [token.form.lower() for token in sentence]
    for place, (token, form) in enumerate(zip(sentence, forms, strict=True)):
        after = forms[place + 1 : place + 2]
        is_rest = form in REST and forms[place - 1 : place] == ["the"] and after != ["of"]
        head = sentence.tokens[token.head - 1] if token.head > 0 else None
        is_there = form == "there" and token.deprel == "advmod"
        if is_rest and (head is None or token.deprel != "amod"):
            return True
        if form in ("theirs", "hers") or (is_there and head is not None and head.head == 0):
            return True
    return False


def _counts_the_last(sentence: Sentence) -> bool:
    """Return whether the subject is some of what was named before: "all three", "one of them"."""
    for place, token in enumerate(sentence, 1):
        if token.deprel not in SUBJECTS or sentence.tokens[token.head - 1].head != 0:
            continue
        below = [t for t in sentence if t.head == place and t.deprel != "punct"]
        is_number, form = token.upos == "NUM", token.form.lower()
        if (is_number or form in COUNTED) and any(t.form.lower() in THEM for t in below):
            return True
        if all(t.deprel in ("det", "advmod") for t in below):
            anyone = form == "one" and any(t.xpos == "MD" for t in sentence)  # "one should"
            known = is_number and any(t.deprel == "det" for t in below)
            return known or (form in COUNTED and not anyone)
    return False


def _known_noun(sentence: Sentence) -> str:
    """Return the noun of a bare subject with "the", such as "the bill"; empty if there is none."""
    for place, token in enumerate(sentence, 1):
        is_subject = token.deprel in SUBJECTS and token.upos == "NOUN" and token.head > 0
        if is_subject and sentence.tokens[token.head - 1].head == 0:
            below = [t for t in sentence if t.head == place and t.deprel != "punct"]
            is_bare = all(t.deprel in ("det", "amod", "case") for t in below)
            is_known = any(t.form.lower() == "the" for t in below)
            earlier = any(
                t.form.lower() == token.form.lower() for t in sentence.tokens[: place - 1]
            )
            return token.form.lower() if is_bare and is_known and not earlier else ""
    return ""


def _introduces(sentence: Sentence, noun: str, several: bool) -> bool:
    """Return whether a sentence mentions something first: with "a", or in one document a name."""
    places = [n for n, t in enumerate(sentence, 1) if t.form.lower() == noun]
    below = [t for t in sentence if t.head in places]
    return any(t.form.lower() in ("a", "an") or (t.upos == "PROPN" and not several) for t in below)


def _fits(sentence: Sentence, word: str) -> bool:
    """Return whether a sentence names what a pronoun may stand for."""
    own = _points_back(sentence)
    nouns = [token for token in sentence if token.upos in NOMINAL]
    if word in PERSON:
        names = [t for t in nouns if t.upos == "PROPN" and t.deprel.partition(":")[0] != "compound"]
        people = [t for t in names if t.deprel in SUBJECTS or "appos" in t.deprel]
        return bool(people or (names and not own)) and own not in PERSON
    if word in SEVERAL:
        plural = ("NNS", "NNPS")
        return own not in SEVERAL and any(
            t.xpos in plural or "Number=Plur" in t.feats or _is_joined(sentence, t) for t in nouns
        )
    if word in THING:
        return own not in THING and any(t.deprel in SUBJECTS or t.deprel == "obj" for t in nouns)
    return True


def _is_joined(sentence: Sentence, token: object) -> bool:
    place = next(n for n, other in enumerate(sentence, 1) if other is token)
    return any(t.head == place and t.deprel == "conj" for t in sentence)
