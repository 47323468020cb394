"""Model files: `save` and `load`.

A file holds what the model says, how it grew and its parameters, and no training row; see
docs/model-file.md. Invariant: `load` gives back the model that was saved, or a ModelFileError.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from hardwood.errors import ModelFileError
from hardwood.model_file.container import ADVICE, from_bytes, to_bytes
from hardwood.model_file.content import MODELS, Model, from_content, to_content
from hardwood.model_file.files import read, replace

__all__ = ["dumps", "load", "loads", "save"]


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file; its name should end in .hardwood.

    The file replaces an older one only once it is complete and was read back.
    """
    content = dumps(model)
    replace(Path(path), content)


def load(path: str | os.PathLike[str]) -> Any:
    """The model of a file that `save` wrote; anything else in it is a ModelFileError."""
    path = Path(path)
    try:
        return loads(read(path))
    except ModelFileError as error:
        raise ModelFileError(f"{path} cannot be loaded: {error}") from None
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as e:
        raise ModelFileError(
            f"{path} cannot be loaded: its parts do not fit together ({type(e).__name__}); {ADVICE}"
        ) from e


def dumps(model: Any) -> bytes:
    """The bytes of a model's file; they are read back, so that `loads` is sure to take them."""
    if type(model) not in MODELS.values():
        raise TypeError(
            f"A model file holds a {' or a '.join(MODELS)}; given was a {type(model).__name__}."
        )
    check_is_fitted(model)
    content = to_bytes(*to_content(model))
    if loads(content).digest() != model.digest():
        raise ValueError("The model's arrays were changed after it was fitted; fit it again.")
    return content


def loads(content: bytes) -> Model:
    """The model in a file's bytes."""
    header, data = from_bytes(content)
    try:
        return from_content(header, data)
    except ModelFileError as error:
        raise ModelFileError(f"{str(error).removesuffix('.')}; {ADVICE}") from None
