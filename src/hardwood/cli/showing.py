"""`hardwood show`: a model in a form that people or other programs read.

In: a model file and the form. Out: text on standard output; the plain form begins with what the
model is, every other form is the export alone, ready to be redirected into a file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hardwood.cli.models import load_model
from hardwood.cli.plain_text import plain
from hardwood.cli.refusal import InputError, refusing


def show(path: Path, form: str, *, merge: bool = False, fold: int | None = None) -> None:
    """Print the model."""
    from rich.console import Console

    model = load_model(path)
    merging = _merging(path, model, form, merge)
    if fold is not None and form != "text":
        raise InputError(f"--fold is for --as text; given was --as {form}.")
    console = Console(highlight=False, soft_wrap=True)
    if form == "text":
        from hardwood.cli.account import coloured

        console.print(plain(_heading(model)), markup=False)
        console.print(coloured(model.to_text(fold=fold, **merging)))
        if hasattr(model, "certificate_"):
            console.print(plain(f"\n{model.certificate_}"), markup=False)
        return
    with refusing(str(path)):
        print(_exported(model, form, merging).rstrip("\n"))  # noqa: T201


def _merging(path: Path, model: Any, form: str, merge: bool) -> dict[str, bool]:
    """What --merge gives to the model's methods."""
    if not merge:
        return {}
    if form not in ("text", "rules"):
        raise InputError(f"--merge is for --as text and --as rules; given was --as {form}.")
    if not hasattr(model, "tree_"):
        raise InputError(
            f"{path}: --merge is for single trees, since every leaf of a boosted tree "
            "adds another score; leave it out."
        )
    return {"merge": True}


def _exported(model: Any, form: str, merging: dict[str, bool]) -> str:
    if form == "rules":
        return plain("\n".join(map(str, model.rules(**merging))))
    from hardwood import export

    if form == "scorecard-html":
        return export.scorecard(model, "html")
    return str(getattr(export, form)(model))


def _heading(model: Any) -> str:
    classes = [str(label) for label in model.classes_.tolist()]
    few = ", ".join(classes[:6]) + (f" and {len(classes) - 6} more" if len(classes) > 6 else "")
    target = getattr(model, "target_name_", None) or "the target"
    return (
        f"{type(model).__name__} of {target}, {len(classes)} classes ({few}), "
        f"{model.n_features_in_} columns\n"
    )
