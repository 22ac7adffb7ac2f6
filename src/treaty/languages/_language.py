"""Single languages: their words, rules and conventions, a folder for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "UNKNOWN",
    "Calendar",
    "Discourse",
    "Grammar",
    "Language",
    "Layout",
    "Names",
    "Posts",
    "Pronouns",
    "Writing",
    "codes",
    "default_model",
    "get",
    "guess",
]

FOLDER = Path(__file__).parent
UNKNOWN = "und"
"""The code of no language in particular (ISO 639-2): what others lack is taken from it."""
LAYOUT = "layout.toml"
NAMED = re.compile(r"\{\{(\w+)\}\}")
NOWHERE = r"(?!)"
"""A pattern that is found nowhere."""
LEAST_SHARE, LONGEST_GUESS = 0.1, 20_000
"""Share of stop words in a text whose language is clear, and how much of it is looked at."""
Words = frozenset[str]
NONE: Words = frozenset()
Section = TypeVar("Section")


@dataclass(frozen=True)
class Pronouns:
    """Pronouns, in lower case.

    Attributes
    ----------
    speaking, addressing
        Those of the speaker (I, we) and of who is spoken to (you).
    person, thing, several
        Those that stand for one person, one thing, and several.
    counted
        Those that stand for a set some of which are counted ("two of them").
    possessive
        Those that stand for what somebody has ("theirs").
    backward
        Those that make a sentence less clear by itself, for features.
    """

    speaking: Words = NONE
    addressing: Words = NONE
    person: Words = NONE
    thing: Words = NONE
    several: Words = NONE
    counted: Words = NONE
    possessive: Words = NONE
    backward: Words = NONE


@dataclass(frozen=True)
class Discourse:
    """Words that tie a sentence to others, in lower case.

    Attributes
    ----------
    openers
        Words and phrases that open a sentence and lean on the one before it.
    before_comma
        Those of them that do so only before a comma.
    pointing
        Words that point at what was just said ("this", "such").
    periods
        Nouns with which these words name a time instead ("this week").
    answers, asking
        Words that begin an answer, and a question.
    rest, counted
        Words for what is left of a set, and for some of it.
    there
        Adverbs for a place that was named.
    definite, indefinite
        Articles of what is known, and of what is introduced.
    partitive
        The preposition that names the set ("the rest of").
    anyone
        Pronouns for people in general ("one should").
    """

    openers: Words = NONE
    before_comma: Words = NONE
    pointing: Words = NONE
    periods: Words = NONE
    answers: Words = NONE
    asking: Words = NONE
    rest: Words = NONE
    counted: Words = NONE
    there: Words = NONE
    definite: Words = NONE
    indefinite: Words = NONE
    partitive: Words = NONE
    anyone: Words = NONE


@dataclass(frozen=True)
class Grammar:
    """Function words, in lower case.

    Attributes
    ----------
    relative
        Pronouns that begin a relative clause as its subject.
    negations
        Words that negate.
    times
        Words that tell when.
    degrees
        Adverbs of degree.
    slotless
        Adverbs that complete no verb.
    conjunctions
        Words before which a long sentence may be cut.
    """

    relative: Words = NONE
    negations: Words = NONE
    times: Words = NONE
    degrees: Words = NONE
    slotless: Words = NONE
    conjunctions: Words = NONE


@dataclass(frozen=True)
class Names:
    """Words in and around names, in lower case.

    Attributes
    ----------
    before
        Words with capitals that stand before a name without being its first part ("Mr").
    joining
        Words within names ("of").
    """

    before: Words = NONE
    joining: Words = NONE


@dataclass(frozen=True)
class Writing:
    """Conventions of writing words.

    Attributes
    ----------
    one_word
        Patterns of strings that are one word.
    cuts
        Patterns of places within a string where a word starts.
    clitics
        Patterns of words that are written without white space before them.
    ascii_words
        Whether words are of ASCII letters and digits for ROUGE, as its script has it for English.
    never_first
        Words that no sentence begins with.
    compounds
        Words that begin compounds with a hyphen more often than they are a part of a divided word.
    """

    one_word: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    clitics: tuple[str, ...] = ()
    ascii_words: bool = False
    never_first: Words = NONE
    compounds: Words = NONE


@dataclass(frozen=True)
class Posts:
    """Words that tell the types of posts.

    Attributes
    ----------
    cues
        The words of each type.
    verbs, subjects
        A verb before a subject is a question.
    """

    cues: Mapping[str, Words] = field(default_factory=dict)
    verbs: Words = NONE
    subjects: Words = NONE


@dataclass(frozen=True)
class Calendar:
    """Numbers and units.

    Attributes
    ----------
    numbers
        Numbers and units in words, with their usual form in digits.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """Lines that are no sentences, as regular expressions.

    Attributes
    ----------
    month, weekday, day, time, clock
        Parts of dates and times, for the other patterns.
    date_line
        A line that is a date; the day is its first group.
    glued_date, glued_or_last_date
        A date at the beginning of a line of text; and there or at the end.
    dateline
        Place, date, and agency or dash at the beginning of a report.
    byline, caption
        A line that names the author, and one that belongs to a picture, table or video.
    boilerplate
        A part of a line that belongs to a web page.
    salutation, greeting
        A line that begins a letter; and any greeting, also at the end.
    wrote, who_wrote
        A line above a quoted e-mail; the name in it is its first group.
    stamp, speaker_and_time
        A time before a message of a chat, and a line above the messages of one speaker.
    comment
        A line above a comment on a page.
    """

    month: str = NOWHERE
    weekday: str = NOWHERE
    day: str = NOWHERE
    time: str = NOWHERE
    clock: str = NOWHERE
    date_line: str = NOWHERE
    glued_date: str = NOWHERE
    glued_or_last_date: str = NOWHERE
    dateline: str = NOWHERE
    byline: str = NOWHERE
    caption: str = NOWHERE
    boilerplate: str = NOWHERE
    salutation: str = NOWHERE
    greeting: str = NOWHERE
    wrote: str = NOWHERE
    who_wrote: str = NOWHERE
    stamp: str = NOWHERE
    speaker_and_time: str = NOWHERE
    comment: str = NOWHERE


