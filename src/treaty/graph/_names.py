"""Names of variables: given ones, and x0, x1…, c0, c1… for the others."""

from __future__ import annotations

import re
from bisect import bisect_right

from treaty.errors import UsageError

UNNAMED = re.compile(r"([xc])(\d{1,10})", re.ASCII)
STATE = re.compile(r"(.*)\[(\d{1,10})\]", re.ASCII | re.DOTALL)


class Names:
    """The names of a graph's variables, and lookup by name.

    Only given names are stored: most graphs with a million variables have none.
    """

    def __init__(self) -> None:
        self.first: list[int] = []  # the first binary variable of each categorical one, ascending
        self.size: list[int] = []
        self._variable_name: dict[int, str] = {}
        self._categorical_name: dict[int, str] = {}
        self._variable: dict[str, int] = {}
        self._categorical: dict[str, int] = {}

    def copy(self) -> Names:
        """Make an independent copy."""
        twin = Names()
        for field, value in vars(self).items():
            setattr(twin, field, value.copy())
        return twin

    def check(self, name: object, default: str) -> None:
        """Raise `UsageError` for a name that is taken or reserved for unnamed variables."""
        if not isinstance(name, str) or not name:
            raise UsageError(f"expected a nonempty string as the name of a variable, got {name!r}")
        if name in self._variable or name in self._categorical:
            raise UsageError(f"there is already a variable named {name!r}; names must be unique")
        if name != default and (UNNAMED.fullmatch(name) or STATE.fullmatch(name)):
            raise UsageError(
                f"the name {name!r} is reserved for unnamed variables and states; choose another"
            )

    def add_variable(self, variable: int, name: str) -> None:
        """Store the name of a binary variable (after `check`)."""
        self._variable_name[variable] = name
        self._variable[name] = variable

    def add_categorical(self, first: int, size: int, name: str | None) -> int:
        """Store a categorical variable (its name after `check`); return its index."""
        index = len(self.first)
        self.first.append(first)
        self.size.append(size)
        if name is not None:
            self._categorical_name[index] = name
            self._categorical[name] = index
        return index

    def of_categorical(self, index: int) -> str:
        """Return the name of a categorical variable."""
        return self._categorical_name.get(index) or f"c{index}"

    def of(self, variable: int) -> str:
        """Return the name of a binary variable, ``weather[2]`` for a state of a categorical one."""
        index = bisect_right(self.first, variable) - 1
        if index >= 0 and variable < self.first[index] + self.size[index]:
            return f"{self.of_categorical(index)}[{variable - self.first[index]}]"
        return self._variable_name.get(variable) or f"x{variable}"

    def find_variable(self, name: str) -> int | None:
        """Find the binary variable with this name; the caller checks that the index exists."""
        if name in self._variable:
            return self._variable[name]
        variable = None
        if unnamed := UNNAMED.fullmatch(name):
            variable = int(unnamed[2])
        elif state := STATE.fullmatch(name):
            index = self.find_categorical(state[1])
            variable = None if index is None else self.first[index] + int(state[2])
        return variable if variable is not None and self.of(variable) == name else None

    def find_categorical(self, name: str) -> int | None:
        """Find the categorical variable with this name, if any."""
        if name in self._categorical:
            return self._categorical[name]
        unnamed = UNNAMED.fullmatch(name)
        index = int(unnamed[2]) if unnamed and unnamed[1] == "c" else len(self.first)
        return index if index < len(self.first) and self.of_categorical(index) == name else None
