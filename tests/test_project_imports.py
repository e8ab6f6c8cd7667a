"""Every module can be imported: of those that no test needs, only the ones with examples are collected."""

from __future__ import annotations

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
