"""The open elements of a page and its pagelets, slow and obvious: what the compiled scan must agree with."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """An open element, for the pagelets."""

    name: str
    # Whether there is no box, and whether it is not seen.
    hides: bool = False
    unseen: bool = False
    children: list[Node] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    hyperlinks: int = 0

    def everything(self, what: str) -> list[int]:
        below = [number for child in self.children for number in child.everything(what)]
        return sorted(getattr(self, what) + below)

    def n_hyperlinks(self) -> int:
        return self.hyperlinks + sum(child.n_hyperlinks() for child in self.children)

    def pagelets(self, k: int) -> list[tuple[list[int], list[int]]]:
        """Blocks and links of the pagelets, by the definition."""
        if all(child.n_hyperlinks() < k for child in self.children):
            content = (self.everything("blocks"), self.everything("links"))
            return [content] if any(content) else []
        return [found for child in self.children for found in child.pagelets(k)]
