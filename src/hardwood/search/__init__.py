"""What a search must at least look at (and, beside it, the searches themselves)."""

from hardwood.search.bounds import exact_bound, weight_order_bound

__all__ = ["exact_bound", "weight_order_bound"]
