"""The report page: a fitted model and a table in, one self-contained HTML file out.

The names are imported when they are first used: the workshop takes the page's components alone, and
shows its first page before the estimators are loaded.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardwood.report.writing import Report, report

__all__ = ["Report", "report"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hardwood.report import writing

    return getattr(writing, name)
