"""Rules, pages and a folder of work for tests of ``scrapy gold``."""

from __future__ import annotations

import gzip

from pipelines.evaluation.readers import open_dataset
from tests.gold_standard import MENU, SENTENCE
from tests.graph_commands import complete_command

RULES = """
format = "winnow-gold-rules"
version = 1
[site.news]
hosts = ["news.sample"]
language = "en"
type = "news"
parts = [{ name = "title", tag = "h1" }, { name = "body", comments = ["text", "/text"] }]
exclude = [{ class = "ad" }]
[site.blog]
hosts = ["blog.sample", "a.sample"]
parts = [{ name = "post", tag = "div", class = "post" }]
"""
TYPE = "Content-Type: text/html; charset=utf-8"


def news(n):
    """A page of news.sample, and its gold text."""
    said = SENTENCE.format(n=n).strip()
    text = f"<p>{said}</p><p class=ad>buy</p><p>Ünd {said}</p>"
    page = f"<html>{MENU}<h1>News {n}</h1><!-- text -->{text}<!-- /text --><p>imprint"
    return page.encode(), f"News {n}\n{said}\nÜnd {said}"


def blog(n):
    said = SENTENCE.format(n=n).strip()
    return f"<html>{MENU}<div class=post>{said}</div>".encode(), said


def gold_work(tmp_path):
    """A folder with rules and saved pages, and what runs the command there: exit code, output, errors."""
    (tmp_path / "rules.toml").write_text(RULES, encoding="utf-8")
    pages = tmp_path / "pages"
    (pages / "in").mkdir(parents=True)
    saved = b"<!-- saved from url=(0020)http://news.sample/%d -->\n"
    for n in range(3):
        (pages / f"n{n}.html").write_bytes(saved % n + news(n)[0])
    (pages / "in" / "b.htm.gz").write_bytes(
        gzip.compress(b"<!-- saved from url=(21)http://www.blog.sample/ -->" + blog(7)[0])
    )
    (pages / "broken.html").write_bytes((saved % 9 + news(9)[0]).replace(b"<!-- /text -->", b""))
    (pages / "other.html").write_bytes(b"<!-- saved from url=(9)http://x.sample/ --><p>x")
    (pages / "none.html").write_bytes(b"<p>x")

    def run(*arguments):
        words = [str(tmp_path / word[1:]) if word.startswith("@") else word for word in arguments]
        done = complete_command("gold", *words)
        return done.code, done.out, done.errors.replace(f"{tmp_path}/", "@")

    run.folder = tmp_path
    return run


def make(work, *options):
    assert work("make", "@p.zip", "@pages", "--rules", "@rules.toml", *options)[0] == 0
    return work.folder / "p.zip"


def golds(path):
    return {page.page_id: page.gold for page in open_dataset(path)}
