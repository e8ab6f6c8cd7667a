"""One page through one subject: its text, and the CPU seconds.

The text of a method is that of the blocks that it keeps, one a line. Its time is that of the page
model by its rules, of its labels and of that text, from the bytes on; that of a peer is its call, from
the decoded text on. The page model is built once a page and rules and its time counted to each
method; what a method has it make besides (the tree, resolved links) is made, and counted, for each
method anew. What either raises is an empty extraction that bears the name of the exception.
"""

from __future__ import annotations

import copy
import time
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from crawler.page import PageRules, build_page
from pipelines.boilerplate.reasons import Reasons
from pipelines.evaluation.harness.isolation import Extraction
from pipelines.evaluation.harness.specs import OWN
from pipelines.evaluation.measures.cleaneval import mark_of, marked
from pipelines.evaluation.peers import PeerPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from crawler.page import PageModel
    from pipelines.boilerplate.labels import Cleaner
    from pipelines.evaluation.harness.isolation import ServedPage, SourcePage
    from pipelines.evaluation.harness.specs import Subject

# Compiles the kernels, and has packages load what they load late, before anything is timed.
WARM_UP = PeerPage(
    "<html lang=en><title>A page</title><body><h1>A page</h1>"
    + "<p>The words of a paragraph that is as long as one of an article, and in plain English.</p>"
    * 9
    + "<ul><li><a href=/>Home</a></ul></body></html>",
    "http://page.invalid/",
    "en",
)
# What few pages have, and some kernels are for alone: comments, tables of many sizes, a notice of cookies.
_SENTENCE = "Words of a paragraph that is as long as one of an article, and in plain English. "
_WITH_COMMENTS = (
    f"<html lang=en><title>A page</title><article><h1>A page</h1>{f'<p>{_SENTENCE * 5}' * 9}"
    + "".join(f"<table><tr><td>{'a word or two ' * n}<td>{n}</table>" for n in range(1, 9))
    + f"</article><ol id=comments>{f'<li class=comment><p>{_SENTENCE}' * 4}</ol>"
)
_WITH_COOKIES = (
    "<html lang=en><title>A cart</title><div class=consent><p>We use cookies to improve your experience. "
    "You may change your preferences at any time.<p>Accept all</div><p>Your cart is empty.</p>"
)
# And encodings that the page does not declare, each of which takes other kernels.
WARM_UP_BODIES = (
    _WITH_COMMENTS.encode(),
    _WITH_COOKIES.encode(),
    WARM_UP.html.encode(),
    WARM_UP.html.replace("words", "w\xf6rter &amp; &eacute;").encode("cp1252"),
    WARM_UP.html.replace("words", "数据科学，很好").encode("gb18030"),
    WARM_UP.html.replace("words", "数据科学 <b class=x>naïve</b>").encode(),
)

# The error of a method that gives more or fewer labels than there are blocks.
_WRONG_LENGTH = "WrongNumberOfLabels"


class BuiltPage(NamedTuple):
    """A page model that no method has worked on, and the CPU seconds that it took."""

    model: PageModel
    secs: float


def built_page(body: bytes, url: str, content_type: str | None, rules: PageRules) -> BuiltPage:
    """Build the page model of *body*."""
    start = time.process_time()
    model = build_page(body, url=url, content_type=content_type, rules=rules)
    return BuiltPage(model, time.process_time() - start)


def cleaned(cleaner: Cleaner, page: BuiltPage) -> Extraction:
    """Return what *cleaner* keeps of *page*."""
    model = page.model
    # Neither a part made for one method nor one written by it is there for the next.
    fresh = copy.copy(model)
    fresh.blocks = copy.copy(model.blocks)
    start = time.process_time()
    try:
        kept = cleaner.label(fresh).kept.tolist()
        text, error = "\n".join(compress(model.blocks.text, kept)), None
        if len(kept) != len(model.blocks):
            text, error = "", _WRONG_LENGTH
    except Exception as raised:  # noqa: BLE001  # a method's failure is a score, and named
        text, error = "", type(raised).__name__
    secs = page.secs + time.process_time() - start
    return Extraction(text, secs, error, marked=_marked(model, kept) if text else "")


def judged(cleaner: Cleaner, page: SourcePage) -> Extraction:
    """Return what *cleaner* says of the blocks of *page*, and why, in what can be sent."""
    start = time.process_time()
    try:
        model = page.build()
        labels = cleaner.label(model)
        reasons = getattr(cleaner, "reasons", None)
        why = None if reasons is None else reasons(model)
    except Exception as raised:  # noqa: BLE001  # as above
        return Extraction("", time.process_time() - start, type(raised).__name__)
    told = None if why is None else Reasons(list(why.page), list(why.blocks))
    secs, kept = time.process_time() - start, labels.kept.astype("u1").tobytes()
    return Extraction("", secs, kept=kept, names=list(labels.label), reasons=told)


def _marked(model: PageModel, kept: list[bool]) -> str:
    """Return the kept blocks of *model* with marks for paragraphs, headings and items."""
    blocks = compress(zip(model.blocks.kind, model.blocks.text, strict=True), kept)
    return marked((mark_of(kind), text) for kind, text in blocks)


def run_method(subject: Subject, cleaner: Cleaner) -> Callable[[ServedPage], Extraction]:
    """Return *cleaner*, which is *subject*, a method, as what runs it from a page's bytes on."""

    def run(page: ServedPage) -> Extraction:
        rules = subject.rules(page.hidden)
        return cleaned(cleaner, built_page(page.body, page.peer_page.url, page.content_type, rules))

    warm_up(cleaner, subject.rules(OWN))
    return run


def warm_up(cleaner: Cleaner, rules: PageRules) -> None:
    """Run *cleaner* untimed, so that what is compiled or loaded late is there."""
    for body in WARM_UP_BODIES:
        cleaned(cleaner, built_page(body, WARM_UP.url, None, rules))


def run_peer(subject: Subject) -> Callable[[ServedPage], Extraction]:
    """Return *subject*, a peer, as what runs it."""
    extract = subject.extractor()

    def run(page: PeerPage) -> Extraction:
        start = time.process_time()
        try:
            text, error = extract(page), None
        except Exception as raised:  # noqa: BLE001  # packages raise anything at pages of the web
            text, error = "", type(raised).__name__
        return Extraction(text, time.process_time() - start, error)

    run(WARM_UP)
    return lambda page: run(page.peer_page)
