"""The workshop: a tree grown together with the people who must defend it, in a browser."""

from hardwood.workshop.serving import Workshop, serve
from hardwood.workshop.session import Session

__all__ = ["Session", "Workshop", "serve"]
