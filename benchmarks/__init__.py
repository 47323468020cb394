"""Hardwood and its peers measured side by side; run with `make bench`."""
