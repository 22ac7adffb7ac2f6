"""Names in full at first mention: the only words that a summary adds to its sentences.

A name such as "Keller" is given as "Ruth Keller" where a summary mentions it first, if its document
has exactly one such fuller form, or has none and the other documents have exactly one. Of e-mails
by several people, sentences with "I" get the name of the sender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treaty.summarize._body import Body
from treaty.summarize._source import Bools, Source
from treaty.text import Sentence

__all__ = ["full_names", "fuller_forms", "reserved_for_senders", "sender_names", "senders_of"]

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
SHARE_OF_SENDERS = 6
"""At most one of so many words is a sender."""
SPEAKING = frozenset({"i", "me", "my", "mine", "we", "us", "our", "ours"})
PEOPLE = frozenset({"nsubj", "nsubj:pass", "nmod:poss"})


def fuller_forms(
    name: str, sentences: Sequence[Sentence], stop_words: frozenset[str] = frozenset()
) -> list[str]:
    """List the fuller forms of a name in sentences.

    Stop words, and words that are also written in lower case, are no parts of names.

    Examples
    --------
    >>> text = ["Ruth Keller sang .", "Keller is the mayor of New Ulm ."]
    >>> sentences = [Sentence.from_words(line.split()) for line in text]
    >>> fuller_forms("Keller", sentences), fuller_forms("Ulm", sentences)
    (['Ruth Keller'], [])
    """
    found: dict[str, None] = {}
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
                found[" ".join(forms[begin : place + 1])] = None
    return list(found)


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
    everything = [sentence for own in documents.values() for sentence in own]
    for source, keep in zip(taken, kept, strict=True):
        own: dict[int, str] = {}
        tokens = source.sentence.tokens
        for place, token in enumerate(tokens):
            if not keep[place] or token.upos != "PROPN":
                continue
            if token.form not in known and _stands_alone(source, keep, place):
                near = fuller_forms(token.form, documents.get(source.document, ()), stop_words)
                forms = near or fuller_forms(token.form, everything, stop_words)
                parts = forms[0].split(" ")[:-1] if len(forms) == 1 else []
                if parts and len(parts) <= room:
                    own[place] = " ".join(parts)
                    room -= len(parts)
            known.add(token.form)
        found.append(own)
    return found


def sender_names(
    taken: Sequence[Source], senders: Sequence[str | None], room: int
) -> list[dict[int, str]]:
    """Find the sentences of a summary of several e-mails that need the name of their sender.

    These are sentences that say "I" or "we" and all those of others that follow, and in a chat
    whose speakers stand above their messages all. Who was named before is named by the first word
    alone, and so is everybody when there is little room.

    Parameters
    ----------
    taken
        The sentences of the summary, in order.
    senders
        The sender of each; None where it is not an e-mail of several people.
    room
        How many words may be added.

    Returns
    -------
    list
        For each sentence, by tokens: the sender, to write before the first token.
    """
    found, now, known = [], None, set[str]()
    for source, sender in zip(taken, senders, strict=True):
        own: dict[int, str] = {}
        speaks = any(form.lower() in SPEAKING for form in source.sentence.words)
        if sender and sender != now and (speaks or now or source.is_turn) and room > 0:
            words = sender.split()
            used = words[:1] if sender in known or len(words) > room else words
            own[0] = f"{' '.join(used)}:"
            room -= len(used)
            now = sender
            known.add(sender)
        found.append(own)
    return found


def senders_of(taken: Sequence[Source], bodies: Sequence[Body]) -> list[str | None]:
    """List the senders of sentences; None for all unless the documents have several senders."""
    if len({name for body in bodies for _, name in body.senders if name}) < 2:
        return [None] * len(taken)
    return [
        bodies[source.document].sender_at(source.span[0] if source.span else 0) for source in taken
    ]


def reserved_for_senders(bodies: Sequence[Body], words: int) -> int:
    """Return how many words of a limit are kept for the senders of several e-mails.

    >>> thread = [Body("", senders=((0, "Ann Lee"), (90, "Bo"))), Body("", senders=((0, "Bo"),))]
    >>> reserved_for_senders(thread, 60), reserved_for_senders(thread[1:], 60)
    (4, 0)
    """
    senders = [name for body in bodies for _, name in body.senders if name]
    if len(set(senders)) < 2:
        return 0
    again = len(senders) - len(set(senders))
    every = sum(len(name.split()) for name in set(senders)) + again
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
