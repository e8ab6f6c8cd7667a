"""The comparison as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipelines.jobs.sample_answers.answers import CachedAnswers, CrawlRules
from pipelines.jobs.sample_answers.checks import CHECKS, Check
from pipelines.jobs.sample_answers.crawled import read_crawl
from pipelines.jobs.sample_answers.expected import expected_crawl
from pipelines.jobs.sample_answers.scores import (
    NearScore,
    TemplateScore,
    near_scores,
    template_scores,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pipelines.jobs.sample_answers.answers import Answers


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came out: *checks* that must be equal, and scores."""

    checks: tuple[Check, ...]
    templates: tuple[TemplateScore, ...]
    near: tuple[NearScore, ...]

    @property
    def equal(self) -> bool:
        """Whether no check found a difference."""
        return not any(check.differences for check in self.checks)


def compare(
    corpus: Path, answers: Answers, folder: Path, *, rules: CrawlRules | None = None
) -> Comparison:
    """Compare the corpus folder *corpus* and the request log in *folder* with *answers*."""
    answers = CachedAnswers(answers)
    rules = rules or CrawlRules()
    crawled = read_crawl(corpus, folder)
    expected = expected_crawl(answers, rules)
    return Comparison(
        tuple(check(answers, expected, crawled) for check in CHECKS),
        tuple(template_scores(answers, crawled)),
        tuple(near_scores(answers, crawled)),
    )
