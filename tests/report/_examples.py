"""Animals, and clusters that divide them otherwise."""

ANIMALS = ["fish"] * 4 + ["bird"] * 4 + ["frog"] * 2
FOUND = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]
