"""Training on data larger than memory: Parquet data sets and lazy frames, in one process.

Two passes over the rows: the first describes them, block by block, the second writes their codes as
memory-mapped columns into a directory. The tree then grows over the blocks as over parts of a table
(`hardwood.distributed`), so it is the tree that a table in memory would give.
"""
