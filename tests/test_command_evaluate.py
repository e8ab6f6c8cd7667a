"""``scrapy evaluate`` on a small standard; wrong calls."""

from __future__ import annotations

import json
import os
import re

import pytest

from tests.conftest import run_scrapy
from tests.gold_standard import write_standard
from tests.terminal import shown_on_terminal


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    return write_standard(tmp_path_factory.mktemp("gold"))


@pytest.mark.slow
def test_table_comparison_and_plot(standard, tmp_path):
    plot = tmp_path / "plot.png"
    methods = "keep-all,numwords-tree,peer/resiliparse"
    done = run_scrapy(
        *("evaluate", standard / "news", standard / "blogs", "--methods", methods),
        *("--compare", "numwords-tree,keep-all", "--plot", plot),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("token-f1: F1")
    rows = [line.split()[0] for line in done.stdout.splitlines()[3:6]]
    assert rows.index("numwords-tree") < rows.index("keep-all")
    assert "numwords-tree minus keep-all" in done.stdout
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_set_may_be_called_anything(tmp_path):
    write_standard(tmp_path, [(name := "数" + os.fsdecode(b"$\\x$ \xe9"), 2)])
    done = run_scrapy(
        *("evaluate", tmp_path / name, "--methods", "keep-all", "--plot", tmp_path / "plot.svg"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert r"$\x$ \udce9" in done.stdout
    assert r"$\x$ \udce9" in (tmp_path / "plot.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_on_a_terminal_lines_fit_and_the_progress_is_gone(tmp_path):
    write_standard(tmp_path, [(f"set-{n}", 2) for n in range(6)])
    both = "keep-all,bte"
    shown = shown_on_terminal("evaluate", str(tmp_path), "--methods", both, "--compare", both)
    # What the erased line held is not seen.
    lines = re.sub(r"[^\n]*\r\x1b\[K", "", shown.decode().replace("\r\n", "\n")).split("\n")
    assert b"12 pages, set-5" in shown
    assert lines[0].startswith("token-f1: F1")
    assert max(map(len, lines)) <= 80
    # Divided, and all there.
    assert lines[1].split()[:2] == ["set-0", "set-1"]
    assert [line.split()[-3:] for line in lines[6:7]] == [["us", "a", "page"]]


def test_json(standard):
    done = run_scrapy(
        *("evaluate", standard, "--methods", "keep-all", "--measures", "bow, cs"),
        *("--limit", "1", "--hidden", "drop", "--presets", "--json"),
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert list(told["measures"]) == ["bow", "cs"]
    assert told["hidden"] == "drop"
    assert len(told["pages"]) == 2
    assert told["comparison"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no gold standard"),
        (["{none}"], "does not exist"),
        (["{empty}"], "no known layout"),
        (["{gold}", "--methods", "magic"], "--methods: unknown cleaning method"),
        # A peer may be named without its prefix; of those that are like it nothing was said.
        (
            ["{gold}", "--methods", "trafilatura2"],
            "'trafilatura2'; did you mean trafilatura or trafilatura-",
        ),
        (
            ["{gold}", "--methods", "keep-all:x=1"],
            "--methods: keep-all:x=1: keep-all has no option 'x'",
        ),
        (
            ["{gold}", "--measures", "magic"],
            "--measures: unknown measure 'magic'; known are token-f1",
        ),
        (["{gold}", "--limit", "few"], "--limit is 'few'"),
        (["{gold}", "--jobs", "0"], "--jobs must be 1 to 1,000, got 0"),
        (["{gold}", "--jobs", "9" * 20], "--jobs must be 1 to 1,000, got 999"),
        (["{gold}", "--limit", "0"], "--limit must be at least 1"),
        (["{gold}", "--methods", "bte,winnow:preset=9"], "--methods: winnow:preset=9: preset must"),
        (["{gold}", "--methods", "bte:mode"], "--methods: 'mode' in 'bte:mode' is no OPTION=VALUE"),
        (["{gold}", "--hidden", "show"], "--hidden must be own, keep, drop"),
        (
            ["{gold}", "--methods", "keep-all", "--compare", "keep-all"],
            "--compare takes two methods",
        ),
        (["{gold}", "--methods", "bte", "--compare", "bte,magic"], "--compare: unknown cleaning"),
        (["{gold}", "--methods", "bte", "--compare", "bte,bte"], "--compare names bte twice; name"),
        (
            ["{gold}", "--methods", "keep-all", "--plot", "{none}/x.png"],
            "is in no folder that exists",
        ),
        (["{gold}", "--methods", "keep-all", "--plot", "x.doc"], "--plot must end in one of"),
        # Told before the pages are read, not behind an hour of them.
        (["{damaged}", "--methods", "keep-all", "--plot", "{plot}"], "Is a directory"),
        (
            ["{damaged}", "--methods", "bte", "--compare", "bte,dsc", "--measures", "segments"],
            "--compare tests by a measure that is averaged over pages, got segments; give one",
        ),
        (["{gold}", "--methods", "a,b", "--proxy", "0"], "--proxy serves one method"),
        (["{gold}", "--methods", "magic", "--proxy", "0"], "--methods: unknown cleaning method"),
        (["{gold}", "--methods", "bte", "--proxy", "65536"], "--proxy must be 0 to 65535"),
        (["{gold}", "--methods", "peer/x", "--proxy", "0"], "--methods: unknown peer"),
        (
            ["{gold}", "--methods", "bte", "--limit", "1", "--compare", "bte,dsc"],
            "--compare takes sets",
        ),
        (
            ["{gold}", "--methods", "bte", "--measures", "text-nodes", "--plot", "{none}.png"],
            "--plot has",
        ),
        (["{gold}", "--methods", "keep-all", "--proxy", "x"], "--proxy is 'x'"),
        (["{gold}", "--methods", "keep-all", "--proxy", "0", "--limit", "3"], "--limit is not for"),
        (
            ["{gold}", "--methods", "keep-all", "--proxy", "0", "--json"],
            "--json is not for --proxy",
        ),
        (["{gold}", "--methods", "keep-all", "--without", "0,1,2"], "--without leaves no page of"),
        (["{part}", "--methods", "keep-all"], "is annotated whole; give pages without text nodes"),
        (["{gold}", "--magic"], "unknown option"),
    ],
)
def test_wrong_calls_are_one_line(standard, tmp_path, capsys, arguments, said):
    from crawler.commands.evaluate import Command

    empty = tmp_path / "empty"
    empty.mkdir()
    part = tmp_path / "part"
    part.mkdir()
    (part / "1.html").write_text("<p><kw class=krdwrd-tag-3-80>Good</kw><p>nobody looked at this")
    damaged = write_standard(tmp_path / "damaged")
    (damaged / "blogs" / "pages" / "0.html.gz").unlink()
    (tmp_path / "plot.png").mkdir()
    folders = {"empty": empty, "part": part, "damaged": damaged, "plot": tmp_path / "plot.png"}
    places = {"none": tmp_path / "none", "gold": standard, **folders}
    command = Command()
    parser = _parser(command)
    opts, args = parser.parse_known_args([one.format(**places) for one in arguments])
    command.run([*opts.args, *args], opts)
    assert command.exitcode == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("winnow: ")
    assert said in line


def _parser(command):
    """The parser that Scrapy makes, with the words that are no options apart."""
    import argparse

    from scrapy.settings import Settings

    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    parser.add_argument("args", nargs="*")
    return parser
