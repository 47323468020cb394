"""Some golden cases on a cluster of processes: the digests recorded of models trained in memory."""

from __future__ import annotations

import pytest

import hardwood.dask
from tests.golden.cases import CASES, DASK
from tests.golden.fitting import check, fitted, recorded
from tests.golden.stores import on_dask

RECORDED = recorded()


@pytest.mark.parametrize("name", DASK)
def test_a_cluster_gives_the_recorded_digest(client, name):
    case = CASES[name]
    model = fitted(case, on_dask(case, partitions=3), n_jobs=1, client=client)
    check(case, {"digest": model.digest()}, RECORDED, "Dask")


assert hardwood.dask.DaskBackEnd
