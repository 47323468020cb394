"""Wrong uses and wrong inputs of the command, each prepared in a folder of its own.

The test runs each and demands one sentence and exit code 2; docs/make_bad_input_table.py runs the
same list and writes down what each printed.
"""

from __future__ import annotations

import io
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet

from hardwood import TreeClassifier
from hardwood.model_file import dumps
from tools.ready_command import command as ready_command

GOOD = "width,height,colour,kind\n" + "".join(
    f"{i % 7},{i % 5}.5,{'red' if i % 3 else 'blue'},{'cat' if i % 7 > 3 else 'dog'}\n"
    for i in range(40)
)
OLD = "what was here before\n"
TRAIN = ("train", "table.csv", "--target", "kind")
PREDICT = ("predict", "model.hardwood", "table.csv")


@dataclass(frozen=True)
class Case:
    title: str
    arguments: tuple[str, ...]
    prepare: Callable[[Path], object] = Path.stat  # nothing is changed
    limits: tuple[tuple[int, int], ...] = ()
    """Resource and most that the process may have of it."""


def text(content: str, name: str = "table.csv") -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(content)


def octets(change: Callable[[bytes], bytes], name: str) -> Callable[[Path], object]:
    def prepare(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_bytes()))

    return prepare


def huge(folder: Path) -> None:
    """Eight gigabytes, nearly all of which are a hole in the file."""
    os.truncate(folder / "table.csv", 8_000_000_000)


def parquet_of_numbers(path: Path) -> None:
    table = pyarrow.table({"width": [1, 2], "height": [1.5, 2.5], "colour": [1, 2]})
    pyarrow.parquet.write_table(table, path)


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 16]) + content[middle + 1 :]


def newer(content: bytes) -> bytes:
    """The format's version is the number after the eight bytes of the signature."""
    return (
        content[:8]
        + (int.from_bytes(content[8:12], "little") + 1).to_bytes(4, "little")
        + (content[12:])
    )


LATIN = GOOD.replace("blue", "bleu marine é").encode("latin-1")
MEMORY = ((resource.RLIMIT_AS, 4_000_000_000),)

