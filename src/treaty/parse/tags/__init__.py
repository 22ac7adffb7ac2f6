"""Tags and lemmas of words."""
