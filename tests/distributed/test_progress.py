"""The line that says how far a fit is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from hardwood import BoostedTreesClassifier, TreeClassifier, progress
from hardwood.progress import Progress


def test_a_line_overwrites_itself_and_ends_with_the_latest(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    line = Progress(True)
    line.show("coding row", 12345)
    line.show("leaf", 3, 6)
    line.end()
    line.end()
    shown = capsys.readouterr().err
    assert shown.startswith("\rcoding row 12345\r[###############...............] leaf 3 of 6\r")
    assert shown.endswith("leaf 3 of 6\n")


def test_what_comes_fast_is_not_all_written(capsys):
    line = Progress(True)
    for i in range(1000):
        line.show("leaf", i + 1)
    line.end()
    shown = capsys.readouterr().err
    assert shown.count("\r") < 20
    assert shown.endswith("\rleaf 1000\n")


def test_without_progress_nothing_is_written(capsys):
    line = Progress()
    line.show("leaf", 1)
    line.end()
    assert capsys.readouterr().err == ""


def test_a_data_set_shows_its_passes(capsys, monkeypatch):
    monkeypatch.setattr(progress, "_PAUSE", 0.0)
    rng = np.random.default_rng(0)
    rows = ds.dataset(pa.table({"a": rng.normal(size=300), "y": rng.integers(0, 2, 300)}))
    TreeClassifier(pruning=None, max_leaf_nodes=4, verbose=1).fit(rows, "y")
    shown = capsys.readouterr().err
    for text in ("describing row 300", "coding row 300 of 300", "leaf 4 of 4\n"):
        assert text in shown
    BoostedTreesClassifier(n_estimators=3, verbose=1).fit(rows, "y")
    shown = capsys.readouterr().err
    assert "coding row 300 of 300\n" in shown
    assert shown.endswith("round 3 of 3\n")
