"""Callbacks of runs: functions, objects with ``on_...`` methods, and loggers.

``Callbacks`` says what your own callback can be. ``TensorBoardCallback`` and ``MLflowCallback``
log a run; their arguments have the names of Optuna's.
"""

from gafreecell.callbacks.calling import CallbackError, Callbacks
from gafreecell.callbacks.mlflow import MLflowCallback
from gafreecell.callbacks.tensorboard import TensorBoardCallback

__all__ = ["CallbackError", "Callbacks", "MLflowCallback", "TensorBoardCallback"]
