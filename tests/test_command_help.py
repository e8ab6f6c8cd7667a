"""``--help`` of the commands: headings at any width, and every argument of the spiders."""

from __future__ import annotations

import argparse
from importlib.metadata import entry_points
from itertools import pairwise

import pytest
from scrapy.commands import ScrapyHelpFormatter
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from crawler.commands.crawl import Command as CrawlCommand

COMMANDS = [
    entry for entry in entry_points(group="scrapy.commands") if entry.value.startswith("crawler.")
]


def headings(command):
    parser = argparse.ArgumentParser(
        description=command.long_desc(), formatter_class=ScrapyHelpFormatter
    )
    command.settings = Settings()
    command.add_options(parser)
    lines = parser.format_help().splitlines()
    return {above for above, line in pairwise(lines) if line.startswith("===")}


@pytest.mark.parametrize("columns", [30, 60, 80, 81])
def test_no_line_of_help_is_taken_for_a_heading(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for entry in COMMANDS:
        found = headings(entry.load()())
        assert found <= {"Usage", "Options", "Subcommands", "The Sample Web"}, (entry.name, found)


def test_help_of_crawl_names_every_argument():
    text = CrawlCommand().long_desc()
    spiders = SpiderLoader(Settings({"SPIDER_MODULES": ["crawler.spiders"]}))
    names = [name for each in spiders.list() for name in spiders.load(each).arguments]
    assert {"seeds", "scope", "paths", "column"} <= set(names)
    assert [name for name in names if f"-a {name}=" not in text] == []
