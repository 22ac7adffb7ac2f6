"""Words that open a sentence and lean on the one before it: however, but, for example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treaty.summarize._source import Source, is_word
from treaty.text import Sentence

__all__ = ["opener_of", "openers", "speaker_of"]

LEANING = frozenset({
    "however", "but", "yet", "so", "and", "or", "nor", "therefore", "thus", "hence", "then",
    "moreover", "furthermore", "additionally", "besides", "consequently", "accordingly",
    "nevertheless", "nonetheless", "instead", "otherwise", "similarly", "likewise", "also",
    "meanwhile", "afterwards", "afterward", "subsequently", "later", "still", "finally", "indeed",
    "conversely", "in addition", "as a result", "as a consequence", "for example", "for instance",
    "on the other hand", "on the one hand", "at the same time", "in other words", "in contrast",
    "by contrast", "on the contrary", "in turn", "that said", "even so", "after that", "in fact",
    "for that reason", "for this reason", "what is more", "on top of that", "in the meantime",
    "despite this", "despite that", "because of this", "as such", "in this case", "in that case",
    "until then", "since then", "by then", "from then on", "at that time", "at that point",
    "in return", "in response", "because of that", "after this", "in doing so", "to do so",
    "in that time",
})  # fmt: skip
WORDS = frozenset(entry.split(" ")[0] for entry in LEANING)
LONGEST = max(entry.count(" ") + 1 for entry in LEANING)
WITH_COMMA = frozenset({"so", "later", "still", "finally", "indeed", "yet", "besides"})
"""Openers only before a comma: "Still life was her subject" does not lean on anything."""
LONGEST_SPEAKER = 8
JOINING = frozenset({"-", "/"})
"""Marks that make one word of an opener and the next: "then-president"."""


def speaker_of(source: Source) -> int:
    """Return how many tokens name the speaker of a turn of a chat.

    >>> turn = Sentence.from_words(["Ann", ":", "yes", ",", "I", "will"])
    >>> speaker_of(Source(0, 1, turn, is_turn=True)), speaker_of(Source(0, 1, turn))
    (2, 0)
    """
    if not source.is_turn or source.place:
        return 0
    forms = source.sentence.words[:LONGEST_SPEAKER]
    return next((n + 1 for n, form in enumerate(forms) if form in (":", ">")), 0)


def opener_of(sentence: Sentence, start: int = 0) -> list[int]:
    """Return the places of the words that open a sentence and lean on another; empty if none do.

    The first tokens may be left out, such as the speaker of a turn.

    Examples
    --------
    >>> opener_of(Sentence.from_words(["In", "addition", ",", "it", "rained"]))
    [0, 1]
    >>> opener_of(Sentence.from_words(["Still", "waters", "run", "deep"]))
    []
    """
    places = [n for n, token in enumerate(sentence) if n >= start and is_word(token.form)]
    forms = [sentence.tokens[n].form.lower() for n in places[:LONGEST]]
    if not forms or forms[0] not in WORDS:
        return []
    for size in range(len(forms), 0, -1):
        if (text := " ".join(forms[:size])) in LEANING:
            after = places[size - 1] + 1
            mark = sentence.tokens[after].form if after < len(sentence) else ""
            leans = mark == "," if text in WITH_COMMA else mark not in JOINING
            return places[:size] if leans else []
    return []


def openers(sources: Sequence[Source], begin: Sequence[int]) -> list[tuple[int, int]]:
    """Find the words that lean on the sentence before theirs.

    Parameters
    ----------
    sources
        Sentences with trees.
    begin
        The number of the first token of each.

    Returns
    -------
    list
        The number of the highest token of each opener, and of the sentence; -1 if that is not
        among them.

    Examples
    --------
    >>> words = [["Ann", "slept"], ["But", "Bo", "sang"]]
    >>> trees = [Sentence.from_words(w) for w in words]
    >>> trees = [trees[0].with_tree([2, 0], ["nsubj", "root"]),
    ...          trees[1].with_tree([3, 3, 0], ["cc", "nsubj", "root"])]
    >>> openers([Source(0, n, tree) for n, tree in enumerate(trees)], [0, 2])
    [(2, 0)]
    """
    place = {(source.document, source.number): n for n, source in enumerate(sources)}
    found = []
    for n, source in enumerate(sources):
        own = opener_of(source.sentence, speaker_of(source)) if source.number > 0 else []
        if own:
            tokens = source.sentence.tokens
            top = next((p for p in own if tokens[p].head - 1 not in own), own[0])
            found.append((int(begin[n]) + top, one_before(source, place)))
    return found


def one_before(source: Source, place: Mapping[tuple[int, int], int]) -> int:
    """Return the sentence before one, or -1; of a chat, the last one before it that is there.

    >>> turn = Source(0, 5, Sentence.from_words(["Ann", ":", "ok"]), is_turn=True)
    >>> one_before(turn, {(0, 2): 7}), one_before(Source(0, 5, turn.sentence), {(0, 2): 7})
    (7, -1)
    """
    farthest = 0 if source.is_turn else source.number - 1
    numbers = range(source.number - 1, farthest - 1, -1)
    keys = ((source.document, number) for number in numbers)
    return next((place[key] for key in keys if key in place), -1)
