"""What every solver takes and returns, and the runtime of jitted kernels."""
