"""Parts that all live in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwood.distributed.agreement import agree
from hardwood.distributed.describing import PartData, code, describe
from hardwood.distributed.part import PartState
from hardwood.distributed.team import LocalTeam
from hardwood.distributed.training import PartsTraining


def train_in_process(
    parts: Sequence[PartData],
    categorical_features: Any,
    class_weight: Any,
    threads: int,
    missing: str = "branch",
) -> PartsTraining:
    """Code the parts and make them a team; parts without rows are left out."""
    descriptions = [describe(part, categorical_features, threads) for part in parts]
    places = [f"partition {i}" for i, each in enumerate(descriptions) if each is not None]
    present = [part for part, each in zip(parts, descriptions, strict=True) if each is not None]
    agreement = agree(
        [each for each in descriptions if each is not None], places, class_weight, missing=missing
    )
    classes = max(len(agreement.classes), 2)
    states = [
        PartState(
            i,
            code(part, agreement.plan, agreement.classes, categorical_features, threads),
            agreement.plan,
            classes,
        )
        for i, part in enumerate(present)
    ]
    return PartsTraining(LocalTeam(states, threads), agreement)
