"""Small studies and small data sets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from hardwood.studies.study import Findings, Record, Study, Table, Unit, Verdict


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Files with the names and columns of the real sets, and few rows."""
    folder = tmp_path / "data"
    folder.mkdir()
    rng = np.random.default_rng(0)

    def write(
        name: str,
        rows: int,
        classes: list[Any],
        split: bool = False,
        columns: int = 4,
        categories: bool = False,
        binary: bool = False,
    ) -> None:
        X = rng.integers(0, 2, (rows, columns)) if binary else rng.normal(size=(rows, columns))
        score = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=rows)
        order = np.digitize(score, np.quantile(score, np.linspace(0, 1, len(classes) + 1)[1:-1]))
        content: dict[str, Any] = {f"x{j}": X[:, j] for j in range(columns)}
        if categories:
            content["kind"] = pa.array(rng.choice(["a", "b", "c"], rows)).dictionary_encode()
        if split:
            content["split"] = np.where(np.arange(rows) % 3 == 0, "test", "train")
        content["class"] = [classes[i] for i in order]
        pq.write_table(pa.table(content), folder / f"{name}.parquet")

    write("pima", 150, [0, 1])
    write("australian", 160, [0, 1], categories=True)
    write("kr_vs_kp", 180, ["nowin", "won"], categories=True)
    write("iris", 90, ["Iris-setosa", "Iris-versicolor", "Iris-virginica"])
    write("vote", 80, ["democrat", "republican"], categories=True)
    write("car", 120, ["acc", "good", "unacc"], categories=True)
    write("a6a", 300, [-1, 1], split=True, columns=8, binary=True)
    write("satimage", 240, [1, 2, 3, 4, 5, 7], split=True)
    write("mnist", 120, list(range(10)), split=True)
    for part, rows in (("train", 60), ("test", 30)):
        words = rng.random((rows, 20)) * (rng.random((rows, 20)) < 0.2)
        sparse.save_npz(folder / f"rcv1_sample_{part}.npz", sparse.csr_matrix(words))
        np.save(folder / f"rcv1_sample_{part}_y.npy", np.where(words[:, 0] > 0, 1, -1))
    return folder


class Interruption:
    """Makes a study stop at its nth measurement, as often as asked."""

    def __init__(self) -> None:
        self.at: int | None = None
        self.error: type[BaseException] | BaseException = KeyboardInterrupt
        self.measured: list[str] = []

    def measure(self, unit: Unit, _data: Any) -> dict[str, Any]:
        if self.at is not None and len(self.measured) == self.at:
            raise self.error
        self.measured.append(unit.key)
        return {"square": unit.given["n"] ** 2, "sequence": [1, 2]}


@pytest.fixture
def interruption() -> Interruption:
    return Interruption()


@pytest.fixture
def squares(interruption: Interruption) -> Study:
    """A study of five units without data."""

    def conclude(records: Sequence[Record]) -> Findings:
        total = sum(record["square"] for record in records)
        return Findings(
            [Verdict("sum of squares", "55", str(total), "agrees" if total == 55 else "differs")],
            f"The sum is {total}.",
            [Table("Squares", ["n", "square"], [[r["n"], r["square"]] for r in records])],
            {"curve": lambda figure: figure.subplots().plot([r["square"] for r in records])},
        )

    return Study(
        name="squares",
        title="Squares",
        protocol="Squares are added.",
        full={"numbers": [1, 2, 3, 4, 5]},
        quick={"numbers": [1, 2]},
        units=lambda settings: [Unit(f"n-{n}", {"n": n}) for n in settings["numbers"]],
        measure=interruption.measure,
        conclude=conclude,
    )
