"""Parts that a run can be made of, each in a file of its own."""
