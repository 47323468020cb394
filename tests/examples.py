"""How many examples hypothesis tries of a law: few in the suite, as many as HARDWOOD_EXAMPLES asks
for elsewhere. A test that needs more than others takes a multiple."""

import os

EXAMPLES = int(os.environ.get("HARDWOOD_EXAMPLES", "10"))
