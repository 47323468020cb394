"""Estimator parameters as options: `--max-leaf-nodes 8` and back to `max_leaf_nodes=8`.

In: the parameters of both models. Out: a function whose signature typer turns into options, and the
keyword arguments that a user's options mean. A parameter that both models have is one option; an
option that only the other model has is refused. Which values an estimator accepts is left to the
estimator: here a text only becomes a number, a flag, a list or a table of weights.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import typer

from hardwood.cli.parameters import ESTIMATORS, Parameter, parameters
from hardwood.cli.refusal import InputError

_PANELS = {
    ("tree", "boosted"): "Parameters of both models",
    ("tree",): "Parameters of the tree",
    ("boosted",): "Parameters of the boosted trees",
}


def with_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """`command`, whose **keywords become one option per estimator parameter."""
    written = inspect.signature(command, eval_str=True)
    kept = [each for each in written.parameters.values() if each.kind is not each.VAR_KEYWORD]
    names = dict.fromkeys(name for model in ESTIMATORS for name in parameters(model))
    options = [_option(name) for name in names]
    command.__signature__ = written.replace(parameters=[*kept, *options])  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in [*kept, *options]}
    return command


def estimator_arguments(model: str, given: dict[str, Any]) -> dict[str, Any]:
    """The constructor's keywords; options that were not given are left out."""
    known = parameters(model)
    result = {}
    for name, text in given.items():
        if text is None:
            continue
        if name not in known:
            other = next(each for each in ESTIMATORS if name in parameters(each))
            raise InputError(
                f"{_flag(name)} is a parameter of the {other} model, and --model is {model}; "
                f"leave it out, or add --model {other}."
            )
        result[name] = _value(known[name], text)
    return result


def _option(name: str) -> inspect.Parameter:
    owners = {model: parameters(model)[name] for model in ESTIMATORS if name in parameters(model)}
    first = next(iter(owners.values()))
    flag = first.annotation == "bool"
    setting = typer.Option(
        None,
        *([] if flag else [_flag(name)]),
        help=_help(owners),
        metavar=None if flag else _metavar(first),
        rich_help_panel=_PANELS[tuple(owners)],
        show_default=False,
    )
    kind = bool | None if flag else str | None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=setting, annotation=kind)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _help(owners: dict[str, Parameter]) -> str:
    texts = {
        model: f"{each.help} Default: {str(each.default).lower()}."
        for model, each in owners.items()
    }
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return " ".join(f"{model.capitalize()}: {text}" for model, text in texts.items())


def _metavar(parameter: Parameter) -> str:
    """What may be written after the option, from the docstring's words."""
    if "signs" in parameter.values:
        return "COLUMN=SIGN,..."
    if "sets of columns" in parameter.values:
        return "COLUMN,COLUMN;COLUMN=COLUMN;...|pairwise|no_interactions"
    if "array-like" in parameter.values:
        return "COLUMN,COLUMN,..."
    if "matrix" in parameter.values:
        return "TRUE:PREDICTED=COST,..."
    if "dict" in parameter.values:
        return "CLASS=WEIGHT,...|balanced"
    words = re.findall(r'"([^"]+)"|\b(int|float|None)\b', parameter.values)
    return "|".join(quoted or plain.lower() for quoted, plain in words) or "text"


def _value(parameter: Parameter, text: str | bool) -> Any:
    if isinstance(text, bool):
        return text
    kinds = set(re.findall(r"\w+", parameter.annotation))
    if text.lower() == "none" and kinds & {"None", "Any"}:
        return None
    if "signs" in parameter.values:
        return _signs(parameter, text)
    if "sets of columns" in parameter.values:
        return text if text in parameter.values else [_meeting(each) for each in text.split(";")]
    if "array-like" in parameter.values:
        return text if text == parameter.default else [part.strip() for part in text.split(",")]
    if "matrix" in parameter.values:
        return _costs(parameter, text)
    if "dict" in parameter.values:
        return _weights(parameter, text) if "=" in text else text
    for kind in (int, float):
        if kinds & {kind.__name__, "Any"}:
            with suppress(ValueError):
                return kind(text)
    if kinds <= {"int", "float", "None"}:
        raise InputError(
            f"{_flag(parameter.name)} takes {parameter.values}; given was {text!r}. "
            "See hardwood train --help."
        )
    return text


def _signs(parameter: Parameter, text: str) -> dict[str, Any]:
    """`income=1,debt=-1`, or for one class `income:default=-1`."""
    result: dict[str, Any] = {}
    for part in text.split(","):
        name, _, sign = part.rpartition("=")
        column, _, label = name.strip().rpartition(":")
        try:
            whole = int(sign)
        except ValueError:
            raise InputError(
                f"{_flag(parameter.name)} is {text!r}; give column=sign pairs such as "
                "income=1,debt=-1, or income:yes=1 for the class yes."
            ) from None
        if column:
            result.setdefault(column, {})[label] = whole
        else:
            result[label] = whole
    return result


def _meeting(text: str) -> list[str] | dict[str, list[str]]:
    """`a,b`: a set of columns; `rate=a,b`: a column that stands below others."""
    column, below, others = text.rpartition("=")
    names = [name.strip() for name in others.split(",")]
    return {column.strip(): names} if below else names


def _weights(parameter: Parameter, text: str) -> dict[str, float]:
    """`yes=5,no=1`; a class name may itself contain "="."""
    result = {}
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        try:
            result[name.strip()] = float(weight)
        except ValueError:
            raise InputError(
                f"{_flag(parameter.name)} is {text!r}; give balanced, or class=number pairs such "
                "as yes=5,no=1."
            ) from None
    return result


def _costs(parameter: Parameter, text: str) -> dict[tuple[str, str], float]:
    """`yes:no=5,no:yes=1`: a yes that is taken for a no costs 5."""
    result = {}
    for part in text.split(","):
        pair, _, cost = part.rpartition("=")
        truth, colon, said = pair.partition(":")
        try:
            result[truth.strip(), said.strip()] = float(cost)
        except ValueError:
            colon = ""
        if not colon:
            raise InputError(
                f"{_flag(parameter.name)} is {text!r}; give true:predicted=cost for every kind of "
                "mistake, such as yes:no=5,no:yes=1."
            )
    return result
