"""The searches of FreeCell: a driver each here, its kernel in ``kernels``."""
