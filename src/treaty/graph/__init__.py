"""Factor graphs: variables, factors, evidence, and their files."""
