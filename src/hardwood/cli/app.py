"""The commands and their options.

In: the words after `hardwood`. Out: a call of the module that does the work, which is imported only
then: `hardwood --help` loads neither NumPy nor scikit-learn. A further command is a further
function here and a module beside it.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from hardwood.cli.options import estimator_arguments, with_parameters

app = typer.Typer(
    name="hardwood",
    help="Exact decision trees and boosted trees, with certificates.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Model = StrEnum("Model", ["tree", "boosted"])


class Form(StrEnum):
    text = "text"
    rules = "rules"
    dot = "dot"
    json = "json"
    sql = "sql"
    python = "python"
    c = "c"
    scorecard = "scorecard"
    scorecard_html = "scorecard-html"


Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA", help="CSV, Parquet, Arrow/Feather, LIBSVM; - for standard input."
    ),
]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A file that train wrote.")]
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="Between the columns of a CSV file: a character, or tab. Guessed by default."
    ),
]
Encoding = Annotated[str, typer.Option(help="Of a CSV file, for example latin-1.")]
Decimal = Annotated[
    str | None,
    typer.Option(metavar=".|,", help="The decimal sign of a CSV file; with a comma, points group."),
]
Thousands = Annotated[
    str | None, typer.Option(metavar="SIGN", help="Between groups of three digits in a CSV file.")
]
Missing = Annotated[
    list[str] | None,
    typer.Option("--na", metavar="TEXT", help="Also a missing value in a CSV file; repeatable."),
]
Header = Annotated[
    bool, typer.Option("--header/--no-header", help="Whether a CSV file begins with names.")
]


@app.callback(invoke_without_command=True)
def hardwood(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from hardwood import __version__

        typer.echo(f"hardwood {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
@with_parameters
def train(
    data: Data,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column to predict (LIBSVM: the label)."),
    ] = None,
    model: Annotated[Model, typer.Option(help="One readable tree, or boosted trees.")] = Model.tree,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The model file.")] = Path(
        "model.hardwood"
    ),
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Also write a page about the model."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Columns to leave out: a,b or repeated."),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Folds of the cross-validation, 0 for none. By default 10, fewer for large data.",
        ),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    decimal: Decimal = None,
    thousands: Thousands = None,
    na: Missing = None,
    header: Header = True,
    notes: Annotated[
        bool, typer.Option("--notes/--no-notes", help="Remarks on the data and the model.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    **given: Any,
) -> None:
    """Train a model on a table and tell what it learned."""
    arguments = estimator_arguments(model, given)
    from hardwood.cli import training
    from hardwood.cli.cells import checked_cells
    from hardwood.cli.formats import file_of
    from hardwood.cli.training_data import Request

    cells = checked_cells(decimal, thousands, na, header)
    listed = arguments.get("categorical_features")
    categories = listed if isinstance(listed, list) else []
    request = Request(file_of(data), target, ignore or (), categories, delimiter, encoding, cells)
    training.train(request, training.Plan(model, arguments, out, folds, quiet, report, notes))


@app.command()
@with_parameters
def workshop(
    data: Data,
    target: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="The column to predict (LIBSVM: the label)."),
    ] = None,
    draft: Annotated[
        Path, typer.Option(metavar="FILE", help="The draft: read if it is there, kept up to date.")
    ] = Path("draft.json"),
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where model, draft and report are saved.")
    ] = Path(),
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Columns to leave out: a,b or repeated."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    **given: Any,
) -> None:
    """Grow a tree together with the people who must defend it, in a browser."""
    arguments = estimator_arguments(Model.tree, given)
    from hardwood.cli import workshop as work
    from hardwood.cli.cells import checked_cells
    from hardwood.cli.formats import file_of
    from hardwood.cli.training_data import Request

    listed = arguments.get("categorical_features")
    categories = listed if isinstance(listed, list) else []
    cells = checked_cells(None, None, None, True)
    request = Request(file_of(data), target, ignore or (), categories, delimiter, encoding, cells)
    work.workshop(request, arguments, draft, out, port, browser)


@app.command()
def predict(
    model: ModelFile,
    data: Data,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=".csv, .parquet, .arrow or .feather. Without it, CSV goes to standard output.",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Columns of DATA to copy: a,b or repeated."),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    decimal: Decimal = None,
    thousands: Thousands = None,
    na: Missing = None,
    header: Header = True,
) -> None:
    """Write the columns prediction and p_<class> for every row of a table of any size."""
    from hardwood.cli import predicting
    from hardwood.cli.cells import checked_cells
    from hardwood.cli.formats import file_of
    from hardwood.cli.training_data import Request

    cells = checked_cells(decimal, thousands, na, header)
    request = Request(file_of(data), delimiter=delimiter, encoding=encoding, cells=cells)
    predicting.predict(model, request, out, keep or ())


@app.command()
def show(
    model: ModelFile,
    form: Annotated[Form, typer.Option("--as", help="The form to print.")] = Form.text,
    merge: Annotated[
        bool,
        typer.Option("--merge", help="Text and rules: leaves of one label below a node as one."),
    ] = False,
    fold: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Text: count categories beyond N characters."),
    ] = None,
) -> None:
    """Print a model as text, rules, or code for another program."""
    from hardwood.cli import showing

    showing.show(model, form, merge=merge, fold=fold)


@app.command()
def study(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help='Or "all"; without it, the studies are listed.'),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the studies.")] = False,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The data sets; by default the folder HARDWOOD_DATA."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The results; by default hardwood-study-NAME."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A small run.")] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Units of work at a time, a process each.")
    ] = 1,
) -> None:
    """Repeat a table or figure of the papers and write CSV, Markdown and PNG files."""
    from hardwood.cli import studying

    studying.study(None if listed else name, data, out, quick, jobs)


@app.command()
def report(
    model: ModelFile,
    data: Data,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The page.")] = Path("report.html"),
    claims: Annotated[
        Path | None,
        typer.Option(metavar="CLAIMS.toml", help="Also what is proved of these claims."),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    decimal: Decimal = None,
    thousands: Thousands = None,
    na: Missing = None,
    header: Header = True,
) -> None:
    """Write one HTML page about a model and how it does on a table."""
    from hardwood.cli import reporting
    from hardwood.cli.cells import checked_cells
    from hardwood.cli.formats import file_of
    from hardwood.cli.training_data import Request

    cells = checked_cells(decimal, thousands, na, header)
    request = Request(file_of(data), delimiter=delimiter, encoding=encoding, cells=cells)
    reporting.report(model, request, out, claims)


@app.command()
def prove(
    model: ModelFile,
    claims: Annotated[
        Path,
        typer.Argument(metavar="CLAIMS", help=r"A TOML file with a table \[\[claims]] for each."),
    ],
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For each claim; 10 by default.")
    ] = None,
) -> int:
    """Prove claims about a model, or find rows that refute them; exit code 1 if not all hold."""
    from hardwood.cli import proving

    return proving.prove(model, claims, time_limit)


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A file that train wrote.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="Another one.")],
    data: Annotated[
        Path | None,
        typer.Argument(metavar="[DATA]", help="Rows to ask both models about, as for predict."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Also write a page.")
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    decimal: Decimal = None,
    thousands: Thousands = None,
    na: Missing = None,
    header: Header = True,
) -> None:
    """Tell what changed between two models: columns, classes, splits, and rows' answers."""
    from hardwood.cli import comparing
    from hardwood.cli.cells import checked_cells
    from hardwood.cli.formats import file_of
    from hardwood.cli.training_data import Request

    request = None
    if data is not None:
        cells = checked_cells(decimal, thousands, na, header)
        request = Request(file_of(data), delimiter=delimiter, encoding=encoding, cells=cells)
    comparing.compare(old, new, request, report)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="FILE", help="The model file.")] = Path(
        "demo.hardwood"
    ),
) -> None:
    """Train on data that comes with scikit-learn, and write a model file and a report."""
    from hardwood import demo as demonstration
    from hardwood.cli.writing import check_writable

    page = out.with_suffix(".html")
    for path in (out, page):
        check_writable(path)
    demonstration.main(str(out), str(page))
