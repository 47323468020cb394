"""Seeded mutations of model files: refused, or a model that works; `make fuzz` tries far more."""

from __future__ import annotations

import pytest

from tests.model_file.fuzz import fuzz


@pytest.mark.parametrize("seed", [101, 102])
def test_no_mutation_crashes_or_passes_as_another_model(seed):
    ends, failures = fuzz(range(500), seed)
    assert failures == []
    assert sum(ends.values()) == 500
    assert sum(n for (_, end), n in ends.items() if end == "refused") > 300
    unrepaired = ("damaged", "cut_short", "lengthened")
    loaded = [
        key for key in ends if key[0] in unrepaired and key[1] not in ("refused", "untouched")
    ]
    assert loaded == []
