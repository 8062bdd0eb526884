"""All features that evaluators of Klondike can weigh, in the order of the weight vectors."""

from __future__ import annotations

from gafreecell.solitaire.klondike.complete.order import ORDER
from gafreecell.solitaire.klondike.rollouts.values import VALUES

FEATURES = VALUES + ORDER
