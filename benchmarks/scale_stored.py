"""One fit of `benchmarks.scale`'s data set, alone in its process: seconds, peak memory, digest."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.scale import LEAVES, anonymous_peak
from hardwood import TreeClassifier


def main(what: str, place: str) -> None:
    files = sorted(map(str, Path(place).glob("*.parquet")))
    model = TreeClassifier(max_leaf_nodes=LEAVES, n_jobs=2)
    start = time.perf_counter()
    if what == "measure":
        _, peak = anonymous_peak(lambda: model.fit(ds.dataset(files), "label"))
    else:
        table = ds.dataset(files[: max(1, len(files) // 10)]).to_table()
        labels = table.column("label").to_numpy()
        _, peak = anonymous_peak(lambda: model.fit(table.drop_columns(["label"]), labels))
    print(time.perf_counter() - start, peak, model.digest())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
