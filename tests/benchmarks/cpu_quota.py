"""Processes that get a share of a core at most: quotas of Linux' control groups, of both versions."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_GROUPS = Path("/sys/fs/cgroup")
# Short, so that what has had its share waits for milliseconds, not for a tenth of a second.
_PERIOD_US = 10_000


@contextmanager
def quotas(n_groups: int, share: float) -> Iterator[list[Path]]:
    """Yield *n_groups* groups, whose processes have *share* of a core at most; none where the system gives none."""
    with ExitStack() as made:
        names = [f"winnow-{os.getpid()}-{number}" for number in range(n_groups)]
        groups: list[Path] = []
        with suppress(OSError):
            groups.extend(made.enter_context(_group(name, share)) for name in names)
        yield groups if len(groups) == n_groups else []


@contextmanager
def _group(name: str, share: float) -> Iterator[Path]:
    controller = _GROUPS / "cpu" if (_GROUPS / "cpu").is_dir() else _GROUPS
    group = controller / name
    group.mkdir()
    try:
        quota_us = int(share * _PERIOD_US)
        if controller == _GROUPS:
            (group / "cpu.max").write_text(f"{quota_us} {_PERIOD_US}")
        else:
            (group / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota_us))
        yield group
    finally:
        group.rmdir()


def put(process: int, group: Path) -> None:
    """Put a *process* with all its threads into *group*, unless it has ended."""
    with suppress(ProcessLookupError):
        (group / "cgroup.procs").write_text(str(process))
