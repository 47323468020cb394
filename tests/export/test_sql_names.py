"""How the table of a SQL query is named."""

import numpy as np
import pytest

from hardwood import TreeClassifier
from hardwood.export import sql

duckdb = pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    ("given", "created"),
    [
        ("scores", '"scores"'),
        ("credit.scores", '"credit"."scores"'),
        (("credit", "scores.2026"), '"credit"."scores.2026"'),
    ],
)
def test_a_table_of_a_schema_is_found(given, created):
    X = np.arange(40.0).reshape(-1, 1) % 17
    model = TreeClassifier(pruning=None, min_samples_leaf=1).fit(X, X[:, 0] > 8)
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA credit")
    connection.execute(f"CREATE TABLE {created} (x0 DOUBLE)")
    connection.executemany(f"INSERT INTO {created} VALUES (?)", X.tolist())
    found = connection.execute(sql(model, given)).fetchdf().sort_values("x0")
    assert found["prediction"].tolist() == model.predict(np.sort(X, axis=0)).tolist()