@dataclass(frozen=True, eq=False)
class Language:
    """A language; made by `get`.

    What its folder lacks is that of no language in particular, which is mostly nothing: there are
    no words that another language would understand otherwise.

    Attributes
    ----------
    code
        ISO 639-1, or "und".
    name
        The name in English.
    stemmer
        The stemmer of the Snowball project; empty if there is none.
    stop_words
        Function words, in lower case: nothing that could be a topic.
    models
        The names of models by task, as in ``{"pipeline": "english"}``.
    folder
        Where its files are.

    Examples
    --------
    >>> "i" in get("en").pronouns.speaking, "i" in get("da").pronouns.speaking
    (True, False)
    """

    code: str
    name: str
    stemmer: str = ""
    stop_words: Words = NONE
    models: Mapping[str, str] = field(default_factory=dict)
    folder: Path = FOLDER / UNKNOWN
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the code: there is one object of each language."""
        return get, (self.code,)

    @cached_property
    def pronouns(self) -> Pronouns:
        """The pronouns."""
        return _section(Pronouns, self.data.get("pronouns", {}))

    @cached_property
    def discourse(self) -> Discourse:
        """The words that tie sentences."""
        return _section(Discourse, self.data.get("discourse", {}))

    @cached_property
    def grammar(self) -> Grammar:
        """The function words."""
        return _section(Grammar, self.data.get("grammar", {}))

    @cached_property
    def names(self) -> Names:
        """The words around names."""
        return _section(Names, self.data.get("names", {}))

    @cached_property
    def writing(self) -> Writing:
        """The ways of writing."""
        return _section(Writing, self.data.get("writing", {}))

    @cached_property
    def posts(self) -> Posts:
        """The cues of posts."""
        return _section(Posts, self.data.get("posts", {}))

    @cached_property
    def calendar(self) -> Calendar:
        """Numbers and units."""
        return _section(Calendar, self.data.get("calendar", {}))

    @cached_property
    def layout(self) -> Layout:
        """The patterns of lines: those of any language, and in their place those of this one."""
        files = dict.fromkeys((FOLDER / UNKNOWN / LAYOUT, self.folder / LAYOUT))
        patterns: dict[str, str] = {}
        for file in filter(Path.exists, files):
            patterns |= _read(file)
        resolved = {name: _whole(pattern, patterns) for name, pattern in patterns.items()}
        return _section(Layout, resolved)

    @property
    def abbreviations(self) -> Path | None:
        """The file of abbreviations, for `treaty.parse.Abbreviations`; None if there is none."""
        file = self.folder / "abbreviations.txt"
        return file if file.exists() else None

    @property
    def rules(self) -> tuple[Path, ...]:
        """The files of rules of compression, in the order in which they are read.

        They are those of no language in particular, between the language's lists of words
        (``0-*.toml``) and its rules.
        """
        paths = sorted((self.folder / "rules").glob("*.toml"))
        if self.folder.name == UNKNOWN or not paths:
            return tuple(sorted((FOLDER / UNKNOWN / "rules").glob("*.toml")))
        base = get(UNKNOWN).rules
        lists = [path for path in paths if path.name.startswith("0-")] or base[:1]
        return (*lists, *base[1:], *(path for path in paths if path not in lists))


def get(language: str | None) -> Language:
    """Return a language by its code or its English name.

    Of a language without a folder, and of None, nothing is known but what holds for all.

    Examples
    --------
    >>> get("da").name, get("English").code, get("xx").code, get(None).code
    ('Danish', 'en', 'xx', 'und')
    """
    code = _codes_by_name().get((language or UNKNOWN).strip().lower())
    if code is not None:
        return _loaded(code)
    return _without_folder((language or UNKNOWN).strip())


def codes() -> tuple[str, ...]:
    """List the codes of the languages that have a folder, without that of no language.

    >>> {"da", "en"} <= set(codes()), "und" in codes()
    (True, False)
    """
    return tuple(code for code in sorted(set(_codes_by_name().values())) if code != UNKNOWN)


def default_model(task: str, language: str | None = "en") -> str | None:
    """Return the name of the usual model of a language for a task; None if there is none.

    Whether it is installed is another matter (`treaty.models`).

    Examples
    --------
    >>> default_model("pipeline"), default_model("pipeline", "fr")
    ('english', None)
    """
    return get(language).models.get(task)


def guess(text: str) -> Language:
    """Guess the language of a text by its stop words; it is no language in particular if unclear.

    Examples
    --------
    >>> guess("The cat sat on the mat").code, guess("Die Katze und der Hund").code, guess("x").code
    ('en', 'de', 'und')
    """
    words = re.findall(r"\w+", text[:LONGEST_GUESS].lower())
    shares = sorted(
        (sum(word in known for word in words), code)
        for code in codes()
        if (known := get(code).stop_words)
    )
    best, code = shares[-1]
    is_clear = best > shares[-2][0] and best >= LEAST_SHARE * len(words)
    return get(code if is_clear else UNKNOWN)


@cache
def _codes_by_name() -> dict[str, str]:
    """Return the codes of languages by code and by name, in lower case."""
    codes = dict[str, str]()
    for file in sorted(FOLDER.glob("*/language.toml")):
        code = file.parent.name
        with file.open(encoding="utf-8") as stream:
            name = stream.readline().partition("=")[2].strip(' "\n')
        codes |= {code: code, name.lower(): code}
    return codes


@cache
def _loaded(code: str) -> Language:
    folder = FOLDER / code
    data = _read(folder / "language.toml")
    return Language(
        code,
        data["name"],
        data.get("stemmer", ""),
        _words(data.get("stop_words", "")),
        data.get("models", {}),
        folder,
        data,
    )


@cache
def _without_folder(code: str) -> Language:
    neutral = _loaded(UNKNOWN)
    return Language(code, code, folder=neutral.folder, data=neutral.data)


def _whole(pattern: str, patterns: Mapping[str, str]) -> str:
    """Put patterns in the places where others name them: ``{{month}}``."""
    while NAMED.search(pattern):
        pattern = NAMED.sub(lambda match: patterns[match[1]], pattern)
    return pattern


def _read(file: Path) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(file.read_text(encoding="utf-8"))


def _words(value: str | list[str]) -> Words:
    """Read words with white space between, or a list of words and phrases."""
    return frozenset(value.split() if isinstance(value, str) else value)


def _section(kind: type[Section], data: Mapping[str, Any]) -> Section:
    """Make a section of what a file has of it."""
    values: dict[str, Any] = {}
    for attribute in fields(kind):  # type: ignore[arg-type]
        if attribute.name not in data:
            continue
        value = data[attribute.name]
        if attribute.type == "Words":
            values[attribute.name] = _words(value)
        elif attribute.type == "tuple[str, ...]":
            values[attribute.name] = tuple(value)
        elif attribute.type == "Mapping[str, Words]":
            values[attribute.name] = {key: _words(words) for key, words in value.items()}
        else:
            values[attribute.name] = value
    if unknown := data.keys() - {attribute.name for attribute in fields(kind)}:  # type: ignore[arg-type]
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind(**values)
