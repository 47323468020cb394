"""Files of every format version that was ever released are read as they were meant."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import hardwood
from hardwood.model_file.container import FORMAT_VERSION
from tests.model_file.using import use

FOLDER = Path(__file__).resolve().parent / "golden"
FILES = sorted(FOLDER.glob("v*/*.hardwood"))


def test_every_format_version_has_golden_files():
    versions = {path.parent.name for path in FILES}
    assert versions == {f"v{number}" for number in range(1, FORMAT_VERSION + 1)}
    assert len(FILES) >= 7 * FORMAT_VERSION


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_file_says_what_it_said(path):
    text = (path.parent / "expected.json").read_text(encoding="utf-8")
    expected = json.loads(text)[path.stem]
    model = hardwood.load(path)
    assert model.digest() == expected["digest"]
    assert [repr(label) for label in model.classes_.tolist()] == expected["classes"]
    assert str(getattr(model, "certificate_", "")) == expected["certificate"]
    np.testing.assert_allclose(use(model)[:20], expected["probabilities"], rtol=1e-12, atol=1e-15)
