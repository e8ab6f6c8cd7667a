"""What is compiled before anything is timed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

SENTENCE = "The words of a long paragraph, as those of an article are, and in plain English. "
# Of an article with comments, and blocks of many purities.
WITH_COMMENTS = (
    f"<html lang=en><title>A page</title><article><h1>A page</h1>{f'<p>{SENTENCE * 5}' * 9}"
    + "".join(f"<table><tr><td>{'one word more ' * n}<td>{n}</table>" for n in range(1, 9))
    + "</article><ol id=comments>"
    + "".join(f"<div class=comment><p>{SENTENCE * n}</div>" for n in range(1, 5))
    + "</ol><ul><li><a href=/>Home</a></ul>"
)
WITH_COOKIES = (
    "<html lang=en><title>Cart</title><div class=consent><p>We use cookies to improve your experience, "
    "and those of our partners. You may change your preferences at any time.<p>Accept all</div>"
    "<p>Your cart is empty.</p>"
)
# In a process of its own: the kernels of this one have been called by other tests.
PROGRAM = """
import sys
from crawler.kernels.jit import used_kernels
from crawler.page import PageRules
from pipelines.boilerplate import registry
from pipelines.evaluation.harness.extraction import built_page, cleaned, warm_up

name, *sources = sys.argv[1:]
method = registry.get(name)
rules = PageRules(inline=method.inline)
warm_up(method, rules)
before = used_kernels()
for source in sources:
    assert cleaned(method, built_page(source.encode(), "http://a.example/", None, rules)).error is None
print(*sorted(used_kernels().keys() - before.keys()))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["winnow", "kfe"])  # some kernels of theirs run on few pages
def test_no_kernel_is_compiled_while_a_method_is_timed(name):
    call = [sys.executable, "-c", PROGRAM, name, WITH_COMMENTS, WITH_COOKIES]
    done = subprocess.run(call, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []
