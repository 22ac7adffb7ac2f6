"""Names in full at first mention: the only words that a summary adds to its sentences.

A name such as "Keller" is given as "Ruth Keller" where a summary mentions it first, if its document
has exactly one such fuller form, or has none and the other documents have exactly one. Of e-mails
by several people, sentences with "I" get the name of the sender.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treaty.languages import Language
from treaty.summarize.sentences._source import ENGLISH, Bools, Source
from treaty.text import Sentence
from treaty.text.layout import Body

__all__ = ["full_names", "fuller_forms", "reserved_for_senders", "sender_names", "senders_of"]

MOST_WORDS = 3
"""Words of a full name."""
SHARE_OF_SENDERS = 6
"""At most one of so many words is a sender."""
PEOPLE = frozenset({"nsubj", "nsubj:pass", "nmod:poss"})


def fuller_forms(
    name: str,
    sentences: Sequence[Sentence],
    stop_words: frozenset[str] = frozenset(),
    language: Language = ENGLISH,
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
    forms_of_name: dict[str, None] = {}
    small = {form for sentence in sentences for form in sentence.words if form.islower()}

    def is_part(form: str) -> bool:
        return _is_part(form, language) and form.lower() not in small | stop_words

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
                forms_of_name[" ".join(forms[begin : place + 1])] = None
    return list(forms_of_name)


def _is_part(form: str, language: Language) -> bool:
    """Return whether a word may be a part of a person's name."""
    bare = form.rstrip(".")
    is_initial = len(bare) == 1 and bare.isupper()
    is_initial = is_initial and bare.lower() not in language.pronouns.speaking
    is_name = bare.istitle() and bare.isalpha() and len(bare) > 1
    return (is_initial or is_name) and bare.lower() not in language.names.before


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
    names = []
    everything = [sentence for added in documents.values() for sentence in added]
    for source, keep in zip(taken, kept, strict=True):
        added: dict[int, str] = {}
        tokens = source.sentence.tokens
        for place, token in enumerate(tokens):
            if not keep[place] or token.upos != "PROPN":
                continue
            if token.form not in known and _stands_alone(source, keep, place):
                about = (stop_words, source.language)
                near = fuller_forms(token.form, documents.get(source.document, ()), *about)
                forms = near or fuller_forms(token.form, everything, *about)
                parts = forms[0].split(" ")[:-1] if len(forms) == 1 else []
                if parts and len(parts) <= room:
                    added[place] = " ".join(parts)
                    room -= len(parts)
            known.add(token.form)
        names.append(added)
    return names


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
    names, now, known = [], None, set[str]()
    for source, sender in zip(taken, senders, strict=True):
        added: dict[int, str] = {}
        speaks = any(
            form.lower() in source.language.pronouns.speaking for form in source.sentence.words
        )
        if sender and sender != now and (speaks or now or source.is_turn) and room > 0:
            words = sender.split()
            used = words[:1] if sender in known or len(words) > room else words
            added[0] = f"{' '.join(used)}:"
            room -= len(used)
            now = sender
            known.add(sender)
        names.append(added)
    return names


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
    if (
        source.is_headline
        or token.deprel not in PEOPLE
        or not _is_part(token.form, source.language)
    ):
        return False
    beside = [p for p in (place - 1, place + 1) if 0 <= p < len(tokens)]
    if any(tokens[p].upos == "PROPN" or tokens[p].form in ("-", "&") for p in beside):
        return False
    below = [t for t in tokens if t.head == place + 1]
    return not any(t.deprel in ("det", "amod", "compound", "flat", "nummod") for t in below)
