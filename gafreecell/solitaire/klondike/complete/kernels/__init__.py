"""The kernels of the complete search."""
