"""Focused crawling: how much a page is about a topic, and which links lead to more of it."""

from __future__ import annotations

from crawler.focus.host_ranks import HostRanks, read_host_ranks
from crawler.focus.host_relevance import HostRelevance
from crawler.focus.learnt_pages import (
    JournalsLearnt,
    OthersLearnt,
    learnt_row,
    learnt_rows,
    read_row,
)
from crawler.focus.link_scores import LinkEvidence, LinkWeights, link_scores
from crawler.focus.redis_learnt import RedisLearnt
from crawler.focus.relevance import UNKNOWN, RelevanceModel
from crawler.focus.template_blocks import TemplateBlocks

__all__ = [
    "UNKNOWN",
    "HostRanks",
    "HostRelevance",
    "JournalsLearnt",
    "LinkEvidence",
    "LinkWeights",
    "OthersLearnt",
    "RedisLearnt",
    "RelevanceModel",
    "TemplateBlocks",
    "learnt_row",
    "learnt_rows",
    "link_scores",
    "read_host_ranks",
    "read_row",
]
