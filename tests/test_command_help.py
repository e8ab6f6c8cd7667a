"""``--help`` of the commands: headings at any width, and every argument of the spiders."""

from __future__ import annotations

import argparse
import inspect
import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from itertools import pairwise

import pytest
from scrapy.commands import ScrapyHelpFormatter
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from crawler.commands.crawl import Command as CrawlCommand
from crawler.page.words import density_tokens, search_words

COMMANDS = [
    entry for entry in entry_points(group="scrapy.commands") if entry.value.startswith("crawler.")
]
EXAMPLE = re.compile(r"^ +(?:\w+=\w+ )?scrapy (\w+)((?:.*\\\n)*.*)", re.MULTILINE)


def parser_of(command):
    parser = argparse.ArgumentParser(
        description=command.long_desc(),
        formatter_class=ScrapyHelpFormatter,
        conflict_handler="resolve",
    )
    command.settings = Settings()
    command.add_options(parser)
    return parser


def subparsers_of(parser):
    found = [action for action in parser._actions if isinstance(action.choices, dict)]
    parsers = [each for action in found for each in action.choices.values()]
    for each in parsers:
        each.formatter_class = ScrapyHelpFormatter
    return parsers


def headings(command):
    lines = parser_of(command).format_help().splitlines()
    return {above for above, line in pairwise(lines) if line.startswith("===")}


@pytest.mark.parametrize("columns", [30, 60, 80, 81])
def test_no_line_of_help_is_taken_for_a_heading(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for entry in COMMANDS:
        found = headings(entry.load()())
        assert found <= {"Usage", "Options", "Subcommands", "The Sample Web"}, (entry.name, found)


def test_help_fits_a_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for entry in COMMANDS:
        parser = parser_of(entry.load()())
        for one in (parser, *subparsers_of(parser)):
            lines = one.format_help().splitlines()
            assert [line for line in lines if len(line) > 80] == [], one.prog


def test_help_of_crawl_names_every_argument():
    text = CrawlCommand().long_desc()
    spiders = SpiderLoader(Settings({"SPIDER_MODULES": ["crawler.spiders"]}))
    names = [name for each in spiders.list() for name in spiders.load(each).arguments]
    assert {"seeds", "scope", "paths", "column"} <= set(names)
    assert [name for name in names if f"-a {name}=" not in text] == []


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_help_has_examples_and_the_command_takes_their_options(entry):
    parser = parser_of(entry.load()())
    examples = [found for found in EXAMPLE.findall(parser.format_help()) if found[0] == entry.name]
    assert examples
    for _, words in examples:
        given = shlex.split(re.split(r" (?:--|[>|]) ", words.replace("\\\n", " "))[0])
        left = parser.parse_known_args(given)[1]
        assert [word for word in left if word.startswith("--")] == [], words


@pytest.mark.parametrize(
    ("name", "subcommand"),
    [
        *(("templates", each) for each in ("detect", "cluster", "remove", "structure")),
        *(("gold", each) for each in ("make", "add", "change", "remove", "merge", "list")),
    ],
)
def test_help_keeps_the_lines_of_examples_at_any_width(monkeypatch, name, subcommand, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    command = next(entry for entry in COMMANDS if entry.name == name).load()()
    with pytest.raises(SystemExit):
        parser_of(command).parse_args([subcommand, "--help"])
    text = capsys.readouterr().out
    assert re.search(r"\n  scrapy (templates|pagelets|gold) .*(mine |\.zip).*\n", text + "\n")


def test_help_of_gold_names_the_published_rules():
    from crawler.commands.gold_making import MakePackage
    from pipelines.evaluation.landmarks.rules import PUBLISHED

    parser = argparse.ArgumentParser()
    MakePackage().add_options(parser)
    assert f"or the published {', '.join(PUBLISHED)}" in " ".join(parser.format_help().split())


# Numba alone takes longer than all else that Scrapy loads for its help.
HELP_WITHOUT_KERNELS = """
import argparse, sys
from importlib.metadata import entry_points
from scrapy.settings import Settings
for entry in entry_points(group="scrapy.commands"):
    if entry.value.startswith("crawler."):
        command = entry.load()()
        command.settings = Settings()
        parser = argparse.ArgumentParser(description=command.long_desc(), conflict_handler="resolve")
        command.add_options(parser)
        parser.format_help()
        assert not {"numba", "numpy"} & set(sys.modules), entry.name
"""


def test_help_loads_no_kernels():
    subprocess.run([sys.executable, "-c", HELP_WITHOUT_KERNELS], check=True, timeout=60)


def test_help_of_clean_names_the_renderers():
    from crawler.commands.clean import Command
    from pipelines.boilerplate.renderers import RENDERERS

    assert f"{', '.join(RENDERERS)}:" in " ".join(parser_of(Command()).format_help().split())


def test_help_of_clean_names_the_options_of_its_default_method():
    from crawler.commands.clean import Command
    from pipelines.boilerplate.winnow import Winnow

    told = " ".join(parser_of(Command()).format_help().split()).partition("Options of winnow: ")[2]
    options = told.partition("A stop list")[0]
    assert [
        name for name in inspect.signature(Winnow).parameters if f"{name} (" not in options
    ] == []


def test_help_of_evaluate_tells_how_each_measure_is_averaged():
    from crawler.commands.evaluate import Command
    from pipelines.evaluation.measures import MARKED, MEASURES, POOLED

    # Lines may end at a hyphen.
    told = "".join(parser_of(Command()).format_help().split())
    means, pooled = told.split("withF0.5:")
    assert ",".join([*MEASURES, *MARKED]) in means
    assert ",".join(POOLED) in pooled


def test_help_of_keywords_says_what_is_a_word_there_and_elsewhere():
    from crawler.commands.keywords import Command
    from pipelines.linguistics.keyness import words_of

    text = "don't well-known 1900 me@a.com http://a.com/ 数据科学"
    assert words_of(text) == ["don't", "well-known", "数据", "据科", "科学"]
    assert search_words(text)[:5] == ["don", "t", "well", "known", "1900"]
    assert density_tokens(text) == [*text.split()[:5], "数据", "科学"]
    told = " ".join(Command().long_desc().split())
    assert "don't and well-known are one each; numbers, URLs and e-mail addresses are none" in told
    assert "divide at each sign and count numbers (don, t, well, known)" in told
