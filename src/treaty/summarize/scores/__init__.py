"""Scores of concepts and cuts, and how they are learned."""
