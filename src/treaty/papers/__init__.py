"""Methods that belong to a paper alone, kept to compare with: `decompositions`, `relaxations`."""
