"""A credit-like table by a written recipe: the one that docs/how-to/approve.md shows."""

import numpy as np
import pandas as pd


def credit_table(rows, seed):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "income": rng.gamma(4.0, 12.0, rows).round(1),  # thousands a year
            "debt": rng.beta(2.0, 3.0, rows).round(3),  # share of income that is owed each month
            "late_payments": rng.poisson(0.8, rows),  # in two years
            "years_employed": rng.exponential(6.0, rows).round(1),  # missing: not told
            "age": rng.integers(19, 76, rows),
        }
    )
    odds = -1.2 - 0.03 * table.income + 3.0 * table.debt + 0.7 * table.late_payments
    odds += 0.8 * np.exp(-table.years_employed / 3) + 0.5 * np.sin(table.age / 6)
    table.loc[rng.random(rows) < 0.15, "years_employed"] = np.nan
    defaulted = rng.random(rows) < 1 / (1 + np.exp(-odds))
    return table, np.where(defaulted, "default", "paid")
