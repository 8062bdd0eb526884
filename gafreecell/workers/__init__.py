"""Who solves: threads, processes and clusters, and each distinct task once."""