CASES = [
    Case("file that does not exist", ("train", "tabel.csv", "--target", "kind")),
    Case("empty file", TRAIN, text("")),
    Case("blank file", TRAIN, text("\n\n")),
    Case("directory", ("train", ".", "--target", "kind")),
    Case("wrong delimiter", (*TRAIN, "--delimiter", ";")),
    Case("delimiter of two characters", (*TRAIN, "--delimiter", "::")),
    Case("row with too few cells", TRAIN, text(GOOD + "1,2\n")),
    Case("header without rows", TRAIN, text(GOOD.splitlines()[0] + "\n")),
    Case("no --target", ("train", "table.csv")),
    Case("target column that is not there", ("train", "table.csv", "--target", "kinds")),
    Case("two target columns", TRAIN, text(GOOD.replace("colour", "kind", 1))),
    Case("two columns of one name", TRAIN, text(GOOD.replace("colour", "width", 1))),
    Case("target with one class", TRAIN, text(GOOD.replace("cat", "dog"))),
    Case("target with missing values", TRAIN, text(GOOD + "1,2,red,\n")),
    Case("target that is a measurement", ("train", "table.csv", "--target", "height")),
    Case("CSV larger than the memory allowed", TRAIN, huge, MEMORY),
    Case("bytes that are not UTF-8", TRAIN, lambda f: (f / "table.csv").write_bytes(LATIN)),
    Case("unknown encoding", (*TRAIN, "--encoding", "utf-9")),
    Case(
        "text named .parquet",
        ("train", "table.parquet", "--target", "kind"),
        text(GOOD, "table.parquet"),
    ),
    Case(
        "truncated Parquet",
        ("train", "rows.parquet", "--target", "kind"),
        octets(lambda content: content[:-40], "rows.parquet"),
    ),
    Case(
        "LIBSVM with a word",
        ("train", "table.libsvm"),
        text("1 1:2.5\n0 1:tall\n", "table.libsvm"),
    ),
    Case("option of the other model", (*TRAIN, "--n-estimators", "20")),
    Case("word where a number belongs", (*TRAIN, "--max-depth", "deep")),
    Case("value that is not allowed", (*TRAIN, "--criterion", "twoing")),
    Case("class that is not there", (*TRAIN, "--class-weight", "cow=2")),
    Case("unknown option", (*TRAIN, "--depth", "3")),
    Case("unknown command", ("trian", "table.csv")),
    Case("output in a directory that is not there", (*TRAIN, "--out", "new/model.hardwood")),
    Case("output that is a directory", (*TRAIN, "--out", ".")),
    Case("disk full while a model is written", TRAIN, limits=((resource.RLIMIT_FSIZE, 200),)),
    Case("model that does not exist", ("predict", "modle.hardwood", "table.csv")),
    Case("model that is another file", ("predict", "table.csv", "table.csv")),
    Case("truncated model", PREDICT, octets(lambda c: c[:-10], "model.hardwood")),
    Case("model with a flipped bit", PREDICT, octets(flipped, "model.hardwood")),
    Case("model of a newer version", ("show", "model.hardwood"), octets(newer, "model.hardwood")),
    Case("prediction without rows", PREDICT, text(GOOD.splitlines()[0] + "\n")),
    Case("prediction without a column", PREDICT, text(GOOD.replace("width", "length"))),
    Case("words where the model has numbers", PREDICT, text(GOOD + "wide,1,red,dog\n")),
    Case(
        "numbers where the model has categories",
        PREDICT,
        text(GOOD.replace("red", "1").replace("blue", "2")),
    ),
    Case(
        "Parquet with numbers where the model has categories",
        ("predict", "model.hardwood", "numbers.parquet"),
        lambda folder: parquet_of_numbers(folder / "numbers.parquet"),
    ),
    Case("predictions in an unknown format", (*PREDICT, "--out", "predicted.xlsx")),
    Case(
        "disk full while predictions are written",
        (*PREDICT, "--out", "predicted.csv"),
        limits=((resource.RLIMIT_FSIZE, 200),),
    ),
]


def fresh_folder(folder: Path, model: bytes, parquet: bytes) -> Path:
    """A good table, a good model of it and old outputs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.csv").write_text(GOOD)
    (folder / "rows.parquet").write_bytes(parquet)
    (folder / "model.hardwood").write_bytes(model)
    (folder / "predicted.csv").write_text(OLD)
    return folder


def environment() -> dict[str, str]:
    """The environment in which a process in another folder finds the hardwood of this one."""
    found = find_spec("hardwood")
    assert found is not None
    assert found.origin is not None
    return {**os.environ, "PYTHONPATH": str(Path(found.origin).resolve().parent.parent)}


def run(case: Case, folder: Path) -> subprocess.CompletedProcess[str]:
    """Prepare the folder and run the real command in it."""
    case.prepare(folder)

    def limited() -> None:
        for kind, most in case.limits:
            resource.setrlimit(kind, (most, most))

    # A limit holds from the start of a process; without one, its imports may have been done before.
    # -B: Python does not notice when a limit cuts off what it has compiled.
    command = (sys.executable, "-B", "-m", "hardwood") if case.limits else ready_command()
    return subprocess.run(
        [*command, *case.arguments],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited if case.limits else None,
    )


def good_files() -> tuple[bytes, bytes]:
    """A model of the good table, and the table as Parquet."""
    table = pyarrow.csv.read_csv(io.BytesIO(GOOD.encode()))
    model = TreeClassifier().fit(table.drop_columns(["kind"]), table["kind"].to_numpy())
    model.target_name_ = "kind"
    parquet = io.BytesIO()
    pyarrow.parquet.write_table(table, parquet)
    return dumps(model), parquet.getvalue()
