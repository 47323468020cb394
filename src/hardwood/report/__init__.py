"""The report page: a fitted model and a table in, one self-contained HTML file out."""

from hardwood.report.writing import Report, report

__all__ = ["Report", "report"]
