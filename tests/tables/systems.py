"""What a test needs of the system it runs on."""

import sys

import pytest

not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such thing")
