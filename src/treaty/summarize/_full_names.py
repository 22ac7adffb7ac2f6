"""Names in full at first mention: the only words that a summary adds to its sentences.

A name such as "Keller" is given as "Ruth Keller" where a summary mentions it first, if its document
has exactly one such fuller form. Of several e-mails, sentences with "I" get the name of the sender.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from treaty.corpus import Sentence
from treaty.summarize._source import Bools, Source

__all__ = ["full_names", "fuller_form", "reserved_for_senders", "sender_names"]

MOST_WORDS = 3
"""Words of a full name."""
OTHERS = frozenset({
    "the", "new", "north", "south", "east", "west", "northern", "southern", "eastern", "western",
    "san", "santa", "los", "las", "saint", "mount", "lake", "fort", "port", "great", "united",
    "university", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "january", "february", "march", "april", "june", "july", "august", "september", "october",
    "november", "december", "mr", "mrs", "ms", "dr", "prof", "sir", "president", "minister",
    "prime", "vice", "chief", "king", "queen", "prince", "princess", "pope", "judge", "senator",
    "governor", "mayor", "captain", "general", "colonel", "professor", "doctor", "coach",
    "director", "chairman", "secretary", "spokesman", "spokeswoman", "old", "little", "upper",
    "lower", "central", "inner", "outer", "what", "when", "where", "why", "how", "who",
})  # fmt: skip
"""Words that may stand before a name without being the first part of it."""
SHARE_OF_SENDERS = 8
"""At most one of so many words is a sender."""
SPEAKING = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
PEOPLE = frozenset({"nsubj", "nsubj:pass", "nmod:poss"})


def fuller_form(
    name: str, sentences: Sequence[Sentence], stop_words: frozenset[str] = frozenset()
) -> str | None:
    """Return the fuller form of a name in the sentences of a document; None if there is not one.

    Stop words, and words that are also written in lower case, are no parts of names.

    Examples
    --------
    >>> text = ["Ruth Keller sang .", "Keller is the mayor of New Ulm ."]
    >>> sentences = [Sentence.from_words(line.split()) for line in text]
    >>> fuller_form("Keller", sentences), fuller_form("Ulm", sentences)
    ('Ruth Keller', None)
    """
    found: Counter[str] = Counter()
    small = {form for sentence in sentences for form in sentence.words if form.islower()}

    def is_part(form: str) -> bool:
        return _is_part(form) and form.lower() not in small | stop_words

    for sentence in sentences:
        forms = sentence.words
        if name not in forms:
            continue
        for place, form in enumerate(forms):
            if form != name:
                continue
            begin = place
            while begin > 0 and place - begin < MOST_WORDS - 1 and is_part(forms[begin - 1]):
                begin -= 1
            goes_on = place + 1 < len(forms) and is_part(forms[place + 1])
            blocked = begin > 0 and (is_part(forms[begin - 1]) or forms[begin - 1] in "&-'’")
            if begin < place and not goes_on and not blocked:
                found[" ".join(forms[begin : place + 1])] += 1
    return next(iter(found)) if len(found) == 1 else None


def _is_part(form: str) -> bool:
    """Return whether a word may be a part of a person's name."""
    bare = form.rstrip(".")
    is_initial = len(bare) == 1 and bare.isupper() and bare != "I"
    is_name = bare.istitle() and bare.isalpha() and len(bare) > 1
    return (is_initial or is_name) and bare.lower() not in OTHERS


def full_names(
    taken: Sequence[Source],
    kept: Sequence[Bools],
    documents: Mapping[int, Sequence[Sentence]],
    stop_words: frozenset[str],
    room: int,
) -> list[dict[int, str]]:
    """Find the names of a summary that are mentioned first without a part that is known.

    Parameters
    ----------
    taken
        The parsed sentences of the summary, in order.
    kept
        Which of their tokens are kept.
    documents
        The sentences of each document.
    stop_words
        Words that are no names, in lower case.
    room
        How many words may be added.

    Returns
    -------
    list
        For each sentence, by tokens: the words to write before the token.
    """
    known: set[str] = set()
    found = []
    for source, keep in zip(taken, kept, strict=True):
        own: dict[int, str] = {}
        tokens = source.sentence.tokens
        for place, token in enumerate(tokens):
            if not keep[place] or token.upos != "PROPN":
                continue
            if token.form not in known and _stands_alone(source, keep, place):
                full = fuller_form(token.form, documents.get(source.document, ()), stop_words)
                parts = full.split(" ")[:-1] if full else []
                if parts and len(parts) <= room:
                    own[place] = " ".join(parts)
                    room -= len(parts)
            known.add(token.form)
        found.append(own)
    return found


def sender_names(
    taken: Sequence[Source], senders: Sequence[str | None], room: int
) -> list[dict[int, str]]:
    """Find the sentences of a summary of several e-mails that say "I" or "we".

    Parameters
    ----------
    taken
        The sentences of the summary, in order.
    senders
        The sender of each document, if it is an e-mail.
    room
        How many words may be added.

    Returns
    -------
    list
        For each sentence, by tokens: the sender, to write before the first token.
    """
    found, before = [], None
    several = len({sender for sender in senders if sender}) > 1
    for source in taken:
        own: dict[int, str] = {}
        sender = senders[source.document] if several else None
        speaks = any(form.lower() in SPEAKING for form in source.sentence.words)
        if sender and speaks and sender != before and len(sender.split()) <= room:
            own[0] = f"{sender}:"
            room -= len(sender.split())
            before = sender
        elif sender != before:
            before = None
        found.append(own)
    return found


def reserved_for_senders(senders: Sequence[str | None], words: int) -> int:
    """Return how many words of a limit are kept for the senders of several e-mails.

    >>> reserved_for_senders(["Ann Lee", "Bo", "Ann Lee", None], 60)
    3
    """
    names = {sender for sender in senders if sender}
    every = sum(len(name.split()) for name in names) if len(names) > 1 else 0
    return min(every, words // SHARE_OF_SENDERS)


def _stands_alone(source: Source, keep: Bools, place: int) -> bool:
    """Return whether a name of a person has one word here, as a subject or possessor."""
    tokens = source.sentence.tokens
    token = tokens[place]
    if source.is_headline or token.deprel not in PEOPLE or not _is_part(token.form):
        return False
    beside = [p for p in (place - 1, place + 1) if 0 <= p < len(tokens)]
    if any(tokens[p].upos == "PROPN" or tokens[p].form in ("-", "&") for p in beside):
        return False
    below = [t for t in tokens if t.head == place + 1]
    return not any(t.deprel in ("det", "amod", "compound", "flat", "nummod") for t in below)
