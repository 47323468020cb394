"""How hard hypothesis tries: modest everywhere, and the same examples every time under CI."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "laws",
    max_examples=int(os.environ.get("HARDWOOD_EXAMPLES", "10")),
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("laws")
