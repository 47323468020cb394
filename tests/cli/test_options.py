"""Every estimator parameter is an option; `--help` and a missing extra need no heavy library."""

import inspect
import re
import subprocess
import sys

import pytest

import hardwood as package
from hardwood.cli.options import estimator_arguments
from hardwood.cli.parameters import ESTIMATORS, parameters
from hardwood.cli.refusal import InputError


@pytest.mark.parametrize("model", ESTIMATORS)
def test_parameters_read_from_the_source_are_those_of_the_constructor(model):
    constructor = inspect.signature(getattr(package, ESTIMATORS[model][1]))
    read = parameters(model)
    assert list(read) == list(constructor.parameters)
    for name, parameter in constructor.parameters.items():
        assert read[name].default == parameter.default
        assert read[name].annotation == parameter.annotation
        assert read[name].help
        assert read[name].values


@pytest.mark.parametrize("model", ESTIMATORS)
def test_every_parameter_is_an_option_with_help(model, hardwood, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("TERMINAL_WIDTH", "300")
    code, out, _ = hardwood("train", "--help")
    assert code == 0
    text = re.sub(r"[│\s]+", " ", out)
    for parameter in parameters(model).values():
        option = f"--{parameter.name} ".replace("_", "-")
        own = text[text.index(option) + len(option) :].partition(" --")[0]
        assert " ".join(parameter.help.split()[:4]) in own


def test_values_become_what_the_estimator_takes():
    given = {
        "max_leaf_nodes": "8",
        "max_depth": "none",
        "min_drop": "0.01",
        "criterion": "gini",
        "categorical_features": "zip, colour",
        "class_weight": "a=b=2,c=0.5",
        "random_state": "3",
        "n_jobs": None,
    }
    assert estimator_arguments("tree", given) == {
        "max_leaf_nodes": 8,
        "max_depth": None,
        "min_drop": 0.01,
        "criterion": "gini",
        "categorical_features": ["zip", "colour"],
        "class_weight": {"a=b": 2.0, "c": 0.5},
        "random_state": 3,
    }
    assert estimator_arguments("boosted", {"early_stopping": True, "search": "quick"}) == {
        "early_stopping": True,
        "search": "quick",
    }
    assert estimator_arguments("tree", {"class_weight": "balanced"}) == {"class_weight": "balanced"}
    given = {"monotonic_cst": "income=1,age:old=-1", "interaction_cst": "a, b;c;d = a,c"}
    assert estimator_arguments("tree", given) == {
        "monotonic_cst": {"income": 1, "age": {"old": -1}},
        "interaction_cst": [["a", "b"], ["c"], {"d": ["a", "c"]}],
    }
    assert estimator_arguments("boosted", {"interaction_cst": "pairwise"}) == {
        "interaction_cst": "pairwise"
    }
    with pytest.raises(InputError, match="--monotonic-cst is 'income=up'"):
        estimator_arguments("tree", {"monotonic_cst": "income=up"})
    with pytest.raises(InputError, match="--class-weight is 'yes=heavy'"):
        estimator_arguments("tree", {"class_weight": "yes=heavy"})
    with pytest.raises(InputError, match="parameter of the tree model"):
        estimator_arguments("boosted", {"min_drop": "0"})


def test_help_loads_neither_numpy_nor_scikit_learn_nor_arrow():
    program = (
        "import sys\n"
        "from hardwood.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "loaded = {'numpy', 'sklearn', 'pyarrow', 'pandas'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert all(
        f" {command} " in done.stdout for command in ("train", "predict", "show", "report", "demo")
    )


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch, capsys):
    from hardwood import cli

    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == "rich" else name)
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "rich" in told
    assert "pip install 'hardwood[cli]'" in told


def test_the_command_alone_shows_its_help(hardwood):
    code, out, err = hardwood()
    assert code == 0
    assert "Usage: hardwood" in out
    assert err == ""


def test_the_version_is_printed(hardwood):
    assert hardwood("--version") == (0, f"hardwood {package.__version__}\n", "")
