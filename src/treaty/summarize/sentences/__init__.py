"""Sentences of documents: reading, references, what ties them."""
