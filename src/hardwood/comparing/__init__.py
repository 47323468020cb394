"""What changed between two models: `diff`."""

from hardwood.comparing.difference import ModelDifference, diff

__all__ = ["ModelDifference", "diff"]
