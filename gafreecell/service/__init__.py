"""What people ask for: deals as they write them, solvers by name, solutions, hints, words."""
