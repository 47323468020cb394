"""No deadline for single examples: the machine may be busy."""

from hypothesis import settings

settings.register_profile("theory", max_examples=60, deadline=None)
settings.load_profile("theory")
