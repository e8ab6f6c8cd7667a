"""Crawls of a sample web, each in processes of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.conftest import ROOT, crawl_arguments, scrapy_command, scrapy_environment


def start(folder: Path, corpus: Path, n_processes: int, max_pages: int) -> subprocess.Popen[bytes]:
    """Start a crawl of the web in *folder*, which keeps compiled modules, into *corpus*, up to *max_pages* (0: all)."""
    environment = {**scrapy_environment(), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    arguments = [*crawl_arguments(folder, corpus), "-a", f"max_pages={max_pages}"]
    if n_processes > 1:
        arguments = ["fleet", *arguments[1:], "-p", str(n_processes)]
    command = scrapy_command(*arguments, "-s", "HOST_DELAY_SECS=0", "--nolog")
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=quiet, stderr=quiet)


def children(process: int) -> list[int]:
    """Return the processes that *process* has started and that have not ended."""
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in listed.split()]
