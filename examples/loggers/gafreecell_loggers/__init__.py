"""Loggers of runs: callbacks that tell TensorBoard or MLflow of each generation."""
