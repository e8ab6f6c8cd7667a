"""Small JSON files of facts that a crawl on several processes keeps, each with its format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from crawler.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


def read_facts(path: Path, version: int, take: Callable[[dict[str, Any]], T]) -> T:
    """Return what *take* makes of the object in *path*, whose ``format`` is *version*; raise `FormatError`
    otherwise.
    """
    try:
        value = json.loads(path.read_bytes())
        if value["format"] != version:
            raise FormatError(
                f"{path} has format {value['format']}, this program reads {version}; use the release "
                "that wrote it"
            )
        return take(value)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"{path} is damaged ({error}); restore it from a copy") from error
