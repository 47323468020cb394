"""Fuzzing the loader: python -m tests.model_file.fuzz [mutants] [seed]

Every mutant must be refused with a ModelFileError, or be a model that can be used in full (answers,
explanations, exports, pictures, the report) and is saved again without a change. A mutant whose
checksum is wrong must be refused. What differs from the original without saying so would be a
failure; what a repaired checksum turns into another valid model is counted as such.
"""

from __future__ import annotations

import faulthandler
import sys
import warnings
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter

import numpy as np

from hardwood import ModelFileError
from hardwood.model_file import dumps, loads
from hardwood.model_file.container import to_bytes
from hardwood.model_file.content import to_content
from tests.model_file.models import MODELS
from tests.model_file.mutations import Mutant, mutate
from tests.model_file.using import read_out, use
from tests.model_file.using_fully import use_fully

SHARE = 2500
"""Mutants that a process takes at a time."""


PICTURES = 200
"""One loaded mutant of so many is also drawn and reported on."""


class WrongOutcomeError(AssertionError):
    """A mutant that the loader should have refused, or a model that does not work."""


def outcome(mutant: Mutant, original: bytes, digest: str) -> str:
    """refused, untouched, same (as the original says) or another (valid model)."""
    if mutant.content == original:
        return "untouched"
    try:
        model = loads(mutant.content)
    except ModelFileError as error:
        if not str(error).endswith(".") or "\n" in str(error):
            raise WrongOutcomeError(f"not a sentence: {error}") from error
        return "refused"
    if not mutant.repaired:
        raise WrongOutcomeError("a file with a wrong checksum was loaded")
    same = model.digest() == digest
    (read_out if same else use)(model)
    drawn = zlib.crc32(mutant.content) % PICTURES == 0
    if drawn or not same:
        use_fully(model, pictures=drawn)
    again = dumps(model)  # which reads it back, and compares the digests
    if to_bytes(*to_content(loads(again))) != again:
        raise WrongOutcomeError("saving again changed the model")
    return "same" if same else "another"


def fuzz(numbers: range, seed: int) -> Counter[tuple[str, str]]:
    """How many of the mutants with these numbers, of each way, came to which end."""
    originals = [(name, dumps(make())) for name, make in MODELS.items()]
    digests = [loads(content).digest() for _, content in originals]
    ends: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        rng = np.random.default_rng([seed, number])
        place = number % len(originals)
        name, content = originals[place]
        mutant = mutate(content, rng)
        try:
            end = outcome(mutant, content, digests[place])
        except Exception as error:
            raise WrongOutcomeError(
                f"mutant {number} of seed {seed} ({mutant.way} of {name}): "
                f"{type(error).__name__}: {str(error)[:300]}"
            ) from error
        ends[mutant.way, end] += 1
    return ends


def start() -> None:
    faulthandler.enable()
    warnings.simplefilter("error")


def share(mutants: tuple[range, int]) -> Counter[tuple[str, str]]:
    return fuzz(*mutants)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = perf_counter()
    shares = [(range(at, min(at + SHARE, count)), seed) for at in range(0, count, SHARE)]
    ends: Counter[tuple[str, str]] = Counter()
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=start) as pool:
        for (numbers, _), some in zip(shares, pool.map(share, shares), strict=True):
            ends += some
            print(f"{numbers.stop} mutants", file=sys.stderr, flush=True)
    kinds = ("refused", "untouched", "same", "another")
    print(f"{'mutation':24}" + "".join(f"{kind:>11}" for kind in kinds))
    for way in sorted({way for way, _ in ends}):
        print(f"{way:24}" + "".join(f"{ends[way, kind]:11}" for kind in kinds))
    totals = [sum(n for (_, kind), n in ends.items() if kind == each) for each in kinds]
    print(f"{'all':24}" + "".join(f"{n:11}" for n in totals))
    print(f"{count} mutants, seed {seed}, {perf_counter() - began:.0f} s: no crash, no wrong model")


if __name__ == "__main__":
    main()
