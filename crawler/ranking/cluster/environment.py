"""What a cluster is started with, and how its failures are told."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def has_java() -> bool:
    """Tell whether there is a Java, in ``PATH`` or at ``JAVA_HOME``."""
    home = Path(os.environ.get("JAVA_HOME", ""))
    return shutil.which("java") is not None or (home / "bin/java").exists()


@contextmanager
def environment(defaults: Mapping[str, str]) -> Iterator[None]:
    """Set those of *defaults* that the environment has not, as long as this lasts."""
    missing = {name: value for name, value in defaults.items() if name not in os.environ}
    os.environ.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del os.environ[name]


def reason(error: Exception) -> str:
    r"""Return one line of *error*; Java's message is the first one with a colon before it.

    >>> reason(RuntimeError("An error occurred:\n: java.io.IOException: no disk\n\tat x"))
    'java.io.IOException: no disk'
    """
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return next((line for line in lines if line.startswith(": ")), lines[0]).removeprefix(": ")
