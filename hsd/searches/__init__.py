"""The searches of FreeCell: each has its driver here and its kernel in ``kernels``."""
