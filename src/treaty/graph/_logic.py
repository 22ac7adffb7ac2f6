"""Logic factors: constraints on which literals may be on together."""

from __future__ import annotations

from collections.abc import Iterable

from treaty._native.graph import Kind
from treaty.errors import UsageError
from treaty.graph._base import Base
from treaty.graph._factors import Factor
from treaty.graph._meaning import MEANING, allowed_if
from treaty.graph._variables import Literal

__all__ = ["LogicFactors"]

Literals = Literal | Iterable[Literal]


class LogicFactors(Base):
    """Factors of first-order logic (Martins et al. 2011, appendix).

    Literals are given one by one or in iterables; a categorical variable stands for its states.
    """

    def exactly_one(self, *literals: Literals) -> Factor:
        """Require exactly one of the literals to be on (XOR).

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> sun, rain = graph.variables([1.2, 0.7], names=["sun", "rain"])
        >>> graph.exactly_one(sun, rain)
        <Factor 0: exactly_one(sun, rain)>
        """
        return self._add(Kind.exactly_one, self._codes(literals))

    def at_most_one(self, *literals: Literals) -> Factor:
        """Allow at most one of the literals to be on."""
        return self._add(Kind.at_most_one, self._codes(literals))

    def at_least_one(self, *literals: Literals) -> Factor:
        """Require at least one of the literals to be on (OR)."""
        return self._add(Kind.at_least_one, self._codes(literals))

    def implies(self, *literals: Literals) -> Factor:
        """Require the last literal to be on if all the others are.

        It is stored as the clause "one of the antecedents is off, or the consequent is on".

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> rain, umbrella = graph.variables([0.7, -0.3], names=["rain", "umbrella"])
        >>> graph.implies(rain, umbrella)
        <Factor 0: at_least_one(~rain, umbrella)>
        """
        *antecedents, consequent = self._codes(literals) or [0]
        if not antecedents:
            raise UsageError("implies: requires at least one antecedent and a consequent")
        return self._add(Kind.at_least_one, [code ^ 1 for code in antecedents] + [consequent])

    def xor_with_output(self, inputs: Iterable[Literal], output: Literal) -> Factor:
        """Require the output to be on if and only if one input is on, and at most one to be on."""
        return self._add(Kind.xor_with_output, self._codes((inputs, output)))

    def or_with_output(self, inputs: Iterable[Literal], output: Literal) -> Factor:
        """Require the output to be on if and only if at least one input is on.

        Examples
        --------
        >>> from treaty.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> a, b, concept = graph.variables([-0.2, -0.1, 0.4])
        >>> graph.or_with_output([a, b], concept)
        <Factor 0: or_with_output(x0, x1, x2)>
        """
        return self._add(Kind.or_with_output, self._codes((inputs, output)))

    def and_with_output(self, inputs: Iterable[Literal], output: Literal) -> Factor:
        """Require the output to be on if and only if all inputs are on."""
        return self._add(Kind.and_with_output, self._codes((inputs, output)))


MEANING |= {
    Kind.exactly_one: lambda on, data, shape: allowed_if(on.sum(axis=1) == 1),
    Kind.at_most_one: lambda on, data, shape: allowed_if(on.sum(axis=1) <= 1),
    Kind.at_least_one: lambda on, data, shape: allowed_if(on.any(axis=1)),
    Kind.xor_with_output: lambda on, data, shape: allowed_if(on[:, :-1].sum(axis=1) == on[:, -1]),
    Kind.or_with_output: lambda on, data, shape: allowed_if(on[:, :-1].any(axis=1) == on[:, -1]),
    Kind.and_with_output: lambda on, data, shape: allowed_if(on[:, :-1].all(axis=1) == on[:, -1]),
}
