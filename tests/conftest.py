"""Settings of all tests: the same examples on every run, and no clock on them.

``pytest --hypothesis-profile=random`` looks for new examples instead.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Some examples wait for a kernel to compile, and one board takes many draws.
_HOUSE = settings(
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("fixed", _HOUSE, derandomize=True, database=None)
settings.register_profile("random", _HOUSE, max_examples=500)
settings.load_profile("fixed")
