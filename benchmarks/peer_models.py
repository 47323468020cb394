"""The peers with their defaults, as classifiers that take the frames of `read_set`.

Each gets the columns in the way that serves it best: native categories, missing categories as a
category for CatBoost, columns without any value left out for scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd


class Peer:
    """`make(X)`: the unfitted peer; `shape`: what is done to a frame first."""

    def __init__(
        self,
        make: Callable[[pd.DataFrame], Any],
        shape: Callable[[pd.DataFrame], pd.DataFrame] = lambda X: X,
    ) -> None:
        self._make, self._shape = make, shape

    def fit(self, X: pd.DataFrame, y: np.ndarray[Any, Any]) -> Peer:
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._columns = [name for name in X.columns if X[name].notna().any()]
        own = self._own(X)
        self._model = self._make(own).fit(own, codes)
        return self

    def _own(self, X: pd.DataFrame) -> pd.DataFrame:
        """Columns are numbered: some peers refuse signs in names."""
        own = self._shape(X[self._columns])
        return own.set_axis([f"c{j}" for j in range(own.shape[1])], axis=1)

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray[Any, Any]:
        return np.asarray(self._model.predict_proba(self._own(X)))

    def predict(self, X: pd.DataFrame) -> np.ndarray[Any, Any]:
        return np.asarray(self.classes_[np.ravel(self._model.predict(self._own(X))).astype(int)])


def _lightgbm(X: pd.DataFrame) -> Any:
    del X
    from lightgbm import LGBMClassifier

    return LGBMClassifier(verbose=-1, n_jobs=1)


def _xgboost(X: pd.DataFrame) -> Any:
    del X
    from xgboost import XGBClassifier

    return XGBClassifier(enable_categorical=True, verbosity=0, n_jobs=1)


def _histogram_boosting(X: pd.DataFrame) -> Any:
    del X
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(categorical_features="from_dtype")


def _catboost(X: pd.DataFrame) -> Any:
    from catboost import CatBoostClassifier

    named = [name for name in X.columns if not pd.api.types.is_numeric_dtype(X[name].dtype)]
    return CatBoostClassifier(
        verbose=0, thread_count=1, cat_features=named, allow_writing_files=False
    )


def _missing_as_a_category(X: pd.DataFrame) -> pd.DataFrame:
    kinds = {
        name: X[name].astype(object).where(X[name].notna(), "missing").astype(str)
        for name in X.columns
        if isinstance(X[name].dtype, pd.CategoricalDtype)
    }
    return X.assign(**kinds)


PEERS: dict[str, Callable[[], Peer]] = {
    "lgbm": lambda: Peer(_lightgbm),
    "xgb": lambda: Peer(_xgboost),
    "hgb": lambda: Peer(_histogram_boosting),
    "cat": lambda: Peer(_catboost, _missing_as_a_category),
}
