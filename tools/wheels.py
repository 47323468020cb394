"""`make wheel`: wheels and the source archive, built, audited, installed and tried.

Out: dist/. A wheel for Python 3.11 and one of the stable ABI for 3.12 and later, for each of the
interpreters in WHEEL_PYTHONS (default: python3.11 python3.12) that is there. Each wheel is made
independent of this machine's libraries (auditwheel), the stable one is checked (abi3audit), and
each is installed into a new environment in which no compiler can be found; there the demo and the
golden digests of tables in memory must pass. The stable one must pass in later Pythons too
(WHEEL_LATER, default: python3.13 python3.14). The source archive is built and tried as well.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "wheels"
DIST = ROOT / "dist"
TOOLS = Path(sys.executable).parent
TESTS = ("tests/golden/test_golden_digests.py", "tests/model_file/test_round_trip.py", "-k",
         "not another_store and not every_parameter")  # fmt: skip
NEEDED_BY_TESTS = ("pytest", "hypothesis", "pandas", "polars", "pyarrow")


def run(*command: object, path: str | None = None, folder: Path = ROOT) -> None:
    """A command that must succeed; its output is shown when it does not."""
    environment = {**os.environ, "PATH": path or f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    if path is not None:
        environment |= {"CC": "no-compiler", "CXX": "no-compiler"}
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


def interpreters(asked: str, usual: str) -> list[str]:
    """Those that the variable asks for and that run here; the others are named."""
    found = []
    for name in os.environ.get(asked, usual).split():
        works = (
            shutil.which(name)
            and not subprocess.run([name, "-c", ""], capture_output=True, check=False).returncode
        )
        if works:
            found.append(name)
        else:
            print(f"{name} is not here: no wheel is built or tried with it.", flush=True)
    return found


def new_environment(python: str, name: str) -> Path:
    """The Python of a fresh virtual environment."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    return folder / "bin" / "python"


def install(python: Path, *what: object, path: str | None = None) -> None:
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what, path=path)


def built_wheel(python: str) -> Path:
    """The wheel for that interpreter, in dist/."""
    raw, repaired = WORK / "raw", WORK / "repaired"
    for folder in (raw, repaired):
        shutil.rmtree(folder, ignore_errors=True)
    builder = new_environment(python, f"build-{python}")
    start = perf_counter()
    run(builder, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
        "-w", raw, ROOT)  # fmt: skip
    (wheel,) = raw.glob("*.whl")
    run(sys.executable, "-m", "auditwheel", "repair", wheel, "-w", repaired)
    (wheel,) = repaired.glob("*.whl")
    if "abi3" in wheel.name:
        run(sys.executable, "-m", "abi3audit", "--strict", wheel)
    DIST.mkdir(exist_ok=True)
    kept = Path(shutil.copy(wheel, DIST))
    installed = sum(entry.file_size for entry in ZipFile(kept).infolist())
    size = kept.stat().st_size
    print(f"{kept.name}: {size / 1e6:.2f} MB, {installed / 1e6:.2f} MB installed; built in "
          f"{perf_counter() - start:.0f} s{', stable ABI checked' if 'abi3' in kept.name else ''}.",
          flush=True)  # fmt: skip
    return kept


def tried(python: str, what: Path, *, compiler: bool) -> None:
    """Install into a new environment, run the demo and the tests from another folder."""
    name = f"try-{python}-{'source' if compiler else 'wheel'}"
    fresh = new_environment(python, name)
    path = None if compiler else str(fresh.parent)
    start = perf_counter()
    install(fresh, what, path=path)
    seconds = perf_counter() - start
    start = perf_counter()
    run(fresh, "-m", "hardwood.demo", path=path, folder=fresh.parent)
    print(f"  {python}: {what.name} installed in {seconds:.0f} s"
          f"{'' if compiler else ' where no compiler can be found'}, "
          f"demo in {perf_counter() - start:.1f} s", flush=True)  # fmt: skip
    install(fresh, *NEEDED_BY_TESTS)
    start = perf_counter()
    run(fresh, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, path=path)
    print(
        f"  {python}: golden digests and model files pass, {perf_counter() - start:.0f} s",
        flush=True,
    )


def main() -> None:
    """Everything, or only the interpreters that are here."""
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(DIST, ignore_errors=True)
    pythons = interpreters("WHEEL_PYTHONS", "python3.11 python3.12")
    for python in pythons:
        wheel = built_wheel(python)
        tried(python, wheel, compiler=False)
        if "abi3" in wheel.name:
            for later in interpreters("WHEEL_LATER", "python3.13 python3.14"):
                tried(later, wheel, compiler=False)
    if pythons:
        run(sys.executable, "-m", "build", "--sdist", "--outdir", DIST)
        (archive,) = DIST.glob("*.tar.gz")
        print(f"{archive.name}: {archive.stat().st_size / 1e6:.2f} MB", flush=True)
        tried(pythons[0], archive, compiler=True)


if __name__ == "__main__":
    main()
