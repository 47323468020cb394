"""`make portability`: the same models from every compiler, optimisation level and CPU at hand.

Builds the core with the C++ driver beside this file once per line of `BUILDS`, trains golden tables
with every instruction set that the CPU has, and compares the hashes of all bits of the models.
A compiler or emulator that is not installed is named and left out. Exit code 1: something differs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.portability.tables import write_tables

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "portability"


SIMDE = Path("/usr/include/simde/x86/avx512.h")


@dataclass(frozen=True)
class Build:
    name: str
    compiler: str
    flags: str = "-O2"
    system: str = ""
    processor: str = ""
    emulator: tuple[str, ...] = ()
    together: bool = True
    """Whether the files of a folder are compiled together, as in an ordinary build."""
    emulates: bool = False
    """Whether AVX-512 is emulated by SIMDe: for a CPU that lacks it."""

    def missing(self) -> str | None:
        if self.emulates and not SIMDE.is_file():
            return "SIMDe (Debian: libsimde-dev)"
        for program in (self.compiler, *self.emulator[:1]):
            if shutil.which(program) is None:
                return program
        return None


AARCH64 = ("Linux", "aarch64")
QEMU = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
BUILDS = (
    Build("g++ -O2", "g++"),
    Build("aarch64 g++ -O2", "aarch64-linux-gnu-g++", "-O2", *AARCH64, QEMU),
    Build("g++ -O0", "g++", "-O0", together=False),
    Build("g++ -O3", "g++", "-O3"),
    Build("clang++ -O0", "clang++", "-O0"),
    Build("clang++ -O2", "clang++"),
    Build("clang++ -O3", "clang++", "-O3"),
    Build("aarch64 g++ -O3", "aarch64-linux-gnu-g++", "-O3", *AARCH64, QEMU),
    Build("g++ -O2, AVX-512 emulated", "g++", emulates=True),
    Build("g++ -O2, 128-bit numbers of our own", "g++", "-O2 -DHARDWOOD_TWO_WORDS"),
    Build("x86_64 Windows, mingw g++ -O2", "x86_64-w64-mingw32-g++-posix", "-O2 -static",
          system="Windows", processor="x86_64", emulator=("wine",)),
)  # fmt: skip


def built(build: Build) -> Path:
    """The driver of that build."""
    folder = FOLDER / "".join(c if c.isalnum() else "-" for c in build.name)
    options = {
        "CMAKE_BUILD_TYPE": "None",
        "CMAKE_CXX_COMPILER": build.compiler,
        "CMAKE_CXX_FLAGS": build.flags,
        "HARDWOOD_DRIVER": "ON",
        "HARDWOOD_UNITY": "ON" if build.together else "OFF",
        "HARDWOOD_EMULATED_AVX512": "ON" if build.emulates else "OFF",
    }
    if build.system:
        options |= {"CMAKE_SYSTEM_NAME": build.system, "CMAKE_SYSTEM_PROCESSOR": build.processor}
    beside = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ['PATH']}"}
    commands = (
        ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
         *(f"-D{name}={value}" for name, value in options.items())],
        ["cmake", "--build", str(folder)],
    )  # fmt: skip
    for command in commands:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(
                f"{build.name}: {' '.join(command)}\n{done.stdout[-6000:]}{done.stderr}"
            )
    return folder / ("driver.exe" if build.system == "Windows" else "driver")


def trained(build: Build, driver: Path, tables: list[Path]) -> dict[str, dict[str, str]]:
    """By instruction set, the hash of each model."""
    command = [*build.emulator, str(driver), *map(str, tables)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {f"ended with {done.returncode}": {}}
    out: dict[str, dict[str, str]] = {}
    for line in done.stdout.splitlines():
        isa, table, choice, digest = line.split()
        out.setdefault(isa, {})[f"{table} {choice}"] = digest
    return out


def main(names: list[str]) -> int:
    """Try the builds whose name contains one of the words given, or all; how many differ."""
    tables = write_tables(FOLDER / "tables")
    expected: dict[str, str] | None = None
    wrong = 0
    for build in BUILDS:
        if names and not any(name in build.name for name in names):
            continue
        absent = build.missing()
        if absent and absent not in build.emulator:
            print(f"{build.name}: skipped, {absent} is not installed.", flush=True)
            continue
        driver = built(build)
        if absent:
            print(f"{build.name}: built; not run, {absent} is not installed.", flush=True)
            continue
        start = perf_counter()
        for isa, models in trained(build, driver, tables).items():
            expected = expected or models
            different = [name for name in expected if models.get(name) != expected[name]]
            wrong += bool(different)
            verdict = f"DIFFERS in {', '.join(different)}" if different else "equal"
            print(f"{build.name}, {isa}: {len(models)} models {verdict}", flush=True)
        print(f"  ({perf_counter() - start:.0f} s)", flush=True)
    return wrong


if __name__ == "__main__":
    raise SystemExit(1 if main(sys.argv[1:]) else 0)
