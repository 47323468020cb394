"""The errors of hardwood that Python does not already name.

Wrong input is a ValueError or TypeError, raised where it is seen, with a sentence that says what
was given, what is allowed and what to do.
"""

from __future__ import annotations

__all__ = [
    "ClusterLostError",
    "MissingExtraError",
    "ModelFileError",
    "ModelWarning",
]


class MissingExtraError(ImportError):
    """An optional library is absent; the sentence names the extra that installs it."""

    def __init__(self, purpose: str, library: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs {library}, which is not installed; "
            f"install it with: pip install 'hardwood[{extra}]'",
            name=library,
        )
        self.extra = extra


def not_written(path: object, error: OSError) -> OSError:
    """The same kind of error with the same number, as a sentence."""
    told = type(error)(
        f"{path} could not be written ({error.strerror or error}); what was there before is "
        "unchanged. Make room, or give another place."
    )
    told.errno = error.errno
    return told


def infinite_value(column: str) -> ValueError:
    """The error for an infinite value in X, in training and in prediction."""
    return ValueError(
        f"Column {column!r} of X contains infinity; allowed are finite numbers, and NaN for a "
        "missing value. Replace infinity by a finite number or NaN."
    )


class ModelFileError(ValueError):
    """A model file is damaged, hostile, of a newer format or no model file at all."""


class ModelWarning(UserWarning):
    """Something that a model's user should know, though the fit did what it was asked: a tree that
    pruning cut to its root, a budget that was not used, a column that numbers rows or gives the
    target away. `warnings.filterwarnings("ignore", category=ModelWarning)` turns all of them off,
    with `message="max_leaf_nodes"` (how a sentence begins) one of them."""


class ClusterLostError(RuntimeError):
    """A cluster that a fit ran on is gone: its scheduler, or all its workers."""


class OldVersionError(ValueError):
    """A step at the workshop that was made from a draft that is no longer the present one."""
