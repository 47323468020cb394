"""Writes the golden files of the current format version: python -m tests.model_file.make_golden

Run it once per format version, on purpose: files of older versions must stay as they are.
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
    expected = {}
    for name in GOLDEN:
        model = MODELS[name]()
        save(model, folder / f"{name}.hardwood")
        expected[name] = {
            "digest": model.digest(),
            "classes": [repr(label) for label in model.classes_.tolist()],
            "certificate": str(getattr(model, "certificate_", "")),
            "probabilities": use(model)[:20].tolist(),
        }
    text = json.dumps(expected, indent=1, ensure_ascii=False)
    (folder / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
