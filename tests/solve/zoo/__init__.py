"""A zoo of small graphs with proven optima, that every solver must pass.

Each function below a `keeper` builds a graph; the optimum it names was worked out by hand (the
docstring says how) and is checked by exhaustive search too.
"""

from tests.solve.zoo import counting, hard, logic, structured
from tests.solve.zoo.keeper import ZOO, Case, scale_of

__all__ = ["ZOO", "Case", "counting", "hard", "logic", "scale_of", "structured"]
