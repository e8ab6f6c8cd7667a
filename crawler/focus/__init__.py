"""Focused crawling: how much a page is about a topic, and which links lead to more of it."""

from __future__ import annotations

from crawler.focus.host_ranks import HostRanks, read_host_ranks
from crawler.focus.host_relevance import HostRelevance
from crawler.focus.learnt_pages import OthersLearnt, learnt_row, read_learnt
from crawler.focus.link_scores import LinkEvidence, LinkWeights, link_scores
from crawler.focus.relevance import RelevanceModel
from crawler.focus.template_blocks import TemplateBlocks

__all__ = [
    "HostRanks",
    "HostRelevance",
    "LinkEvidence",
    "LinkWeights",
    "OthersLearnt",
    "RelevanceModel",
    "TemplateBlocks",
    "learnt_row",
    "link_scores",
    "read_host_ranks",
    "read_learnt",
]
