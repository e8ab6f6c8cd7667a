"""Every module can be imported: of those that no test needs, only the ones with examples are collected.

And what it holds works in every Python that we name.
"""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("package", ["crawler", "pipelines", "settings", "tests"])
def test_every_module_can_be_imported(package):
    paths = [path.relative_to(ROOT) for path in sorted((ROOT / package).rglob("*.py"))]
    assert paths
    for path in paths:
        if not path.name.startswith("test_"):
            import_module(".".join(path.with_suffix("").parts))


# Before Python 3.11.5 such a group may match less than it should (CPython's issue 106052): an atomic one does not.
POSSESSIVE_GROUP = re.compile(r"(?<![\\(])\)[*+?]\+")


@pytest.mark.parametrize("package", ["crawler", "pipelines", "settings"])
def test_no_expression_has_a_possessive_group(package):
    found = [
        f"{path}: {line.strip()}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if POSSESSIVE_GROUP.search(line) and not line.lstrip().startswith("#")
    ]
    assert found == []
