"""Writes the golden files of the current format version that are not there yet:

    python -m tests.model_file.make_golden

Invariant: a file that was written once stays as it is.
"""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    from hardwood import save
    from hardwood.model_file.container import FORMAT_VERSION
    from tests.model_file.models import GOLDEN, MODELS
    from tests.model_file.using import use

    folder = HERE / "golden" / f"v{FORMAT_VERSION}"
    folder.mkdir(parents=True, exist_ok=True)
    listed = folder / "expected.json"
    expected = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else {}
    for name in GOLDEN:
        if name in expected:
            continue
        model = MODELS[name]()
        save(model, folder / f"{name}.hardwood")
        expected[name] = {
            "digest": model.digest(),
            "classes": [repr(label) for label in model.classes_.tolist()],
            "certificate": str(getattr(model, "certificate_", "")),
            "probabilities": use(model)[:20].tolist(),
        }
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    listed.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
