"""Templates over codes: features of candidate parts of any kind, hashed natively."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native.features import CodeTemplates as Native
from treaty._native.features import text_hash, text_hashes
from treaty.errors import UsageError
from treaty.features._templates import check_templates

__all__ = ["CodeTemplates", "PartFeatures", "RaggedFeatures"]

Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
Column = Sequence[int] | Sequence[str] | npt.NDArray[Any]

ATOM = re.compile(r"(?:(\d+)\.)?(\S+)")
NUMBER = "*"
MOST_BITS = 30


@dataclass(frozen=True, slots=True)
class PartFeatures:
    """Features of parts, one row per part, as indices into a weight table.

    Attributes
    ----------
    places
        The indices of the features of each part.
    values
        Their values; None if all are 1.

    Examples
    --------
    >>> features = PartFeatures(np.array([[0, 1], [2, 1]], np.int32))
    >>> features.scores(np.array([1.0, 10.0, 100.0]))
    array([ 11., 110.])
    >>> features.total(np.array([0.0, -2.0]))
    (array([2, 1], dtype=int32), array([-2., -2.]))
    """

    places: Ints
    values: Floats | None = None

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, parts: Any) -> PartFeatures:
        """Select the rows of some parts."""
        return PartFeatures(self.places[parts], None if self.values is None else self.values[parts])

    def scores(self, weights: Any) -> Floats:
        """Score the parts; `weights` is an array, or is indexed like one (`TaskWeights`)."""
        products = weights[self.places]
        if self.values is not None:
            products = products * self.values
        return np.asarray(products.sum(axis=1, dtype=np.float64))

    def total(self, amounts: Floats) -> tuple[Ints, Floats]:
        """Sum the features of parts, times a count for each; returns indices and values."""
        used = np.flatnonzero(amounts)
        values = np.ones(self.places.shape[1]) if self.values is None else self.values[used]
        return self.places[used].ravel(), (amounts[used, None] * values).ravel()

    def entries(self) -> tuple[npt.NDArray[np.int64], Ints, Floats]:
        """Return the part, the index and the value of every feature."""
        rows = np.repeat(np.arange(len(self)), self.places.shape[1])
        values = np.ones(self.places.size) if self.values is None else self.values.ravel()
        return rows, self.places.ravel(), values


@dataclass(frozen=True, slots=True)
class RaggedFeatures:
    """Features of parts that have different numbers of them, as indices into a weight table.

    Attributes
    ----------
    begin
        Where the features of each part begin, and where those of the last end.
    places
        The indices of the features of all parts.
    values
        Their values; None if all are 1.

    Examples
    --------
    >>> features = RaggedFeatures(np.array([0, 2, 2, 3]), np.array([0, 1, 2], np.int32))
    >>> features.scores(np.array([1.0, 10.0, 100.0]))
    array([ 11.,   0., 100.])
    >>> features.total(np.array([2.0, 1.0, 0.0]))
    (array([0, 1], dtype=int32), array([2., 2.]))
    """

    begin: npt.NDArray[np.int64]
    places: Ints
    values: Floats | None = None

    def __len__(self) -> int:
        return len(self.begin) - 1

    def scores(self, weights: Any) -> Floats:
        """Score the parts; `weights` is an array, or is indexed like one (`TaskWeights`)."""
        rows, places, values = self.entries()
        return np.bincount(rows, np.asarray(weights[places]) * values, len(self)).astype(np.float64)

    def total(self, amounts: Floats) -> tuple[Ints, Floats]:
        """Sum the features of parts, times a count for each; returns indices and values."""
        rows, places, values = self.entries()
        each = np.asarray(amounts, np.float64)[rows] * values
        used = np.flatnonzero(each)
        return places[used], each[used]

    def entries(self) -> tuple[npt.NDArray[np.int64], Ints, Floats]:
        """Return the part, the index and the value of every feature."""
        rows = np.repeat(np.arange(len(self)), np.diff(self.begin))
        return rows, self.places, np.ones(len(rows)) if self.values is None else self.values


class CodeTemplates:
    """Templates over properties of items: integers or strings ("codes"), and numbers.

    ``"distance same"`` is one feature for every combination of the values of these two codes.
    ``"*share"`` is one feature, whose value is the number ``share``. The empty template is a
    feature that all parts have. Where a part joins several items, ``"0.same 1.same"`` names codes
    of the first and the second; without a number the first is meant.

    Parameters
    ----------
    name
        Templates with different names have different features.
    templates
        The templates.
    codes, numbers
        The names of codes and numbers that templates may use.
    joined
        Number of items in a part.
    each
        Every template counts once for each of these templates, joined with it; ``""`` is the
        template alone.

    Raises
    ------
    UsageError
        When a template uses an unknown name.

    Examples
    --------
    >>> templates = CodeTemplates("pair", ["", "distance same", "*share"],
    ...     codes=["distance", "same"], numbers=["share"])
    >>> codes = {"distance": [1, 2, 1], "same": [True, True, True]}
    >>> templates.hashes(codes).shape
    (3, 3)
    >>> features = templates.features(codes, {"share": [0.1, 0.2, 0.3]}, bits=10)
    >>> features.places[0].tolist() == features.places[2].tolist(), features.values[:, 2]
    (True, array([0.1, 0.2, 0.3]))
    """

    def __init__(
        self,
        name: str,
        templates: Iterable[str],
        *,
        codes: Iterable[str],
        numbers: Iterable[str] = (),
        joined: int = 1,
        each: Sequence[str] = ("",),
    ) -> None:
        self.name, self.templates, self.each = name, tuple(templates), tuple(each)
        self.joined = joined
        check_templates((*self.templates, *self.each))
        self._known, self._numbers = tuple(codes), tuple(numbers)
        atoms = [
            [*self._atoms(template), *self._atoms(more)]
            for template in self.templates
            for more in self.each
        ]
        self.codes = tuple(dict.fromkeys(code for feature in atoms for _, code in feature))
        self._native = self._compiled(atoms)

    def __len__(self) -> int:
        """Count the features of a part."""
        return len(self.templates) * len(self.each)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that the templates use; the codes that they use are in `codes`."""
        return tuple(dict.fromkeys(t[1:] for t in self.templates if t.startswith(NUMBER)))

    def hashes(self, codes: Mapping[str, Column], parts: npt.ArrayLike | None = None) -> Hashes:
        """Hash the features of parts.

        Parameters
        ----------
        codes
            Properties of the items, by name: a list or an array of integers or strings for each
            name that the templates use.
        parts
            The indices of the items of each part, one row per part. By default every item is a
            part.

        Returns
        -------
        array
            One row per part, one column per feature.
        """
        columns = [self._column(name, codes) for name in self.codes]
        items = len(columns[0]) if columns else max(map(len, codes.values()), default=0)
        for name, column in zip(self.codes, columns, strict=True):
            if len(column) != items:
                raise UsageError(
                    f"{self.name}: {len(column)} values of {name!r} and {items} of "
                    f"{self.codes[0]!r}; expected one for each item"
                )
        try:
            rows = np.asarray(np.arange(items) if parts is None else parts, np.int64)
            rows = np.ascontiguousarray(rows.reshape(-1, self.joined))
            hashed = self._native.hashes(columns, rows.ravel())
        except ValueError as error:
            raise UsageError(f"{self.name}: {error}") from error
        return hashed.reshape(len(rows), len(self))

    def features(
        self,
        codes: Mapping[str, Column],
        numbers: Mapping[str, npt.ArrayLike] | None = None,
        parts: npt.ArrayLike | None = None,
        *,
        bits: int,
    ) -> PartFeatures:
        """Compute the indices and values of the features of parts, for ``2**bits`` weights.

        Parameters
        ----------
        codes, parts
            As in `hashes`.
        numbers
            A value for each part, by name.
        bits
            Logarithm of the size of the table.
        """
        if not 1 <= bits <= MOST_BITS:
            raise UsageError(f"expected 1 to {MOST_BITS} bits, not {bits}")
        places = (self.hashes(codes, parts) >> np.uint64(64 - bits)).astype(np.int32)
        return PartFeatures(places, self._values(numbers or {}, len(places)))

    def _values(self, numbers: Mapping[str, npt.ArrayLike], parts: int) -> Floats | None:
        if not self.numbers:
            return None
        values = np.ones((parts, len(self.templates)))
        for column, template in enumerate(self.templates):
            if template.startswith(NUMBER):
                numeric = np.asarray(self._given(template[1:], numbers, "number"), np.float64)
                if numeric.shape != (parts,):
                    raise UsageError(
                        f"{self.name}: expected {parts} values of {template[1:]!r}, one for each "
                        f"part, found {numeric.size}"
                    )
                values[:, column] = numeric
        return np.repeat(values, len(self.each), axis=1)

    def _column(self, name: str, codes: Mapping[str, Column]) -> Hashes:
        values = self._given(name, codes, "code")
        if len(values) and isinstance(values[0], str):
            try:
                return text_hashes([*values])
            except TypeError as error:
                raise UsageError(f"{self.name}: {name!r} has strings and others") from error
        array = np.asarray(values)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iub"):
            raise UsageError(
                f"{self.name}: the code {name!r} is a list of {array.dtype}; expected integers or "
                "strings (put real numbers into bins, or name them with a star)"
            )
        return np.ascontiguousarray(array).astype(np.uint64, copy=False)

    def _given(self, name: str, given: Mapping[str, Any], what: str) -> Any:
        if name not in given:
            raise UsageError(f"{self.name}: the {what} {name!r} is missing")
        return given[name]

    # Reading templates

    def _atoms(self, template: str) -> list[tuple[int, str]]:
        """Parse a template: for each atom the item, and the code of the item."""
        if template.startswith(NUMBER):
            if template[1:] not in self._numbers:
                raise UsageError(
                    f"{self.name}: template {template!r}: there is no number {template[1:]!r}; "
                    f"there are: {', '.join(self._numbers) or 'none'}"
                )
            return []
        return [self._atom(template, text) for text in template.split()]

    def _atom(self, template: str, text: str) -> tuple[int, str]:
        match = ATOM.fullmatch(text)
        item, code = (int(match[1] or 0), match[2]) if match else (0, text)
        if code not in self._known:
            raise UsageError(
                f"{self.name}: template {template!r}: there is no code {code!r}; "
                f"there are: {' '.join(self._known) or 'none'}"
            )
        if item >= self.joined:
            raise UsageError(
                f"{self.name}: template {template!r}: {text!r} names item {item}; "
                f"parts join {self.joined}, counted from 0"
            )
        return item, code

    def _compiled(self, atoms: list[list[tuple[int, str]]]) -> Native:
        number = {code: n for n, code in enumerate(self.codes)}
        flat = [atom for feature in atoms for atom in feature]
        seeds = [text_hash(f"{self.name}: {t}") for t in self.templates for _ in self.each]
        return Native(
            np.array([item for item, _ in flat], np.int32),
            np.array([number[code] for _, code in flat], np.int32),
            np.cumsum([0, *map(len, atoms)]).astype(np.int32),
            np.array(seeds, np.uint64),
            self.joined,
            len(self.codes),
        )
