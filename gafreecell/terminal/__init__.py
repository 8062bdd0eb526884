"""What goes to a terminal: progress and plain tables."""
