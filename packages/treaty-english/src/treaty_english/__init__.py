"""The English models of Treaty; `treaty.load("english")` finds them."""
