"""Fuzzing the loader: python -m tests.model_file.fuzz [mutants] [seed] [first] [processes]

Every mutant must be refused with a ModelFileError, or be a model that can be used in full (answers,
explanations, exports, pictures, the report) and is saved again without a change. A mutant whose
checksum is wrong must be refused. What differs from the original without saying so would be a
failure; what a repaired checksum turns into another valid model is counted as such.
"""

from __future__ import annotations

import faulthandler
import json
import sys
import warnings
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from time import perf_counter
from typing import Any

import numpy as np

from hardwood import ModelFileError
from hardwood.model_file import dumps, loads
from hardwood.model_file.container import header_text, to_bytes
from hardwood.model_file.content import from_content, to_content
from tests.model_file.models import MODELS
from tests.model_file.mutations import Mutant, closed, mutate, opened
from tests.model_file.using import read_out, use
from tests.model_file.using_fully import use_fully

SHARE = 2500
"""Mutants that a process takes at a time."""
PATIENT, PATIENCE = 50, 600
"""So many mutants may take so many seconds; then the process says where it hangs, and ends."""

PICTURES = 500
"""One loaded mutant of so many is also drawn, reported on and saved as a file."""


class WrongOutcomeError(AssertionError):
    """A mutant that the loader should have refused, or a model that does not work."""


def outcome(mutant: Mutant, original: bytes, digest: str) -> str:
    """refused, untouched, same (as the original says) or another (valid model)."""
    if mutant.content in (original, closed(*opened(original))):
        return "untouched"
    try:
        model = loads(mutant.content)
    except ModelFileError as error:
        if not str(error).endswith(".") or "\n" in str(error):
            raise WrongOutcomeError(f"not a sentence: {error}") from error
        return "refused"
    if not mutant.repaired:
        raise WrongOutcomeError("a file with a wrong checksum was loaded")
    same, turn = model.digest() == digest, zlib.crc32(mutant.content)
    drawn = turn % PICTURES == 0
    (read_out if same else use)(model)
    if drawn or not same:
        use_fully(model, turn=None if drawn else turn)
    if (drawn or not same or turn % 4 == 0) and not saved_again(model, wholly=drawn):
        raise WrongOutcomeError("saving again changed the model")
    return "same" if same else "another"


def saved_again(model: Any, wholly: bool) -> bool:
    """Whether saving changes nothing; wholly: through the bytes of a file."""
    if wholly:
        again = dumps(model)  # which reads it back, and compares the digests
        return to_bytes(*to_content(loads(again))) == again
    header, data = to_content(model)
    read = from_content(json.loads(header_text(header)), data)
    return read.digest() == model.digest() and to_content(read) == (header, data)


@cache
def originals() -> list[tuple[str, bytes, str]]:
    """Name, file and digest of every model."""
    made = [(name, make()) for name, make in MODELS.items()]
    return [(name, dumps(model), model.digest()) for name, model in made]


def made(number: int, seed: int) -> tuple[str, bytes, str, Mutant]:
    """A mutant by its number, after the name, file and digest of what it was made from."""
    name, content, digest = originals()[number % len(MODELS)]
    return name, content, digest, mutate(content, np.random.default_rng([seed, number]))


def fuzz(numbers: range, seed: int) -> tuple[Counter[tuple[str, str]], list[str]]:
    """How many of the mutants with these numbers, of each way, came to which end; failures."""
    ends: Counter[tuple[str, str]] = Counter()
    failures: list[str] = []
    for number in numbers:
        name, content, digest, mutant = made(number, seed)
        if number % PATIENT == 0:
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            end = outcome(mutant, content, digest)
        except Exception as error:
            end = "failed"
            what = f"mutant {number} of seed {seed} ({mutant.way} of {name})"
            failures.append(f"{what}: {type(error).__name__}: {str(error)[:300]}")
        ends[mutant.way, end] += 1
    faulthandler.cancel_dump_traceback_later()
    return ends, failures


def start() -> None:
    faulthandler.enable()
    warnings.simplefilter("error")


def share(mutants: tuple[range, int]) -> tuple[Counter[tuple[str, str]], list[str], int]:
    """Also the most memory that the process ever had, in MB."""
    import resource  # not on Windows, where single mutants are tried only

    return *fuzz(*mutants), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def main() -> None:
    given = [int(each) for each in sys.argv[1:]]
    count, seed, first, processes = (given + [100_000, 0, 0, 0][len(given) :])[:4]
    began, most, failed = perf_counter(), 0, 0
    last = first + count
    shares = [(range(at, min(at + SHARE, last)), seed) for at in range(first, last, SHARE)]
    ends: Counter[tuple[str, str]] = Counter()
    spawn = get_context("spawn")
    with ProcessPoolExecutor(processes or None, mp_context=spawn, initializer=start) as pool:
        for (numbers, _), done in zip(shares, pool.map(share, shares), strict=True):
            some, failures, memory = done
            ends, most, failed = ends + some, max(most, memory), failed + len(failures)
            print(f"{numbers.stop} mutants", *failures, sep="\n", file=sys.stderr, flush=True)
    kinds = ("refused", "untouched", "same", "another", "failed")
    print(f"{'mutation':24}" + "".join(f"{kind:>11}" for kind in kinds))
    for way in sorted({way for way, _ in ends}):
        print(f"{way:24}" + "".join(f"{ends[way, kind]:11}" for kind in kinds))
    totals = [sum(n for (_, kind), n in ends.items() if kind == each) for each in kinds]
    print(f"{'all':24}" + "".join(f"{n:11}" for n in totals))
    took = f"{perf_counter() - began:.0f} s, at most {most} MB"
    print(f"{count} mutants from {first}, seed {seed}, {took}: {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
