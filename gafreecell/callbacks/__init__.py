"""Who is told how a run goes: functions, objects with ``on_...`` methods, and loggers.

``Callbacks`` says what a callback of one's own can be. ``TensorBoardCallback`` and
``MLflowCallback`` log a run; their arguments are named as those of Optuna's callbacks are.
``Logger`` is the base class for one of your own.
"""

from gafreecell.callbacks.calling import CallbackError, Callbacks
from gafreecell.callbacks.logger import Logger
from gafreecell.callbacks.mlflow import MLflowCallback
from gafreecell.callbacks.tensorboard import TensorBoardCallback

__all__ = ["CallbackError", "Callbacks", "Logger", "MLflowCallback", "TensorBoardCallback"]
