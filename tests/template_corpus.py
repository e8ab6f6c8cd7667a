"""A small corpus under a menu, the answers it was made of, and removals of templates that are killed."""

from __future__ import annotations

import os
import random
import signal

from crawler.durable.journal import Journal
from crawler.page import PageLimits, PageRules
from crawler.ranking.corpus.answers import MadeBy, StoredPage
from pipelines.jobs.stored_answers import PageMaker
from pipelines.jobs.templates.detector_of import detector_of
from pipelines.jobs.templates.remove import RemovalOptions, remove_templates
from tests.toy_duplicates import made_text

MENU = ["start page of the site", "all the news of this day"]
END = ["nobody else may print what is said here"]


def made_site():
    """URL -> blocks: ten pages of a.com under a menu, five of its shop, two of b.com, one nothing but template."""
    rng = random.Random(7)
    pages = {f"http://www.a.com/{n}": [*MENU, *made_text(rng), *END] for n in range(10)}
    pages |= {f"http://shop.a.com/{n}": [*MENU, *made_text(rng)] for n in range(5)}
    pages |= {f"http://b.com/{n}": [*MENU, *made_text(rng)] for n in range(2)}
    pages["http://www.a.com/none"] = [*MENU, *END]
    return pages


class Stored:
    """Answers in memory, with *links*, URL -> targets; *changed* are ends of URLs whose answer is another one by
    now.
    """

    def __init__(self, pages, links=None, **changed):
        self.pages = list(pages.items())
        self.links = links or {}
        self.changed = changed

    def urls(self):
        for url, _ in self.pages:
            yield url, 1.0

    def page(self, place):
        url, blocks = self.pages[place]
        body = "".join(f"<p>{block}</p>" for block in blocks)
        body += "".join(f"<a href={target}></a>" for target in self.links.get(url, ()))
        body = body.encode()
        body = self.changed.get(url.rpartition("/")[2], body)
        kind = "image/png" if body == b"image" else "text/html"
        return None if body == b"gone" else StoredPage(url, 1.0, kind, body or None)


def maker(stored):
    return PageMaker(stored, MadeBy(PageLimits(), PageRules()))


def removal(method="document-frequency", *options, **others):
    return RemovalOptions(method, detector_of(method, options), **others)


def killed_at(step, folder, output):
    """Remove templates in a process that kills itself at *step* of a journal."""

    def on_step(name):
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    init = Journal.__init__
    Journal.__init__ = lambda self, path, **others: init(
        self, path, **{**others, "on_step": on_step}
    )
    remove_templates(folder, maker(Stored(made_site())), removal(), output=output)
