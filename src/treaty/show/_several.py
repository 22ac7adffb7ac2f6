"""More than one answer as text for other programs: max-marginals, marginals."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from treaty.show._plain import short

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from treaty.graph import FactorGraph
    from treaty.solve import LogPartition, MaxMarginals

__all__ = [
    "marginals_json",
    "marginals_text",
    "marginals_uai",
    "max_marginals_json",
    "max_marginals_text",
]


def max_marginals_text(graph: FactorGraph, max_marginals: Sequence[MaxMarginals]) -> str:
    r"""Write the best objective for every state: name, state, objective and bound.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.solve import max_marginals
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([1.0, 1.5], names=["tea", "coffee"]))
    >>> max_marginals_text(graph, max_marginals(graph)).splitlines()[:2]
    ['tea\t0\t1.5\t1.5', 'tea\t1\t1\t1']
    """
    lines = [
        f"{variable.name}\t{state}\t{short(objective)}\t{short(bound)}\n"
        for variable, best in zip(graph.whole_variables, max_marginals, strict=True)
        for state, (objective, bound) in enumerate(zip(best.objective, best.bound, strict=True))
    ]
    return "".join(lines)


def max_marginals_json(graph: FactorGraph, max_marginals: Sequence[MaxMarginals]) -> str:
    """Write the best objective for every state as one line of JSON.

    Each variable's name has ``objective`` and ``bound``, lists by state with null for ``-inf``,
    and ``is_exact``.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.solve import max_marginals
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([1.0, 1.5], names=["tea", "coffee"]))
    >>> json.loads(max_marginals_json(graph, max_marginals(graph)))["tea"]
    {'objective': [1.5, 1.0], 'bound': [1.5, 1.0], 'is_exact': True}
    """
    record = {
        variable.name: {
            "objective": _finite(best.objective),
            "bound": _finite(best.bound),
            "is_exact": best.is_exact,
        }
        for variable, best in zip(graph.whole_variables, max_marginals, strict=True)
    }
    return json.dumps(record, allow_nan=False) + "\n"


Probabilities = Sequence["npt.NDArray[np.float64]"]


def marginals_text(graph: FactorGraph, total: LogPartition, marginals: Probabilities | None) -> str:
    r"""Write the log-partition in comments, then the probabilities of every variable's states.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.solve import log_partition, marginals
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> marginals_text(graph, log_partition(graph), marginals(graph)).splitlines()[:3]
    ['# log_partition\t1.386294361', '# is_exact\ttrue', 'x0\t0.75\t0.25']
    """
    head = f"# log_partition\t{short(total.value)}\n# is_exact\t{str(total.is_exact).lower()}\n"
    if marginals is None:
        return head
    return head + "".join(
        "\t".join([variable.name, *map(short, states)]) + "\n"
        for variable, states in zip(graph.whole_variables, marginals, strict=True)
    )


def marginals_json(graph: FactorGraph, total: LogPartition, marginals: Probabilities | None) -> str:
    """Write the log-partition and the probabilities by variable's name as one line of JSON.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.solve import log_partition, marginals
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> told = json.loads(marginals_json(graph, log_partition(graph), marginals(graph)))
    >>> [round(p, 6) for p in told["marginals"]["x0"]]
    [0.75, 0.25]
    """
    by_name = None
    if marginals is not None:
        whole = zip(graph.whole_variables, marginals, strict=True)
        by_name = {variable.name: states.tolist() for variable, states in whole}
    value = total.value if math.isfinite(total.value) else None
    record = {"log_partition": value, "is_exact": total.is_exact, "marginals": by_name}
    return json.dumps(record, allow_nan=False) + "\n"


def marginals_uai(marginals: Probabilities | None) -> str:
    r"""Write marginals as in the UAI competitions: ``MAR``, then sizes and probabilities.

    Only ``MAR`` is written if there are none.

    Examples
    --------
    >>> from treaty import FactorGraph
    >>> from treaty.solve import marginals
    >>> graph = FactorGraph()
    >>> _ = graph.at_most_one(graph.variables([0.0, 0.0, 0.0]))
    >>> marginals_uai(marginals(graph))
    'MAR\n3 2 0.75 0.25 2 0.75 0.25 2 0.75 0.25\n'
    """
    if marginals is None:
        return "MAR\n"
    numbers = [str(len(marginals))]
    for states in marginals:
        numbers += [str(len(states)), *map(short, states)]
    return f"MAR\n{' '.join(numbers)}\n"


def _finite(numbers: npt.NDArray[np.float64]) -> list[float | None]:
    return [number if math.isfinite(number) else None for number in numbers.tolist()]
