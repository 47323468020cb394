"""`hardwood train`: a file in, a model file and a readable account of it out.

In: the request, the model's name and its parameters. Out: the model file, written last, and on the
terminal what was read, the model, its certificate, its columns and its cross-validated error.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwood.cli.account import Account
from hardwood.cli.parameters import ESTIMATORS
from hardwood.cli.refusal import InputError, one_line, refusing
from hardwood.cli.reporting import write_report
from hardwood.cli.terminal import busy, progress
from hardwood.cli.training_data import Request, TrainingData, read_training_data
from hardwood.cli.validation import cross_validate, folds_for
from hardwood.cli.writing import check_writable


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train and where to write it."""

    model: str
    arguments: dict[str, Any]
    out: Path
    folds: int | None = None
    quiet: bool = False
    report: Path | None = None
    notes: bool = True


def train(request: Request, plan: Plan) -> None:
    """Read, train, tell, write."""
    check_writable(plan.out)
    if plan.report is not None:
        check_writable(plan.report)
        if plan.report.resolve() == plan.out.resolve():
            raise InputError(f"--report and --out both name {plan.out}; give two names.")
    account = Account(quiet=plan.quiet)
    with busy("Reading", quiet=plan.quiet):
        data = read_training_data(request)
    account.tell_data(request.path, data)
    estimator = make_estimator(plan, data)
    rows, columns = data.X.shape
    rounds = getattr(estimator, "n_estimators", 1)
    folds = folds_for(rows, columns, rounds) if plan.folds is None else min(plan.folds, rows)
    shown = progress("Training", folds + 1, quiet=plan.quiet)
    with refusing(), warnings.catch_warnings(record=True) as notes, shown as done:
        warnings.simplefilter("always")
        model = estimator.fit(data.X, data.y)
        done()
        said = list(notes)  # folds would say much of it again
        checked = cross_validate(estimator, data.X, data.y, folds, done) if folds > 1 else None
    model.target_name_ = data.target
    if plan.notes:
        account.tell_remarks(data.remarks)
        account.tell_notes(said)
    account.tell_model(model)
    account.tell_error(checked, data.y)
    if plan.notes:
        account.tell_chance(checked, data.y)
    _write(model, plan.out)
    account.tell_file(plan.out)
    if plan.report is not None:
        write_report(model, (data.X, data.y), plan.report, f"{request.path}, the training rows")
        account.tell_file(plan.report)


def make_estimator(plan: Plan, data: TrainingData) -> Any:
    """The estimator that the command line asks for."""
    import hardwood

    arguments = {"n_jobs": -1, **plan.arguments}
    if isinstance(arguments.get("class_weight"), dict):
        arguments["class_weight"] = _by_class(arguments["class_weight"], data)
    for column, told in (arguments.get("monotonic_cst") or {}).items():
        if isinstance(told, dict):
            classes = {str(label): label for label in set(data.y.tolist())}
            by_class = {classes.get(name, name): sign for name, sign in told.items()}
            arguments["monotonic_cst"][column] = by_class
    return getattr(hardwood, ESTIMATORS[plan.model][1])(**arguments)


def _by_class(weights: dict[str, float], data: TrainingData) -> dict[Any, float]:
    """The weights under the classes themselves, which may be numbers."""
    classes = {str(label): label for label in set(data.y.tolist())}
    unknown = [name for name in weights if name not in classes]
    if unknown:
        raise InputError(
            f"--class-weight names the class {unknown[0]!r}; the target {data.target!r} has "
            f"{', '.join(sorted(classes)[:10])}."
        )
    return {classes[name]: weight for name, weight in weights.items()}


def _write(model: Any, out: Path) -> None:
    import hardwood

    try:
        hardwood.save(model, out)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or one_line(error)
        raise InputError(
            f"{out} could not be written ({why}); what was there before is unchanged."
        ) from error
