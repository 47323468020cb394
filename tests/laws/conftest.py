"""How hard hypothesis tries: modest everywhere, and the same examples every time under CI."""

import os

from hypothesis import HealthCheck, settings

from tests.effort import EXAMPLES

settings.register_profile(
    "laws",
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("laws")
