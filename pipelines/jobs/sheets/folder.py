"""Writes the plots of a report, and the page of its tables and plots, into a folder.

*On disk.* Each plot as ``<name>.png``, and one page. They are for people and are made anew by each run; plots
that an earlier run drew and this one does not are removed.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from crawler.durable.files import write_atomic
from crawler.errors import InputError
from pipelines.jobs.sheets.drawing import png
from pipelines.jobs.sheets.page import Plot, page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from pipelines.jobs.sheets.table import Table

# Tables of a page that stand above its plots.
FIRST_TABLES = 2


@contextmanager
def writing_into(folder: Path) -> Iterator[None]:
    """Make *folder*; tell as `InputError` that it, or a file in it, cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(
            f"cannot write into {folder} ({error.strerror}); give another --output"
        ) from error


def write_folder(
    folder: Path,
    name: str,
    title: str,
    tables: Sequence[Table],
    figures: Iterable[tuple[str, Figure]],
    *,
    all_figures: Iterable[str],
) -> list[Path]:
    """Write *figures*, by name, and the page *name* into *folder*, which is made; return the files.

    *all_figures*: names that figures of any run have. Raises `InputError` when that is not possible.
    """
    with writing_into(folder):
        for each in all_figures:
            (folder / f"{each}.png").unlink(missing_ok=True)
        plots = []
        for each, drawn in figures:
            plots.append(Plot(each, png(drawn)))
            write_atomic(folder / f"{each}.png", plots[-1].png)
        parts: list[Table | Plot] = [*tables[:FIRST_TABLES]]
        parts += [*plots, *tables[FIRST_TABLES:]]
        write_atomic(folder / name, page(title, parts).encode())
    return [*(folder / f"{plot.name}.png" for plot in plots), folder / name]
