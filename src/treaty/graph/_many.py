"""Many factors of a kind in one call, from arrays of indices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from treaty._native.graph import GraphError, Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import LARGEST, Floats, Ints

__all__ = ["ManyFactors"]

Begins = npt.NDArray[np.int64]
OPTIONS: dict[str, tuple[str, ...]] = {
    "exactly_one": (),
    "at_most_one": (),
    "at_least_one": (),
    "implies": (),
    "xor_with_output": (),
    "or_with_output": (),
    "and_with_output": (),
    "reward": ("score",),
    "at_most": ("k",),
    "exactly": ("k",),
    "at_least": ("k",),
    "knapsack": ("costs", "capacity"),
    "table": ("scores",),
}
"""The kinds, and the arguments that each needs beside its literals."""
MOST_INDEX = 2**30


class _Literals(NamedTuple):
    """The literals of all factors, one factor after the other."""

    codes: Ints
    begin: Begins
    """Where those of each factor begin, and the end."""
    rows: bool
    """Whether they were given as the rows of a matrix."""

    @property
    def factors(self) -> int:
        return len(self.begin) - 1

    @property
    def sizes(self) -> Begins:
        return np.diff(self.begin)

    def factor_at(self, place: int) -> int:
        """Return the number of the factor to which a literal belongs."""
        return int(np.searchsorted(self.begin, place, "right")) - 1


class ManyFactors(Base):
    """Factors by the thousand, without a Python loop."""

    def add_many(
        self,
        kind: str,
        variables: npt.ArrayLike,
        sizes: npt.ArrayLike | None = None,
        *,
        negated: npt.ArrayLike | None = None,
        **options: npt.ArrayLike,
    ) -> range:
        """Add many factors of a kind, given as arrays.

        The graph is the same as if each factor was added by the method of its kind. All factors are
        checked before any is added; an error names the first invalid one by its number in the call.

        Parameters
        ----------
        kind
            The name of the method that adds one: ``"exactly_one"``, ``"at_most_one"``,
            ``"at_least_one"``, ``"implies"``, ``"xor_with_output"``, ``"or_with_output"``,
            ``"and_with_output"``, ``"reward"``, ``"at_most"``, ``"exactly"``, ``"at_least"``,
            ``"knapsack"`` or ``"table"``.
        variables
            Indices of binary variables, such as ``graph.variables(scores).indices``: a matrix with
            a row for each factor, or one axis with all factors one after the other. An output or a
            consequent is last. In a table, the index of the first state of a categorical variable
            stands for that variable.
        sizes
            How many variables each factor has, if `variables` has one axis: an array, or a number
            for all.
        negated
            True where a variable is negated: an array like `variables`, or one that broadcasts to
            it, such as one row for all.
        **options
            Each needs an array with one number per factor, or a number for all: ``score`` of a
            reward, ``k`` of a limit, ``capacity`` of a knapsack. ``costs`` of a knapsack are like
            `variables`. ``scores`` of tables: one axis for the tables and one for each variable, or
            one axis with all cells one after the other; or a single table for all.

        Returns
        -------
        range
            The positions of the new factors in ``graph.factors``.

        Examples
        --------
        >>> import numpy as np
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> x = graph.variables(np.array([0.5, 0.4, 0.3, 0.2])).indices
        >>> graph.add_many("at_most_one", np.stack([x[:-1], x[1:]], axis=1))
        range(0, 3)
        >>> graph.add_many("implies", [[0, 3]], negated=[False, True])
        range(3, 4)
        >>> graph.add_many("reward", [0, 2, 1, 2, 3], sizes=[2, 3], score=[0.1, -0.2])
        range(4, 6)
        >>> graph.factors[3], graph.factors[5]
        (<Factor 3: at_least_one(~x0, ~x3)>, <Factor 5: reward(x1, x2, x3)>)
        """
        if kind not in OPTIONS:
            raise UsageError(
                f"add_many: there is no kind {kind!r}: choose from {', '.join(OPTIONS)}"
            )
        if set(options) != set(OPTIONS[kind]):
            needed = " and ".join(OPTIONS[kind]) or "none"
            raise UsageError(
                f"add_many: {kind} needs these options: {needed}; "
                f"got {', '.join(options) or 'none'}"
            )
        literals = _literals(variables, sizes, negated)
        return self._append(*_arrays(self._self.native, kind, literals, options))

    def _append(
        self,
        kinds: npt.NDArray[np.uint8],
        literals: _Literals,
        data: Floats,
        data_begin: Begins,
        shape: Ints,
        shape_begin: Begins,
    ) -> range:
        try:
            first = self.native.add_many(
                kinds, literals.codes, literals.begin, data, data_begin, shape, shape_begin
            )
        except GraphError as error:
            raise UsageError(f"add_many: {error}") from error
        return range(first, first + literals.factors)


Packed = tuple[npt.NDArray[np.uint8], _Literals, Floats, Begins, Ints, Begins]
NO_NUMBERS, NO_INTEGERS = np.empty(0), np.empty(0, np.int32)


def _arrays(
    graph: Any, kind: str, literals: _Literals, options: dict[str, npt.ArrayLike]
) -> Packed:
    """Write factors as the native graph stores them."""
    none = np.zeros(literals.factors + 1, np.int64)
    each = np.arange(literals.factors + 1, dtype=np.int64)
    if kind == "table":
        return _tables(graph, literals, options["scores"])
    if kind == "knapsack":
        data, data_begin = _knapsacks(literals, options["costs"], options["capacity"])
        return _kinds(Kind.knapsack, literals), literals, data, data_begin, NO_INTEGERS, none
    if kind == "reward":
        score = _per_factor("score", options["score"], literals, np.float64)
        return _kinds(Kind.reward, literals), literals, score, each, NO_INTEGERS, none
    if "k" in options:
        k = _per_factor("k", options["k"], literals, np.int64)
        for bad in np.flatnonzero((k < 0) | (k > LARGEST))[:1].tolist():
            raise UsageError(f"add_many: factor {bad}: k is from 0 to {LARGEST}, not {k[bad]}")
        kinds, literals, k = _limits(kind, literals, k)
        return kinds, literals, NO_NUMBERS, none, k.astype(np.int32), each
    if kind == "implies":
        for short in np.flatnonzero(literals.sizes < 2)[:1].tolist():
            raise UsageError(
                f"add_many: factor {short}: implies requires at least one antecedent and a "
                "consequent"
            )
        consequent = literals.codes[literals.begin[1:] - 1]
        codes = literals.codes ^ 1
        codes[literals.begin[1:] - 1] = consequent
        literals, kind = literals._replace(codes=codes), "at_least_one"
    return _kinds(Kind[kind], literals), literals, NO_NUMBERS, none, NO_INTEGERS, none


def _kinds(kind: Kind, literals: _Literals) -> npt.NDArray[np.uint8]:
    return np.full(literals.factors, kind.value, np.uint8)


def _literals(
    variables: npt.ArrayLike, sizes: npt.ArrayLike | None, negated: npt.ArrayLike | None
) -> _Literals:
    index = _integers("variables", variables)
    if index.ndim == 2:
        if sizes is not None:
            raise UsageError(
                "add_many: a matrix of variables has a row for each factor; omit sizes"
            )
        begin = np.arange(index.shape[0] + 1, dtype=np.int64) * index.shape[1]
    elif index.ndim == 1 and sizes is not None:
        begin = _begins(sizes, len(index))
    else:
        raise UsageError(
            "add_many: variables must be a matrix with a row for each factor, or have one axis, "
            f"with sizes; got an array of shape {index.shape}"
        )
    flat = index.ravel()
    literals = _Literals(flat, begin, index.ndim == 2)
    if len(flat) and not (flat.min() >= 0 and flat.max() < MOST_INDEX):
        place = int(np.flatnonzero((flat < 0) | (flat >= MOST_INDEX))[0])
        raise UsageError(
            f"add_many: factor {literals.factor_at(place)}: there is no variable {flat[place]}"
        )
    codes = flat.astype(np.int32) * np.int32(2)
    if negated is not None:
        signs = np.asarray(negated)
        if signs.dtype != np.bool_:
            raise UsageError(f"add_many: negated: expected True and False, got {signs.dtype}")
        codes += _broadcast("negated", signs, index.shape).ravel()
    return literals._replace(codes=codes)


def _begins(sizes: npt.ArrayLike, total: int) -> Begins:
    """Return where factors of these sizes begin, and the end."""
    each = _integers("sizes", sizes)
    if each.ndim == 0 and each > 0 and total % int(each) == 0:
        each = np.full(total // int(each), each)
    if each.ndim != 1:
        raise UsageError(
            f"add_many: sizes: expected a number for each factor, or one for all that divides the "
            f"{total} variables; got {sizes!r}"
        )
    for bad in np.flatnonzero((each < 0) | (each > total))[:1].tolist():
        raise UsageError(f"add_many: factor {bad}: its size is {each[bad]}, of {total} variables")
    begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(each, dtype=np.int64)])
    if begin[-1] != total:
        raise UsageError(f"add_many: the sizes sum to {begin[-1]}, but there are {total} variables")
    return begin


def _integers(what: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise UsageError(
            f"add_many: {what}: expected integers, such as graph.variables(scores).indices, "
            f"got an array of {array.dtype}"
        )
    return array


def _broadcast(what: str, array: npt.NDArray[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise UsageError(
            f"add_many: {what}: expected an array of shape {shape}, or one that broadcasts to it, "
            f"got one of shape {array.shape}"
        ) from None


def _numbers(what: str, values: npt.ArrayLike) -> Floats:
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"add_many: {what}: expected numbers ({error})") from error


def _per_factor(what: str, values: npt.ArrayLike, literals: _Literals, dtype: Any) -> Any:
    array = _integers(what, values) if dtype is np.int64 else _numbers(what, values)
    each = _broadcast(what, array, (literals.factors,))
    if each.dtype.kind == "u" and each.size and each.max() > LARGEST:  # it would wrap
        each = np.minimum(each, np.uint64(LARGEST + 1))
    return np.ascontiguousarray(each, dtype)


def _limits(
    kind: str, literals: _Literals, k: Begins
) -> tuple[npt.NDArray[np.uint8], _Literals, Begins]:
    """Write limits; "at least k" as "at most n - k are off", or as "exactly" if k exceeds n."""
    if kind != "at_least":
        return _kinds(Kind[kind], literals), literals, k
    possible = k <= literals.sizes
    kinds = np.where(possible, Kind.at_most.value, Kind.exactly.value).astype(np.uint8)
    codes = literals.codes ^ np.repeat(possible, literals.sizes).astype(np.int32)
    return kinds, literals._replace(codes=codes), np.where(possible, literals.sizes - k, k)


def _knapsacks(
    literals: _Literals, costs: npt.ArrayLike, capacity: npt.ArrayLike
) -> tuple[Floats, Begins]:
    """Write the costs of each factor, and its capacity after them."""
    shape: tuple[int, ...] = (len(literals.codes),)
    if literals.rows and literals.factors:
        shape = (literals.factors, shape[0] // literals.factors)
    begin = literals.begin + np.arange(literals.factors + 1)
    data = np.empty(int(begin[-1]))
    is_cost = np.ones(len(data), bool)
    is_cost[begin[1:] - 1] = False
    data[is_cost] = _broadcast("costs", _numbers("costs", costs), shape).ravel()
    data[~is_cost] = _per_factor("capacity", capacity, literals, np.float64)
    return data, begin


def _tables(graph: Any, literals: _Literals, scores: npt.ArrayLike) -> Packed:
    """Write tables: the states of every variable, and the cells."""
    for empty in np.flatnonzero(literals.sizes < 1)[:1].tolist():
        raise UsageError(f"add_many: factor {empty}: a table needs at least one variable")
    variable = literals.codes >> 1
    if len(variable) and variable.max() >= graph.variables:
        place = int(np.argmax(variable >= graph.variables))
        raise UsageError(
            f"add_many: factor {literals.factor_at(place)}: there is no variable {variable[place]}"
        )
    size_at = np.zeros(graph.variables, np.int32)
    size_at[graph.categorical_first] = graph.categorical_size
    size = size_at[variable]
    is_binary = size == 0
    wrong = ~is_binary & ((literals.codes & 1) == 1)
    for place in np.flatnonzero(wrong)[:1].tolist():
        raise UsageError(
            f"add_many: factor {literals.factor_at(place)}: a categorical variable cannot be "
            "negated"
        )
    size[is_binary] = 2
    ends = np.cumsum(size, dtype=np.int64)
    state = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - size, size)
    # A binary variable has the states (~x, x).
    base = np.where(is_binary, literals.codes ^ 1, literals.codes)
    step = np.where(is_binary, 1 - 2 * (base & 1), 2)
    codes = (np.repeat(base, size) + state * np.repeat(step, size)).astype(np.int32)
    begin = np.concatenate([np.zeros(1, np.int64), ends])[literals.begin]
    cells = (
        np.multiply.reduceat(size.astype(np.float64), literals.begin[:-1]) if len(size) else size
    )
    for large in np.flatnonzero(cells > LARGEST)[:1].tolist():
        raise UsageError(f"add_many: factor {large}: its table has more than 2^31 cells")
    data_begin = np.concatenate([np.zeros(1, np.int64), np.cumsum(cells.astype(np.int64))])
    data = _cells(literals, size, data_begin, _numbers("scores", scores))
    kinds = _kinds(Kind.table, literals)
    return kinds, _Literals(codes, begin, False), data, data_begin, size, literals.begin


def _cells(literals: _Literals, size: Ints, begin: Begins, scores: Floats) -> Floats:
    """Return the cells of all tables, one after the other."""
    if scores.ndim == 1 and len(scores) == begin[-1]:
        return np.ascontiguousarray(scores)
    shapes = size.reshape(literals.factors, -1) if literals.rows and literals.factors else None
    if shapes is not None and np.all(shapes == shapes[0]):
        shape = (literals.factors, *shapes[0].tolist())
        if scores.shape in (shape, shape[1:]):
            return np.ascontiguousarray(np.broadcast_to(scores, shape)).ravel()
    raise UsageError(
        f"add_many: scores: expected the {begin[-1]} cells of all tables one after the other, or, "
        "if all have the same shape, an array with an axis for the tables and one for each "
        f"variable; got one of shape {scores.shape}"
    )
