"""Which of the items that leave the pipelines was the page, and which meta keys are Winnow's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from crawler.durable.capture import Capture

# What a Request made from `response.meta` must not take over: it is of another page.
OWN_META = (
    "winnow_capture",
    "winnow_others",
    "winnow_page",
    "winnow_signals",
    "winnow_warc",
    "winnow_yielded",
)


def note_item(meta: MutableMapping[str, Any], *, is_page: bool) -> None:
    """Note in *meta* that an item of the callback is on its way to the pipelines."""
    if is_page:
        meta["winnow_yielded"] = True
    else:
        meta["winnow_others"] = meta.get("winnow_others", 0) + 1


def capture_of(item: Any, meta: MutableMapping[str, Any]) -> Capture | None:
    """Return the open capture whose page left the pipelines as *item*, None for any other item.

    A pipeline of the project may make something else of the page (a dict, an item of its own), so
    items are counted: one that is more than the callback's others was the page.
    """
    capture: Capture | None = meta.get("winnow_capture")
    if capture is None or capture.done or "winnow_page" not in meta:
        return None
    if item is meta["winnow_page"]:
        return capture
    meta["winnow_others"] = meta.get("winnow_others", 0) - 1
    return capture if meta["winnow_others"] < 0 else None
