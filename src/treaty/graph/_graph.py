"""The factor graph that users build, solve and save."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from treaty._native.graph import Graph, GraphError
from treaty.errors import UsageError
from treaty.graph._counting import CountingFactors
from treaty.graph._custom import CustomFactors
from treaty.graph._factors import Arrays, Factor, Factors, Floats, floats
from treaty.graph._logic import LogicFactors
from treaty.graph._many import ManyFactors
from treaty.graph._names import Names
from treaty.graph._parameters import rows_of_scores, slice_of
from treaty.graph._pickling import restored, state_of
from treaty.graph._tables import TableFactors
from treaty.graph._trees import TreeFactors
from treaty.graph._variables import Categorical, Literal, Variable, Variables, check_owner

if TYPE_CHECKING:
    from treaty.solve import BatchSolution, Solution, SolveOptions

__all__ = ["FactorGraph"]


class FactorGraph(
    LogicFactors, CountingFactors, TableFactors, TreeFactors, CustomFactors, ManyFactors
):
    """Binary and categorical variables with scores, and factors over them.

    The objective is the sum of the scores of the variables that are on and the scores of the
    factors; it is maximized over the assignments that every factor allows. A graph can be pickled
    and deep-copied, together with its variables, unless it has a compiled factor.

    Attributes
    ----------
    native
        The compiled graph (``treaty._native.graph.Graph``) that solvers work on.

    Examples
    --------
    >>> graph = FactorGraph()
    >>> sun, rain, hat, umbrella = graph.variables([1.2, 0.7, -0.1, -0.3])
    >>> _ = graph.exactly_one(sun, rain)
    >>> _ = graph.implies(rain, umbrella)
    >>> _ = graph.at_most(1, hat, umbrella)
    >>> graph
    <FactorGraph: 4 variables, 3 factors>
    """

    def __init__(self) -> None:
        super().__init__()
        self._names = Names()
        self._arrays: Arrays | None = None

    @classmethod
    def _of(cls, native: Graph, names: Iterable[str] = ()) -> FactorGraph:
        """Wrap a native graph; `names` are those of its first binary variables."""
        graph = cls()
        graph.native = native
        graph._names.first = native.categorical_first.tolist()
        graph._names.size = native.categorical_size.tolist()
        for variable, name in enumerate(names):
            graph._names.add_variable(variable, name)
        return graph

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = state_of(self, self._oracles)
        return restored, (type(self), arrays, self._names.copy(), self._oracles)

    # Variables

    def variable(self, score: float = 0.0, name: str | None = None) -> Variable:
        """Add a binary variable; its score counts if it is on."""
        return self.variables([score], None if name is None else [name])[0]

    def variables(self, scores: npt.ArrayLike, names: Iterable[str] | None = None) -> Variables:
        """Add binary variables, one per score.

        A million are added at once, and none of them is an object before it is looked at: for
        `add_many` their ``indices`` are an array.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> graph.variables([0.5, -0.2], names=["hat", "umbrella"])
        [hat, umbrella]
        """
        array = floats("variables: scores", scores)
        given = None if names is None else list(names)
        if given is not None:
            self._check_names(given, self.native.variables, len(array))
        first = self._native_call(self.native.add_variables, array)
        for i, name in enumerate(given or ()):
            self._names.add_variable(first + i, name)
        return Variables(self, first, len(array))

    def categorical(self, scores: npt.ArrayLike, name: str | None = None) -> Categorical:
        """Add a variable that takes exactly one state, with a score for each.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> tag = graph.categorical([0.1, 0.7, 0.2], name="tag")
        >>> tag[1]
        tag[1]
        """
        array = floats("categorical: scores", scores)
        if name is not None:
            self._names.check(name, f"c{len(self._names.first)}")
        first = self._native_call(self.native.add_categorical, array)
        index = self._names.add_categorical(first, len(array), name)
        return Categorical(self, index, first, len(array))

    def _check_names(self, names: list[str], first: int, expected: int) -> None:
        if len(names) != expected:
            raise UsageError(f"variables: got {expected} scores but {len(names)} names")
        for i, name in enumerate(names):
            self._names.check(name, f"x{first + i}")
        if len(set(names)) != len(names):
            raise UsageError("variables: a name is given twice; names must be unique")

    # Names

    @property
    def names(self) -> list[str]:
        """The name of every binary variable; ``x0``, ``x1``… where none was given."""
        return [self._names.of(v) for v in range(self.native.variables)]

    def name_of(self, variable: int) -> str:
        """Return the name of a binary variable."""
        return self._names.of(variable)

    def name_of_categorical(self, index: int) -> str:
        """Return the name of the categorical variable with this index."""
        return self._names.of_categorical(index)

    @property
    def categoricals(self) -> list[Categorical]:
        """The categorical variables in order of insertion."""
        sizes = zip(self._names.first, self._names.size, strict=True)
        return [Categorical(self, i, first, size) for i, (first, size) in enumerate(sizes)]

    @property
    def whole_variables(self) -> list[Variable | Categorical]:
        """The variables in order of insertion, without the states of categorical ones.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> rain, weather = graph.variable(0.7), graph.categorical([0.1, 0.5])
        >>> graph.whole_variables
        [x0, c0(2 states)]
        """
        whole: list[Variable | Categorical] = []
        first = 0
        for categorical in [*self.categoricals, None]:
            last = self.native.variables if categorical is None else categorical.first
            whole += [Variable(self, 2 * v) for v in range(first, last)]
            if categorical is not None:
                whole.append(categorical)
                first = categorical.first + categorical.size
        return whole

    def __getitem__(self, key: str | int) -> Any:
        """Return the variable with this name, or the binary variable with this index."""
        if isinstance(key, str):
            index = self._names.find_categorical(key)
            if index is not None:
                return Categorical(self, index, self._names.first[index], self._names.size[index])
            found = self._names.find_variable(key)
            variable = self.native.variables if found is None else found
        else:
            variable = operator.index(key)
            variable += self.native.variables if variable < 0 else 0
        if not 0 <= variable < self.native.variables:
            raise UsageError(f"{self!r} has no variable {key!r}")
        return Variable(self, 2 * variable)

    def __iter__(self) -> Iterator[Variable]:
        return (Variable(self, 2 * v) for v in range(self.native.variables))

    def __len__(self) -> int:
        return self.native.variables

    # Scores and evidence

    @property
    def scores(self) -> Floats:
        """The score of every binary variable (read-only; `set_scores` changes them)."""
        scores = self.native.scores
        scores.flags.writeable = False
        return scores

    @property
    def parameters(self) -> Floats:
        """All scores in one array (read-only; `set_scores` changes them).

        First those of the variables, as in `scores`, then those of the factors in order of
        insertion: rewards, tables, transitions, scores of siblings and of cuts. Costs and
        capacities of knapsacks are not among them.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> sun, hat = graph.variables([1.2, -0.1])
        >>> pair = graph.reward(sun, hat, 0.4)
        >>> graph.parameters, graph.parameters[graph.slice_of(pair)]
        (array([ 1.2, -0.1,  0.4]), array([0.4]))
        """
        parameters = self.native.parameters
        parameters.flags.writeable = False
        return parameters

    def slice_of(self, what: Factor | Literal | Categorical) -> slice:
        """Return where the scores of a factor or variable are in `parameters`."""
        return slice_of(self, what)

    def set_scores(
        self, variables: npt.ArrayLike | None = None, parameters: npt.ArrayLike | None = None
    ) -> None:
        """Replace the scores of all variables, or all scores.

        Parameters
        ----------
        variables
            A number for each binary variable.
        parameters
            A number for each of `parameters`. Only one of the two can be given.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> _ = graph.reward(*graph.variables([1.2, -0.1]), 0.4)
        >>> graph.set_scores([0.5, 0.25])
        >>> graph.parameters
        array([0.5 , 0.25, 0.4 ])
        >>> graph.set_scores(parameters=[0, 1, 2])
        >>> graph.parameters
        array([0., 1., 2.])
        """
        if (variables is None) == (parameters is None):
            raise UsageError("set_scores: give either variables or parameters")
        what = "parameters" if variables is None else "variables"
        given = parameters if variables is None else variables
        rows = rows_of_scores(f"set_scores: {what}", self, given)
        expected = len(self.native.parameters) if variables is None else self.native.variables
        if np.ndim(given) != 1 or rows.shape[1] != expected:  # type: ignore[arg-type]
            raise UsageError(
                f"set_scores: {what}: expected {expected} numbers, got an array of shape "
                f"{np.shape(given)}"  # type: ignore[arg-type]
            )
        self._native_call(self.native.set_parameters, rows[0])
        self._arrays = None

    def set_score(self, variable: Variable, score: float) -> None:
        """Replace the score of a binary variable or of a state."""
        if not isinstance(variable, Literal) or variable.negated:
            raise UsageError(f"set_score: expected a binary variable or a state, got {variable!r}")
        check_owner(self, variable)
        self._native_call(self.native.set_score, variable.variable, floats("set_score", [score])[0])

    def fix(self, what: Literal | Categorical, value: int | bool = True) -> None:
        """Fix a literal on or off, or a categorical variable to a state: evidence.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> rain, weather = graph.variable(0.7), graph.categorical([0.1, 0.5])
        >>> graph.fix(~rain)
        >>> graph.fix(weather, 1)
        >>> graph.native.evidence
        array([0, 0, 1], dtype=int8)
        """
        check_owner(self, what)
        if isinstance(what, Categorical):
            if isinstance(value, bool) or value not in range(-len(what), len(what)):
                raise UsageError(
                    f"fix: expected a state of {what!r}, as in fix(c, 0), got {value!r}"
                )
            for state in what:
                self.native.fix(state.variable, int(state == what[int(value)]))
        elif value in (0, 1):
            self.native.fix(what.variable, int(bool(value) != what.negated))
        else:
            raise UsageError(f"fix: expected True or False for a literal, got {value!r}")

    def observe(self, states: Mapping[Any, int]) -> None:
        """Fix several variables to the states in which they were observed.

        Unlike `fix`, this does not take back what was fixed before: a graph in which an observed
        state is excluded has no solution.

        Parameters
        ----------
        states
            The state of each variable: 0 or 1 for a binary one.

        Examples
        --------
        >>> graph = FactorGraph()
        >>> rain, weather = graph.variable(0.7), graph.categorical([0.1, 0.5])
        >>> graph.observe({rain: 1, weather: 0})
        >>> graph.evidence
        array([1, 1, 0], dtype=int8)
        """
        before = self.evidence
        for variable, state in states.items():
            if (
                isinstance(variable, Literal)
                and variable.graph is self
                and before[variable.variable] == int(bool(state) == variable.negated)
            ):
                raise UsageError(f"observe: {variable!r} is already fixed otherwise; free it first")
            self.fix(variable, state)
        # What was excluded stays so: then no state is left, and the graph is infeasible.
        for v in np.flatnonzero((before == 0) & (self.evidence == 1)).tolist():
            self.native.fix(v, 0)

    def free(self, what: Literal | Categorical) -> None:
        """Remove evidence."""
        check_owner(self, what)
        for literal in what if isinstance(what, Categorical) else (what,):
            self.native.fix(literal.variable, -1)

    @property
    def evidence(self) -> npt.NDArray[np.int8]:
        """For every binary variable: 1 if fixed on, 0 if fixed off, -1 if free (a copy)."""
        return self.native.evidence

    # Factors

    @property
    def factors(self) -> Factors:
        """The factors in order of insertion."""
        return Factors(self)

    @property
    def arrays(self) -> Arrays:
        """The factors' native arrays, copied again only after factors were added."""
        if self._arrays is None or len(self._arrays.kinds) != self.native.factors:
            self._arrays = Arrays.of(self.native)
        return self._arrays

    # The whole graph

    def copy(self) -> FactorGraph:
        """Return an independent copy with its own variables: ``copy[name]``, ``copy[index]``."""
        twin = FactorGraph()
        twin.native = self.native.copy()
        twin._names, twin._oracles = self._names.copy(), dict(self._oracles)
        return twin

    def solve(self, method: str = "ad3", **options: Unpack[SolveOptions]) -> Solution:
        """Find the best assignment, with a certificate of how good it is.

        Parameters
        ----------
        method
            One of `treaty.solve.METHODS`: ``"ad3"``, ``"exact"``, ``"ilp"`` and others.
        **options
            Limits and settings, see `treaty.solve.SolveOptions`.
        """
        # Imports against the package order: users expect graph.solve() and graph.batch().
        from treaty.solve import solve

        return solve(self, method=method, **options)

    def batch(self, scores: npt.ArrayLike, **options: Any) -> BatchSolution:
        """Solve the graph with several rows of scores, natively: one structure, many scores.

        Parameters
        ----------
        scores
            A row for each item: of the variables, or of all `parameters`.
        **options
            Limits, threads and warm starts, see `treaty.solve.solve_batch`.
        """
        from treaty.solve import solve_batch

        return solve_batch(self, scores, **options)

    def save(self, path: str | Path) -> None:
        """Write the graph to a ``.fg`` or ``.uai`` file, see `treaty.graph.write_graph`."""
        from treaty.graph._files import write_graph

        write_graph(self, path)

    @classmethod
    def load(cls, path: str | Path) -> FactorGraph:
        """Read a graph from a ``.fg``, ``.uai`` or ``.mrf`` file, see `treaty.graph.read_graph`."""
        from treaty.graph._files import read_graph

        return read_graph(path)

    def __repr__(self) -> str:
        return f"<FactorGraph: {self.native.variables} variables, {self.native.factors} factors>"

    @staticmethod
    def _native_call(function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except GraphError as error:
            raise UsageError(str(error)) from error
