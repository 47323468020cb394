"""Early stopping on rows of X: which are held out, and that some are."""

from __future__ import annotations

from hardwood.boosting.early_stopping import Watch
from hardwood.encoding.drawn_rows import draw_share
from hardwood.training.protocol import Training


def watch_drawn_rows(training: Training, share: float, seed: int) -> Watch:
    """Hold rows out of the boosters that are started afterwards, and watch them."""
    draw = draw_share(training.class_rows, share, seed)
    if draw.rows == 0:
        raise ValueError(
            f"early_stopping holds out {share:g} of {training.rows} rows, which is none; give more "
            "rows, a larger validation_fraction, or X_val and y_val."
        )
    left, _ = training.hold_out(draw)
    if left == 0:
        raise ValueError(
            f"early_stopping holds out {share:g} of {training.rows} rows, and the others have no "
            "weight; give more rows with weight, or X_val and y_val."
        )
    return training.watch_held_out()
