"""Short texts made of long ones: baselines that pick whole sentences."""

from treaty.summarize._centroid import centroid
from treaty.summarize._lead import lead
from treaty.summarize._mmr import mmr

__all__ = ["centroid", "lead", "mmr"]
