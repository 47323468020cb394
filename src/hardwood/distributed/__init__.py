"""Growth over parts of a table that need not share a process: sums travel, rows do not.

A *part* is some rows in codes that all parts share. It applies *events* (a split, a round's
weights) and answers *requests* (class-weight histograms, opened buckets). All answers are sums of
whole numbers, so their total over any parts is that of all rows, to the bit. A part's state follows
from its rows and the list of events alone: it is a cache that can be built again anywhere.
"""
