"""All features that evaluators of Klondike can weigh, in the order of the weight vectors."""

from __future__ import annotations

from klondike.complete.order import ORDER
from klondike.rollouts.values import VALUES

FEATURES = VALUES + ORDER
