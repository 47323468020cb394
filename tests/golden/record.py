"""Writes digests.json from models trained in memory: python tests/golden/record.py

A case whose recorded values would change is refused, unless a prefix of its name is given:

    python tests/golden/record.py --accept tree/gini boosted/lazy/zeros

A case is also refused when one thread and two disagree. New cases are added, and cases that are
gone leave the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))


def main() -> int:
    from tests.golden.cases import CASES
    from tests.golden.fitting import RECORDED, recorded

    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--accept", nargs="+", default=[], metavar="NAME_PREFIX")
    accepted = tuple(arguments.parse_args().accept)
    before = recorded()
    records = {name: one_for_any_threads(name) for name in CASES}
    changed = [n for n, record in records.items() if before.get(n, record) != record]
    refused = [name for name in changed if not (accepted and name.startswith(accepted))]
    for name in changed:
        print(f"{name}\n  recorded {before[name]}\n  got      {records[name]}")
    if refused:
        print(
            f"{len(refused)} of {len(records)} cases differ from what is recorded, and nothing was "
            "written. If the change is deliberate, name what it changes: --accept NAME_PREFIX ..."
        )
        return 1
    lines = [f"{json.dumps(name)}: {json.dumps(records[name])}" for name in sorted(records)]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    added, gone = len(records.keys() - before.keys()), len(before.keys() - records.keys())
    print(f"{len(records)} cases: {added} new, {len(changed)} changed, {gone} gone.")
    return 0


def one_for_any_threads(name: str) -> dict[str, Any]:
    """The case's record, which must be that of one thread and of two."""
    from tests.golden.cases import CASES
    from tests.golden.fitting import fitted, record_of
    from tests.golden.stores import rows_in

    case = CASES[name]
    rows = rows_in("memory", case, HERE)
    one, two = (record_of(case, fitted(case, rows, n_jobs)) for n_jobs in (1, 2))
    if one != two:
        raise SystemExit(f"{name} depends on threads: one gives {one}, two give {two}.")
    return one


if __name__ == "__main__":
    sys.exit(main())
