"""Training and prediction on Dask collections: importing this module is all it takes.

    import hardwood.dask
    model.fit(ddf, y)                  # the current client, or client=...
    model.predict(ddf)                 # lazy

Afterwards both estimators take Dask DataFrames and arrays. The model is the one that a table in
memory would give, bit by bit, for any number of partitions and workers.
"""

from hardwood.dask.back_end import DaskBackEnd
from hardwood.estimators.back_ends import register

__all__ = ["DaskBackEnd"]

register(DaskBackEnd())
