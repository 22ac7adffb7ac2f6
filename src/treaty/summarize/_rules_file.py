"""Files of compression rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from treaty._streams import Origin, name_of
from treaty.errors import InputError
from treaty.summarize._conditions import CONDITIONS, PATTERNS, SWITCHES
from treaty.summarize._meaning import Scope
from treaty.summarize._rules import Rule, Rules
from treaty.text._data import read_toml

__all__ = ["read_rules"]

HEADER = re.compile(r"\s*\[\[\s*(never|safe)\s*\]\]")
TEXTS = ("name", "why", "paper")
TRUSTED = "trusted"
TOGETHER = ("written_words", "names", "doubtful")
SECTIONS = ("words", "together", "scope")
LISTED = ("never", "safe")
SCOPE = tuple(one.name for one in fields(Scope))


def read_rules(*origins: Origin) -> Rules:
    """Read rules from one or more files, which are taken together.

    Raises
    ------
    InputError
        With file, line and cause.
    """
    never, safe, found = list[Rule](), list[Rule](), dict[str, Any]()
    words = dict[str, list[str]]()
    for origin in origins:
        data, text = read_toml(origin, "rules")
        file = _File(name_of(origin), text, words)
        file.check(data)
        file.add_words(data.get("words", {}))
        never += file.rules(data, "never")
        safe += file.rules(data, "safe")
        found |= file.together(data.get("together", {}))
        if "scope" in data:
            found["scope"] = file.scope(data["scope"])
    return Rules(tuple(never), tuple(safe), **found)


class _File:
    """A file of rules, with the lines at which they start."""

    def __init__(self, path: str, text: str, words: dict[str, list[str]]) -> None:
        self.path, self.lines, self.words = path, text.splitlines(), words
        self.starts: dict[str, list[int]] = {"never": [], "safe": []}
        for number, line in enumerate(self.lines):
            if header := HEADER.match(line):
                self.starts[header[1]].append(number)

    def check(self, data: Mapping[str, Any]) -> None:
        """Check the sections."""
        if unknown := sorted(data.keys() - {*SECTIONS, *LISTED}):
            raise self._fault(
                f"[{unknown[0]}]",
                f"unknown section {unknown[0]!r}: expected [words], [together], [scope], "
                "[[never]] and [[safe]]",
            )
        for name in SECTIONS:
            if not isinstance(data.get(name, {}), dict):
                raise self._fault("", f"expected one section [{name}]")
        for name in LISTED:
            if not isinstance(given := data.get(name, []), list):
                raise self._fault("", f"expected sections [[{name}]]")
            if len(given) != len(self.starts[name]):
                raise self._fault(name, f"expected rules as sections [[{name}]]")

    def add_words(self, given: Mapping[str, Any]) -> None:
        """Read lists of words, which rules name by ``@list``."""
        for name, value in given.items():
            self.words[name] = self._texts(name, value, 0)

    def together(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Read what is kept together."""
        if unknown := sorted(given.keys() - {"quotation_marks", "dates", *TOGETHER}):
            raise self._fault(unknown[0], f"[together] has no key {unknown[0]!r}")
        found: dict[str, Any] = {key: given[key] for key in TOGETHER if key in given}
        for key, value in found.items():
            if not isinstance(value, bool):
                raise self._fault(key, f"{key} must be true or false")
        if "dates" in given:
            found["dates"] = frozenset(self._texts("dates", given["dates"], 0))
        if "quotation_marks" in given:
            marks = self._texts("quotation_marks", given["quotation_marks"], 0)
            pairs = [tuple(pair.split()) for pair in marks]
            if any(len(pair) != 2 for pair in pairs):
                raise self._fault("quotation_marks", "expected pairs of marks such as '« »'")
            found["quotation_marks"] = tuple(pairs)
        return found

    def scope(self, given: Mapping[str, Any]) -> Scope:
        """Read the words whose scope matters."""
        if unknown := sorted(given.keys() - set(SCOPE)):
            raise self._fault(
                unknown[0], f"[scope] has no key {unknown[0]!r}, only {', '.join(SCOPE)}"
            )
        return Scope(**{key: frozenset(self._texts(key, v, 0)) for key, v in given.items()})

    def rules(self, data: Mapping[str, Any], name: str) -> list[Rule]:
        """Read the rules of one kind."""
        given = zip(data.get(name, []), self.starts[name], strict=True)
        return [self._rule(rule, name, start) for rule, start in given]

    def _rule(self, given: Mapping[str, Any], kind: str, start: int) -> Rule:
        if unknown := sorted(given.keys() - {*CONDITIONS, *TEXTS, TRUSTED}):
            known = ", ".join(sorted(CONDITIONS))
            message = f"there is no condition {unknown[0]!r}, only {known}"
            raise self._fault(unknown[0], message, start)
        if not isinstance(given.get("name"), str):
            raise self._fault(f"[[{kind}]]", "a rule must have a name", start)
        if given.keys() <= {*TEXTS, TRUSTED}:
            raise self._fault("name", f"the rule {given['name']!r} must have a condition", start)
        for key in TEXTS:
            if not isinstance(given.get(key, ""), str):
                raise self._fault(key, f"{key} must be a string", start)
        if not isinstance(trusted := given.get(TRUSTED, False), bool):
            raise self._fault(TRUSTED, f"{TRUSTED} must be true or false", start)
        texts = {key: given.get(key, "") for key in TEXTS}
        conditions = {k: self._value(k, given[k], start) for k in CONDITIONS if k in given}
        return Rule(**texts, conditions=conditions, trusted=trusted)

    def _value(self, key: str, value: object, start: int) -> Any:
        if key in SWITCHES:
            if not isinstance(value, bool):
                raise self._fault(key, f"{key} must be true or false", start)
            return value
        if key in PATTERNS:
            try:
                if isinstance(value, str) and re.compile(value):
                    return value
            except re.error as error:
                raise self._fault(key, f"{key} is no regular expression: {error}", start) from None
            raise self._fault(key, f"{key} must be a string", start)
        return frozenset(self._texts(key, value, start))

    def _texts(self, key: str, value: object, start: int) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._fault(key, f"{key} must be a list of strings", start)
        found = list[str]()
        for text in value:
            if text.startswith("@") and text[1:] not in self.words:
                raise self._fault(key, f"there is no list {text[1:]!r} under [words]", start)
            found += self.words[text[1:]] if text.startswith("@") else [text]
        return found

    def _fault(self, beginning: str, message: str, start: int = 0) -> InputError:
        """Make the error for the first line from `start` on that begins with this text."""
        for number, line in enumerate(self.lines[start:], start + 1):
            if line.strip().startswith(beginning):
                return InputError(message, path=self.path, line=number, text=line.strip())
        return InputError(message, path=self.path, line=start + 1)
