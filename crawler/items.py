"""The one item of Winnow: a fetched page, with the columns of ``documents`` as fields.

Values are plain Python (str, int, float, datetime, list, dict), so that any feed export works. What
the stages work on (scanned blocks, links, the open capture) is ``Page.model``, a slot of the base
class and no field: feed exports do not see it, and the stage ``store`` clears it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from crawler.page import PageModel


class _WithModel:
    """Holds the slots that must not be fields of the item."""

    __slots__ = ("_make", "model")

    def __init__(self) -> None:
        self.model: PageModel | None = None
        self._make: Callable[[], list[dict[str, Any]]]

    def attach(self, model: PageModel | None) -> None:
        """Set what the stages work on; None lets it go."""
        self.model = model


@dataclass(slots=True, eq=False, repr=False)
class Page(_WithModel):
    """One fetched page; the fields are the columns of ``documents``, in their order.

    A field is None until the stage that knows it has run. ``digest`` is hexadecimal here and 16
    bytes in the shard; ``text`` is the kept blocks, one a line, and the lines of code. The ``blocks`` of a
    stored page are made when they are asked for.
    """

    host_id: int
    local_id: int
    url: str
    host: str
    fetched_at: datetime
    status: int
    content_type: str | None = None
    charset: str | None = None
    charset_source: str | None = None
    title: str | None = None
    title_source: str | None = None
    author: str | None = None
    author_source: str | None = None
    date: str | None = None
    date_source: str | None = None
    description: str | None = None
    description_source: str | None = None
    signals: list[str] = field(default_factory=list)
    language: str | None = None
    language_score: float | None = None
    category: list[str] = field(default_factory=list)
    depth: int = 0
    method: str | None = None
    text: str | None = None
    blocks: list[dict[str, Any]] = field(default_factory=list)
    n_words: int = 0
    digest: str | None = None
    simhash: int | None = None
    raw_bytes: int = 0
    warc_file: str | None = None
    warc_offset: int | None = None

    def __post_init__(self) -> None:
        self.attach(None)

    def make_blocks(self, make: Callable[[], list[dict[str, Any]]]) -> None:
        """Have *make* called for field ``blocks`` when it is first asked for."""
        self._make, self.blocks = make, []
        del self.blocks  # so that __getattr__ is asked

    def __getattr__(self, name: str) -> Any:
        if name != "blocks":
            raise AttributeError(name)
        self.blocks = self._make()
        return self.blocks

    def __repr__(self) -> str:
        return f"<Page {self.host_id}:{self.local_id} {self.url} {self.n_words} words>"


COLUMNS: tuple[str, ...] = tuple(column.name for column in fields(Page))
"""The field names, in order: the columns of ``documents``."""
