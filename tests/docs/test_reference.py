"""Every public name, method, parameter and fitted attribute is in the reference."""

import inspect

import pytest
from making import reference
from making.docstrings import markdown, parts, summary
from making.in_use import in_use

import hardwood

PAGES = reference.pages()
ESTIMATORS = sorted(reference.estimators())
MODULES = sorted(reference.modules())


def test_every_public_name_of_the_package_has_a_place():
    everything = "\n".join(PAGES.values())
    for name in hardwood.__all__:
        assert f"{{ #hardwood.{name.strip('_')} }}" in everything, name
        assert f"[`hardwood.{name}`]" in PAGES["reference/index.md"], name


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_a_module_is_on_its_page(name):
    module = reference.modules()[name]
    assert reference.names_of(module) or module.__doc__
    for each in reference.names_of(module):
        assert f"{{ #hardwood.{name}.{each} }}" in PAGES[f"reference/{name}.md"]
        assert f"#hardwood.{name}.{each})" in PAGES["reference/index.md"]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_s_page_names_all_it_takes_and_offers(name):
    kind, page = getattr(hardwood, name), PAGES[f"reference/{name}.md"]
    for member in dir(kind):
        if not member.startswith("_"):
            assert f"`{member}`" in page, member
    rows = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    for parameter in inspect.signature(kind).parameters:
        assert any(f"`{parameter}`" in row for row in rows), f"{parameter} has no row"


@pytest.mark.parametrize("name", ESTIMATORS)
def test_what_a_fit_leaves_is_in_the_docstring(name):
    fitted = getattr(hardwood, name)(random_state=0).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    listed = {
        each.strip()
        for entry in parts(type(fitted).__doc__)[1]["Attributes"]
        for each in entry.names.split(",")
    }
    public = {each for each in vars(fitted) if each.endswith("_") and not each.startswith("_")}
    assert public <= listed


def test_every_public_name_has_an_example():
    names = [f"hardwood.{name}" for name in (*reference.top_level(), *ESTIMATORS)]
    for short, module in reference.modules().items():
        names += [f"hardwood.{short}.{each}" for each in reference.names_of(module)]
    for short, kind in reference.estimators().items():
        own = [base for base in kind.__mro__ if base.__module__.startswith("hardwood")]
        members = {each for base in own for each in vars(base) if not each.startswith("_")}
        members -= set(inspect.signature(kind).parameters)  # which have a table
        names += [f"hardwood.{short}.{each}" for each in members if "request" not in each]
    assert [name for name in names if not in_use(name)] == []


def test_an_example_is_the_shortest_statement_with_the_name():
    assert "export.dot(tree)" in in_use("hardwood.export.dot")
    assert "../how-to/" in in_use("hardwood.TreeClassifier.apply")
    assert in_use("hardwood.export.c").count("export.c(") == 1
    assert in_use("hardwood.export.nothing") == ""
    page = PAGES["reference/export.md"]
    assert page.count("**In use**") == len(reference.names_of(reference.modules()["export"]))


def test_public_functions_have_words():
    for name, module in reference.modules().items():
        for each in reference.names_of(module):
            thing = getattr(module, each)
            if inspect.isroutine(thing):
                assert len((thing.__doc__ or "").split()) >= 4, f"hardwood.{name}.{each}"


def test_a_docstring_becomes_prose_and_tables():
    text = markdown(
        """Twice x, as in a*b.

        Parameters
        ----------
        x, y : int or None, default=None
            What is
            doubled | tripled.
        """
    )
    assert text.startswith("Twice x, as in a\\*b.")
    assert "| `x`, `y` | int or None, default=None | What is doubled \\| tripled. |" in text
    assert summary("One thing (Appel et al. 2013). Another.") == "One thing (Appel et al. 2013)"
