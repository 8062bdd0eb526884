"""Callbacks of runs: functions, objects with ``on_...`` methods, and loggers.

``Callbacks`` says what your own callback can be. ``Logger`` is the base class for loggers;
``examples/loggers`` has those for TensorBoard and MLflow.
"""

from gafreecell.runs.callbacks.calling import CallbackError, Callbacks
from gafreecell.runs.callbacks.logger import Logger

__all__ = ["CallbackError", "Callbacks", "Logger"]
