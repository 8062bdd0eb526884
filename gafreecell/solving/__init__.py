"""What every solver takes and returns, and the base classes of searches and games."""
