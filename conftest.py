"""What is collected: tests of test files, examples in the docstrings of the modules that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestModule

if TYPE_CHECKING:
    from pathlib import Path


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules without examples: each worker would import all of them, to find none."""
    if collection_path.suffix != ".py" or collection_path.name.startswith("test_"):
        return None
    return None if b">>> " in collection_path.read_bytes() else True


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path):
    """Look for no examples in test files."""
    collectors = yield
    if file_path.name.startswith("test_"):
        return [each for each in collectors if not isinstance(each, DoctestModule)]
    return collectors
