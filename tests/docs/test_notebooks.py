"""The notebooks of the site run from top to bottom and print what their pages say."""

import re
from pathlib import Path

import pytest
from making.blocks import blocks
from making.notebooks import DOCS, TASKS, notebook

from tests.effort import THOROUGH

RUN = TASKS if THOROUGH else TASKS[:2]
"""The blocks of all pages run in test_code_blocks.py; these also as notebooks."""
VARIES = re.compile(r"\b[\d,.]+ (?:bytes|kB|ms|s)\b")
"""Sizes and times that a page does not promise."""


def _said(cell):
    return "".join(each.get("text", "") for each in cell["outputs"] if each.get("name") == "stdout")


def _lines(text):
    return [VARIES.sub("", line.rstrip()) for line in text.strip().splitlines()]


BETWEEN = """
%reset -f
import os, tempfile
os.chdir(tempfile.mkdtemp(dir=os.environ["NOTEBOOKS"]))
"""


@pytest.fixture
def ran(tmp_path):
    """The cells of code of each page after one kernel has run them all, its names forgotten between
    pages: starting a kernel takes longer than a notebook."""
    nbclient = pytest.importorskip("nbclient", reason="notebooks are run by nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells, pages = [], []
    for page in RUN:
        told = nbformat.from_dict(notebook(page))
        nbformat.validate(told)
        code = [cell.source for cell in told.cells if cell.cell_type == "code"]
        cells += [nbformat.v4.new_code_cell(each) for each in (BETWEEN, *code)]
        pages += [page] * (1 + len(code))
    whole = nbformat.v4.new_notebook(cells=cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLBACKEND", "agg")
        patch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
        patch.setenv("NOTEBOOKS", str(tmp_path))
        nbclient.NotebookClient(whole, timeout=120, allow_errors=True).execute()
    of_page = {page: [] for page in RUN}
    for page, cell in zip(pages, whole.cells, strict=True):
        of_page[page].append(cell)
    return of_page


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_notebooks_run_and_print_what_their_pages_say(ran):
    for page, cells in ran.items():
        failed = [each for cell in cells for each in cell.outputs if each.output_type == "error"]
        assert failed == [], page
        expected = [cell for cell in notebook(page)["cells"] if cell["cell_type"] == "code"]
        now = [_lines(_said(cell)) for cell in cells[1:]]
        assert now == [_lines(_said(cell)) for cell in expected], page


@pytest.mark.parametrize("page", TASKS)
def test_a_notebook_has_every_block_of_its_page(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    cells = notebook(page)["cells"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    assert code == [block.text.rstrip() for block in blocks(text) if block.language == "python"]
    told = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    assert "```output" not in told
    headings = re.findall(r"^#+ .*", text, re.MULTILINE)
    assert [heading for heading in headings if heading not in told and heading not in code] == []


def test_links_of_a_notebook_lead_to_pages_of_the_site():
    for page in TASKS:
        for cell in notebook(page)["cells"]:
            for link in re.findall(r"\]\((\.\./[^)#\s]*)", cell["source"]):
                target = (DOCS / "notebooks" / link).resolve()
                assert target.with_suffix(".md").exists() or target.exists() or (
                    "reference" in Path(link).parts), (page, link)  # fmt: skip
