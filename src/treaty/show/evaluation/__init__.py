"""Files of predictions, scored against gold data, as text or JSON."""

from treaty.show.evaluation._files import InputFormat, score_files
from treaty.show.evaluation._summaries import RougeChoices
from treaty.show.evaluation._trees import TreeChoices

__all__ = ["InputFormat", "RougeChoices", "TreeChoices", "score_files"]
