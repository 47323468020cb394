"""What fit was asked, beside the parameters that decide how the model learns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hardwood.progress import Progress


@dataclass(frozen=True)
class FitRequest:
    """client: for Dask collections. directory: for data sets. checkpoint: for both."""

    X: Any
    y: Any
    sample_weight: Any
    categorical_features: Any
    class_weight: Any
    threads: int
    missing: str = "branch"
    X_val: Any = None
    y_val: Any = None
    client: Any = None
    directory: Any = None
    checkpoint: Any = None
    progress: Progress = field(default_factory=Progress)
