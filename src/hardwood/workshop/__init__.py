"""The workshop: a tree grown together with the people who must defend it, in a browser.

`Session` is imported when it is first used, so that the server can show its first page before the
estimators are loaded.
"""

from typing import TYPE_CHECKING, Any

from hardwood.workshop.serving import Workshop, serve

if TYPE_CHECKING:
    from hardwood.workshop.session import Session

__all__ = ["Session", "Workshop", "serve"]


def __getattr__(name: str) -> Any:
    if name != "Session":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hardwood.workshop.session import Session

    return Session
