"""The open elements of the source: tag path and depth, by start and end tags alone.

No tree is built and no element moved; the end tags that HTML lets authors leave out are supplied
where they change a path (items, cells, rows, paragraphs). ``a``, ``html``, ``head`` and ``body``
are left out of paths; every path begins at ``body``.

Cost: an end tag that matches nothing, or a start tag that closes others, looks through the open
elements, of which there are at most *max_depth*.
"""

from __future__ import annotations

from crawler.page.tags import CLOSED_BY


class OpenElements:
    """The stack of open elements; deeper ones than *max_depth* are counted, not named."""

    __slots__ = ("cut", "max_depth", "n_deeper", "names")

    def __init__(self, max_depth: int):
        self.max_depth = max_depth
        self.names: list[str] = []
        self.n_deeper = 0
        self.cut = False

    @property
    def path(self) -> str:
        """The tag path, as ``body/div/p``."""
        return "/".join(["body", *self.names])

    def open(self, name: str) -> None:
        """Put a start tag on the stack."""
        if len(self.names) < self.max_depth:
            self.names.append(name)
        else:
            self.n_deeper += 1
            self.cut = True

    def close(self, name: str) -> None:
        """Take an end tag: close the innermost element of that name and all within it."""
        names = self.names
        if self.n_deeper:
            self.n_deeper -= 1
        elif names and names[-1] == name:
            names.pop()
        elif name in names:
            while names.pop() != name:
                pass

    def close_implied(self, name: str) -> None:
        """Close what a start tag of *name*, one of CLOSED_BY, closes."""
        closed, bounds = CLOSED_BY[name]
        names = self.names
        if closed.isdisjoint(names):
            return
        first = len(names)
        for place in range(len(names) - 1, -1, -1):
            if names[place] in closed:
                first = place
            elif names[place] in bounds:
                break
        del names[first:]
