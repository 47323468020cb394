"""What `hardwood train` tells on the terminal.

In: the data, the model, the error. Out: text on standard output, with colours on a terminal and
plain when it is piped. With `quiet` nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from hardwood.cli.plain_text import plain
from hardwood.cli.refusal import size_text
from hardwood.cli.training_data import TrainingData
from hardwood.cli.validation import CrossValidation

LEAVES_SHOWN = 24
"""A larger tree is shown to the depth at which so many lines are enough."""
COLUMNS_SHOWN = 8
NAMES_SHOWN = 6
BAR = 24


class Account:
    """Prints one run's story."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._out = Console(highlight=False, quiet=quiet, soft_wrap=True)

    def tell_data(self, path: Path, data: TrainingData) -> None:
        rows, columns = data.X.shape
        self._say(f"Read {path}: {rows:,} rows, {data.read_as}.")
        kinds = data.kinds
        self._kind("numbers", kinds.numbers)
        self._kind("yes/no", kinds.booleans)
        self._kind("categories", [f"{name} ({n})" for name, n in kinds.categories.items()])
        self._kind("left out", [f"{name} ({why})" for name, why in kinds.left_out.items()])
        if not isinstance(getattr(data.X, "column_names", None), list):
            self._say(f"  numbers     {columns:>3}  sparse columns x0 to x{columns - 1}")
        counts = _counts(data.y)
        few = ", ".join(f"{name} ({count:,})" for name, count in counts[:NAMES_SHOWN])
        more = f" and {len(counts) - NAMES_SHOWN} more" if len(counts) > NAMES_SHOWN else ""
        self._say(f"  target           {data.target}, {len(counts)} classes: {few}{more}\n")

    def tell_remarks(self, remarks: Iterable[str]) -> None:
        """What the reading of the file changed or found odd."""
        for remark in remarks:
            self._note(remark)

    def tell_notes(self, notes: Iterable[Any]) -> None:
        """Warnings of the estimators, each once."""
        for text in dict.fromkeys(" ".join(str(note.message).split()) for note in notes):
            self._note(text)

    def _note(self, text: str) -> None:
        note = Text("Note: ", style="yellow").append(f"{plain(text)}\n", style="default")
        self._out.print(note)

    def tell_model(self, model: Any) -> None:
        if hasattr(model, "tree_"):
            self._tree(model)
        else:
            bound = float(model.history_["bound"][-1])
            error = "training error" if model.class_weight is None else "weighted training error"
            proved = "" if bound != bound else f"; {error} at most {min(bound, 1.0):.4g}"
            self._say(f"{model.n_estimators_} boosted trees{proved}.\n")
        self._importances(model)

    def tell_error(self, checked: CrossValidation | None, y: Any) -> None:
        if checked is None:
            return
        usual = plain(str(_counts(y)[0][0]))
        text = Text("Error ").append(f"{checked.error:.4f}", style="bold green")
        text.append(f" ± {checked.standard_error:.4f} of the rows in {checked.folds}-fold ")
        text.append(f"cross-validation; always saying {usual} errs {checked.usual_error:.4f}.\n")
        text.append(f"Log loss {checked.log_loss:.4f}, of the classes' shares alone ")
        text.append(f"{checked.usual_log_loss:.4f}; AUC {checked.auc:.4f}, by chance 0.5.")
        if checked.cost is not None:
            text.append(
                f"\nCost {checked.cost:.4g} per row; the cheapest answer to all rows costs "
            )
            text.append(f"{checked.usual_cost:.4g}.")
        self._out.print(text)

    def tell_chance(self, checked: CrossValidation | None, y: Any) -> None:
        """Where the model is worse than no model."""
        if checked is None or checked.cost is not None:  # costs are no reason to err little
            return
        if checked.error > checked.usual_error:
            self._note(
                f"On rows that it has not seen the model errs more than always saying "
                f"{_counts(y)[0][0]}; the columns may tell nothing of the target, or the model is "
                "too large: compare --max-leaf-nodes 4, --model boosted and other columns."
            )

    def tell_file(self, path: Path) -> None:
        size = path.stat().st_size
        self._out.print(
            Text("Wrote ").append(str(path), style="bold").append(f", {size_text(size)}.")
        )

    def _say(self, line: str) -> None:
        self._out.print(plain(line), markup=False)

    def _kind(self, kind: str, names: list[str]) -> None:
        if names:
            few = ", ".join(names[:NAMES_SHOWN])
            more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
            self._say(f"  {kind:<10}  {len(names):>3}  {few}{more}")

    def _tree(self, model: Any) -> None:
        depth = shown_depth(model.tree_)
        self._out.print(coloured(model.to_text(max_depth=depth)))
        self._say(f"\n{model.certificate_}\n")
        tree = model.tree_
        if tree.class_rows is not None:
            right = tree.class_rows[tree.leaf_ids, tree.label[tree.leaf_ids]].sum()
            error = 1 - right / tree.rows[0]
            self._say(f"Training error {error:.4f} of the rows; the certificate counts weights.\n")

    def _importances(self, model: Any) -> None:
        shares = model.feature_importances_
        names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(len(shares))])
        best = [j for j in shares.argsort(kind="stable")[::-1][:COLUMNS_SHOWN] if shares[j] > 0]
        if not best:
            return
        self._say("Most important columns, by their share of the drop")
        told = {j: plain(str(names[j])) for j in best}
        width = max(map(len, told.values()))
        for j in best:
            bar = "█" * max(1, round(BAR * shares[j] / shares[best[0]]))
            line = Text(f"  {told[j]:<{width}}  {100 * shares[j]:5.1f} %  ")
            self._out.print(line.append(bar, style="green"))
        self._say("")


def coloured(tree_text: str) -> Text:
    """The lines of a tree: outline dim, header bold."""
    text = Text(plain(tree_text))
    text.highlight_regex(r"(?m)^[│├└─ ]+", "dim")
    text.highlight_regex(r"\A.*", "bold")
    text.highlight_regex(r"\.\.\. \d+ leaves", "yellow")
    return text


def shown_depth(tree: Any) -> int | None:
    """None for a small tree, else the deepest level with at most LEAVES_SHOWN nodes."""
    if tree.n_leaves <= LEAVES_SHOWN:
        return None
    return next(
        (depth - 1 for depth in range(2, tree.max_depth + 1) if _ends(tree, depth) > LEAVES_SHOWN),
        tree.max_depth,
    )


def _ends(tree: Any, depth: int) -> int:
    """Lines that end in a leaf or in dots when the tree is cut at `depth`."""
    return int((tree.is_leaf & (tree.depth < depth)).sum() + (tree.depth == depth).sum())


def _counts(y: Any) -> list[tuple[Any, int]]:
    """Classes and their rows, the largest first."""
    import numpy as np

    classes, counts = np.unique(y, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [(classes[i], int(counts[i])) for i in order]
