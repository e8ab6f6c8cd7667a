"""The figures of a ranking by topic, and how they are printed."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.ranking.checkpoints import ignored_line
from crawler.ranking.strata import internal_lines
from crawler.wording import counted


@dataclass(frozen=True, slots=True)
class TopicReport:
    """The figures of one run; *seconds* without loading the graph and writing the ranks.

    *resumed_topics*, *resumed_at*: topics that were in a checkpoint, and those of the *iterations* of
    others; *ignored*: parts of checkpoints of another ranking, or damaged. *left_out*: top-level domains
    that were too small to be among the topics.
    """

    pages: int
    arcs: int
    topics: int
    not_found: int
    iterations: int
    resumed_topics: int
    resumed_at: int
    ignored: int
    arc_passes: float
    residual: float
    error_bound: float
    seconds: float
    file: str
    largest: list[tuple[str, int]]
    """name and pages of the topics with most pages"""
    left_out: int = 0
    internal_share: float | None = None
    has_categories: bool = True
    """whether a page has a category, of the seeds or the list; else all topics are top-level domains"""

    def screen(self) -> str:
        """Return the report as lines for people."""
        lines = [
            f"pages       {self.pages:,}",
            f"arcs        {self.arcs:,}",
            f"topics      {self.topics:,} ({self.not_found:,} URLs of the list not in the graph)",
            *(["categories  none; all topics are top-level domains"] * (not self.has_categories)),
            *(
                [f"left out    {counted(self.left_out, 'smaller top-level domain')}"]
                * bool(self.left_out)
            ),
            *internal_lines(self.internal_share),
            f"iterations  {self.iterations} ({self.arc_passes:.0f} passes over the arcs)",
            *self._checkpoint_lines(),
            f"residual    {self.residual:.2e} (error at most {self.error_bound:.2e})",
            f"seconds     {self.seconds:.2f}",
            f"written     {self.file}",
            "",
            f"{'pages':>12}  topic",
            *(f"{n_pages:12,}  {name}" for name, n_pages in self.largest),
        ]
        return "\n".join(lines)

    def _checkpoint_lines(self) -> list[str]:
        lines = []
        if self.resumed_topics or self.resumed_at:
            topics, passes = self.resumed_topics, self.resumed_at
            lines.append(
                f"checkpoint  gone on after {counted(topics, 'topic')} and {counted(passes, 'iteration')}"
            )
        if self.ignored:
            lines.append(ignored_line(self.ignored))
        return lines
