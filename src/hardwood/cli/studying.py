"""`hardwood study`: the papers' tables and figures.

In: the study's name, or "all", and folders. Out: the results folder, and on the terminal the table
"paper, ours, verdict" with its paragraph, or what each of all studies cost. A bar shows the units
when standard error is a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from hardwood.cli.refusal import InputError, StoppedError

if TYPE_CHECKING:
    from hardwood.studies import Findings
    from hardwood.studies.running import Tell


ALL = "all"
"""In the place of a study's name."""


def study(
    name: str | None, data: Path | None, out: Path | None, quick: bool, jobs: int = 1
) -> None:
    """Run a study or all of them, or list them."""
    absent = [library for library in ("matplotlib",) if find_spec(library) is None]
    if absent:
        raise InputError(
            f"hardwood study needs {', '.join(absent)}, missing here; install what it needs with: "
            "pip install 'hardwood[studies]'."
        )
    from hardwood.studies import (
        STUDIES,
        InterruptedStudyError,
        StudyError,
        run_all,
        run_study,
    )

    if name is None:
        width = max(map(len, STUDIES))
        for known in STUDIES.values():
            typer.echo(f"{known.name:<{width}}  {known.title}")
        return
    if name not in STUDIES and name != ALL:
        raise InputError(
            f"There is no study {name!r}; the studies are {', '.join(STUDIES)}, or {ALL} of them."
        )
    folder = out or Path(f"hardwood-study-{name}")
    try:
        with _bar(name) as tell:
            if name == ALL:
                everyone = list(STUDIES.values())
                run_all(everyone, folder, data=data, quick=quick, jobs=jobs, tell=tell)
            else:
                findings = run_study(
                    STUDIES[name], folder, data=data, quick=quick, jobs=jobs, tell=tell
                )
    except InterruptedStudyError as error:
        raise StoppedError(str(error)) from None
    except StudyError as error:
        raise InputError(str(error)) from error
    if name == ALL:
        typer.echo((folder / "times.md").read_text(encoding="utf-8"))
        typer.echo(f"Wrote {folder}/NAME/README.md for each of them, and {folder / 'times.md'}.")
    else:
        _tell(findings, folder)


def _tell(findings: Findings, folder: Path) -> None:
    for verdict in findings.verdicts:
        typer.echo(verdict.what)
        typer.echo(f"  paper    {verdict.paper}")
        typer.echo(f"  ours     {verdict.ours}")
        typer.echo(f"  verdict  {verdict.verdict}")
    typer.echo(f"\n{findings.paragraph}\n\nWrote {folder / 'README.md'}.")


@contextmanager
def _bar(name: str) -> Iterator[Tell]:
    console = Console(stderr=True)
    columns: tuple[Any, ...] = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(name, total=None)

        def tell(done: int, units: int, following: str) -> None:
            words = f"{name}: {following}" if following else name
            progress.update(task, completed=done, total=units, description=words)

        yield tell
