"""Whether what a fit made is a model: the checks of a model file, before the estimator keeps it.

In: trees as they were grown and pruned, wherever their rows are, and what growth recorded. Out:
nothing, or a RuntimeError. Invariant: an estimator that fit returns is one that `save` takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardwood.boosting.run import BoostingRun
from hardwood.certify import Certificate
from hardwood.certify.growth_checks import check_growth
from hardwood.certify.history import History
from hardwood.certify.record import certificate_record
from hardwood.errors import ModelFileError
from hardwood.estimators.round_checks import check_series
from hardwood.estimators.state import rounds_state
from hardwood.table import ColumnSchema
from hardwood.tree import Tree
from hardwood.tree.packed import pack
from hardwood.tree.packed_checks import check_sums, check_trees

Schemas = tuple[ColumnSchema, ...]


def check_grown(
    trees: tuple[Tree, ...], history: History, certificate: Certificate, schemas: Schemas
) -> None:
    """Of one tree, or of a tree and the tree as grown."""
    packed, classes = pack(trees, schemas), trees[0].n_classes
    with _explained():
        check_trees(packed, schemas, classes)
        check_sums(packed, classes)
        check_growth(trees, dict(history), certificate_record(certificate))


def check_boosted(run: BoostingRun, schemas: Schemas) -> None:
    packed, series = rounds_state(run, schemas)
    counts = [(len(each.trees), len(each.records)) for each in run.boosters]
    classes = run.boosters[0].classes
    with _explained():
        check_trees(packed, schemas, classes)
        check_sums(packed, classes)
        check_series(packed, series, counts, run.classes)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except ModelFileError as error:
        raise RuntimeError(
            f"Training made a model that cannot be: {error} This is an error in hardwood, not in "
            "the data; please report it with the kinds of the columns and the parameters. The "
            "estimator is as it was before fit."
        ) from None
