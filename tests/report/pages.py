"""Models and tables for the report's tests, and pages of models that no table belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer

from hardwood.plots.tree_plot import PALETTE
from hardwood.report.assembly import page
from hardwood.report.model_part import model_part

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    '<img src=x onerror="window.hacked=1">',
    '"><svg onload=window.hacked=1>',
    "javascript:window.hacked=1",
    "<!--<script>",
    "{{data}}{{script}}",
    "\u2028\u2029\\u003c\x00\x7f",
    "مرحبا بالعالم",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467\u202ertl",
    "x" * 1000,
    " ",
)


def breast_cancer() -> tuple[pd.DataFrame, pd.Series]:
    data = load_breast_cancer(as_frame=True)
    return data.data, pd.Series(data.target_names[data.target], name="diagnosis")


def mixed(rows: int = 400, seed: int = 0, classes: int = 2) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers, categories, large integers and missing values with hostile names."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=rows), rng.integers(0, len(HOSTILE), rows)
    big = 2**60 + rng.integers(0, 9, rows)
    score = x + 0.9 * (z % 3) + 0.3 * (big % 5) + rng.normal(size=rows) * 0.3
    label = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    x[rng.random(rows) < 0.15] = np.nan
    text = np.array(HOSTILE, dtype=object)[z]
    text[rng.random(rows) < 0.1] = None
    frame = pd.DataFrame({HOSTILE[0]: x, HOSTILE[1]: text, HOSTILE[7]: big, HOSTILE[9]: x**2 - x})
    names = np.array([HOSTILE[i] for i in (2, 8, 7, 3, 4)], dtype=object)
    return frame, pd.Series(names[label], name=HOSTILE[1])


def bare_page(model: Any) -> str:
    """A page with the model alone."""
    content: dict[str, Any] = {
        "palette": list(PALETTE),
        "source": None,
        "digest": "none",
        "version": "0",
        "model": model_part(model),
        "here": {"trained": False},
        "data": {"rows": 1, "columns": 1, "sampled": 1, "classes": None, "summary": {}},
        "quality": None,
        "importances": {"column": [], "gain": [], "used": 0},
        "growth": None,
        "certificate": None,
        "rounds": None,
    }
    return page(content)


def typed_rows(model: Any, rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Rows as the page's fields have them: texts of numbers, codes of categories, None."""
    typed = []
    for row in rows:
        values: dict[str, Any] = {}
        for j, (schema, value) in enumerate(zip(model._schemas, row, strict=True)):
            if value is None or value != value:
                values[str(j)] = None
            elif schema.kind == "category":
                known = list(schema.categories)
                values[str(j)] = known.index(value) if value in known else -2
            elif schema.kind == "numeric":
                values[str(j)] = repr(float(value))
            else:
                values[str(j)] = str(int(value))
        typed.append(values)
    return typed
