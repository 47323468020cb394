"""The command, run inside the test's process."""

from collections.abc import Callable

import pytest

from hardwood.cli import main


@pytest.fixture
def hardwood(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[object, str, str]]:
    """Call it with arguments; gives (exit code, standard output, standard error)."""

    def call(*arguments: object) -> tuple[object, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        return end.value.code, *capsys.readouterr()

    return call
