"""Every wrong input: exit code 2, one sentence, no traceback, nothing left behind."""

import os
import sys
from pathlib import Path

import pytest

from tests.cli.bad_inputs import CASES, MEMORY, Case, fresh_folder, good_files, run

TABLE = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"


@pytest.fixture(scope="module")
def files():
    return good_files()


def contents(folder: Path) -> dict[str, bytes | int]:
    return {
        path.name: path.read_bytes() if path.stat().st_size < 1_000_000 else path.stat().st_size
        for path in folder.iterdir()
    }


@pytest.mark.skipif(sys.platform != "linux", reason="address-space limits are Linux's")
@pytest.mark.parametrize("case", CASES, ids=[case.title.replace(" ", "-") for case in CASES])
def test_wrong_input_gets_one_sentence_and_changes_nothing(case: Case, files, tmp_path):
    if case.limits == MEMORY and "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("ASan needs address space")
    folder = fresh_folder(tmp_path / "here", *files)
    case.prepare(folder)
    before = contents(folder)
    done = run(Case(case.title, case.arguments, limits=case.limits), folder)
    assert done.returncode == 2, done.stderr
    assert done.stdout == "" or case.arguments[0] == "train"  # which tells what it read
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert done.stderr[:-1].endswith((".", "?"))
    assert contents(folder) == before


def test_the_documents_list_every_case():
    told = TABLE.read_text(encoding="utf-8")
    missing = [case.title for case in CASES if f"| {case.title} | " not in told]
    assert not missing, f"run docs/make_bad_input_table.py: {missing}"
