"""What is collected: of what is no test file, the modules with examples in their docstrings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules without examples: each worker would import all of them, to find none."""
    if collection_path.suffix != ".py" or collection_path.name.startswith("test_"):
        return None
    return None if b">>> " in collection_path.read_bytes() else True
