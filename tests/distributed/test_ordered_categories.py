"""Ordered categories in parts: the model of one place, and one order everywhere."""

from __future__ import annotations

import pyarrow.dataset
import pyarrow.parquet
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.distributed.splitting import cut
from tests.table.test_ordered_categories import SIZES, data


def fits():
    return (
        TreeClassifier(),
        TreeClassifier(pruning="reduced-error"),
        BoostedTreesClassifier(n_estimators=6, early_stopping=True, learning_rate=0.5),
    )


@pytest.mark.parametrize("model", fits(), ids=str)
def test_parts_and_data_sets_have_the_digest_of_one_place(model, pieces_of, tmp_path):
    import pandas as pd

    frame, y = data(400)
    digest = model.fit(frame, y).digest()
    parts = cut(frame, pd.Series(y), None, [0, 90, 250])
    assert model.fit(pieces_of(parts), None).digest() == digest
    table = pyarrow.Table.from_pandas(frame.assign(y=y), preserve_index=False)
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=70)
    stored = pyarrow.dataset.dataset(tmp_path / "a.parquet")
    assert model.fit(stored, "y").digest() == digest


def test_parts_that_declare_other_orders_are_refused(pieces_of):
    import pandas as pd

    frame, y = data(100)
    parts = cut(frame, pd.Series(y), None, [50])
    turned = parts[1].X.assign(size=parts[1].X["size"].cat.reorder_categories(SIZES[::-1]))
    other = type(parts[1])(turned, *list(vars(parts[1]).values())[1:])
    with pytest.raises(TypeError, match="other ordered categories"):
        TreeClassifier().fit(pieces_of([parts[0], other]), None)
    unordered = parts[1].X.assign(size=parts[1].X["size"].cat.as_unordered())
    other = type(parts[1])(unordered, *list(vars(parts[1]).values())[1:])
    with pytest.raises(TypeError, match="an ordered category in .* and a category in"):
        TreeClassifier().fit(pieces_of([parts[0], other]), None)
