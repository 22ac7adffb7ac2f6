"""Treaty inside of other libraries: spaCy, scikit-learn, pandas and Jupyter.

Each module needs its library, and is imported by name: ``import treaty.integrations.pandas``.
"""

from __future__ import annotations

__all__: list[str] = []
