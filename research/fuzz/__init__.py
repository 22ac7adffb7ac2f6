"""Fuzzing: many mutated inputs for every reader, model kind and API; see README.md here."""
