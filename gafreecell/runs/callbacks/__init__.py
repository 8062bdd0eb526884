"""Callbacks of runs: functions, objects with ``on_...`` methods, and loggers.

``Callbacks`` says what your own callback can be. ``TensorBoardCallback`` and ``MLflowCallback``
log a run; their arguments have the names of Optuna's. ``Logger`` is the base class for a logger of
your own.
"""

from gafreecell.runs.callbacks.calling import CallbackError, Callbacks
from gafreecell.runs.callbacks.loggers import Logger, MLflowCallback, TensorBoardCallback

__all__ = ["CallbackError", "Callbacks", "Logger", "MLflowCallback", "TensorBoardCallback"]
