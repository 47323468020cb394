"""`python -m benchmarks`: every benchmark there is."""

from benchmarks.tree import main

main()
