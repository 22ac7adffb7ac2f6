"""Dependency trees: features, decoding, training."""
