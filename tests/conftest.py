"""No deadline for single examples, since the machine may be busy; the same ones under CI."""

import os

from hypothesis import settings

settings.register_profile("unhurried", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("unhurried")
