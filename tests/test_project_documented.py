"""Every setting, command and column of the documents has its place in the README, and what it says of Python is so."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from pathlib import Path

import pytest
from scrapy.settings import default_settings

from pipelines.corpus.schema import DOCUMENTS
from settings import project
from tests.hostile_server import TEXT

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SETTINGS = sorted(name for name in vars(project) if re.fullmatch(r"[A-Z][A-Z0-9_]*", name))
COMMANDS = sorted(PYPROJECT["entry-points"]["scrapy.commands"])
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "GB": 10**9}
FIRST_CELL = re.compile(r"^\|\s*`([^`|]+)`\s*\|", re.MULTILINE)


@pytest.fixture(scope="module")
def documented():
    """What the README's tables have a row for, by their first cells."""
    return FIRST_CELL.findall((ROOT / "README.md").read_text("utf-8"))


def test_there_are_settings_and_commands_to_document():
    assert "CORPUS_DIR" in SETTINGS
    assert "crawl" in COMMANDS


@pytest.mark.parametrize("names", [SETTINGS, COMMANDS], ids=["settings", "commands"])
def test_each_has_its_row(documented, names):
    others = [name for name in names if documented.count(name) != 1]
    assert others == [], "each needs one row in README.md, | `NAME` | …"


def test_readme_names_no_setting_that_is_gone(documented):
    rows = {name for name in documented if re.fullmatch(r"[A-Z][A-Z0-9_]*", name)}
    assert rows - set(SETTINGS) - set(vars(default_settings)) == set()


@pytest.mark.parametrize("name", SETTINGS)
def test_readme_says_the_default(name):
    """Sizes as people say them; of the one that is too long for its cell the end."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (said,) = re.findall(rf"^\| `{name}` \| `(.+?)` \|", readme, re.MULTILINE)
    number, _, unit = said.partition(" ")
    value = int(number) * UNITS[unit] if unit in UNITS else ast.literal_eval(said)
    default = getattr(project, name)
    if str(value).startswith("…"):
        assert str(default).endswith(str(value)[1:])
    else:
        assert value == default


def test_readme_names_the_columns_of_documents():
    """Those of a source are told with what they are the source of."""
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = readme.partition("The columns of `documents`:\n\n")[2].partition("\n\n")[0].splitlines()
    named = [name for line in lines for name in line.strip().partition("   ")[0].split(", ")]
    columns = [name for name in DOCUMENTS.names if not name.endswith("_source")]
    assert sorted(named) == sorted(columns)


def test_readme_cleans_a_page_from_python():
    readme = (ROOT / "README.md").read_text("utf-8")
    code = (
        readme.partition("## From Python\n")[2].partition("\n    ")[2].partition("\n\nNo page")[0]
    )
    body = (
        b"<title>The mill</title><p><a href=/>home</a><p>"
        + TEXT
        + b"<a href=/x>More</a> of it<i hidden>no</i>."
    )
    names = {"body": body, "url": "http://a.example/mill"}
    exec(textwrap.dedent(f"    {code}"), names)
    assert names["text"].endswith("channel. More of it.")
    assert names["article"].endswith("channel. [More](<http://a.example/x>) of it.")
    assert names["title"] == "The mill"
