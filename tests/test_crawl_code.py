"""Code in a crawl: its lines are stored, and what is decided over a text does not ask for them."""

from __future__ import annotations

from pipelines.corpus.corpus import Corpus
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, reply, served_bytes
from tests.test_crawl_trouble import command

TOLD = (
    "This is how the loop is written that asks for all of the numbers, and what it does when somebody "
    "runs it on a machine of his own, which is no secret to anybody."
)
LOOP = "for number in range(10):\n    if number > 3:\n\n        print(number, 'of', 10)\n" + (
    "    pass\n" * 40
)
ENDS = "It prints the numbers above three one after the other and then it ends by itself, as it should."


def article(code):
    return reply(f"<h1>Loops</h1><p>{TOLD}</p>{code}<p>{ENDS}</p>".encode(), HTML)


def test_code_keeps_its_lines(tmp_path):
    answers = {
        "code/": article(f"<pre><code>{LOOP}</code></pre>"),
        # The same words: the same text.
        "copy/": article(f"<pre>{' '.join(LOOP.split())}</pre>"),
    }
    with served_bytes(tmp_path, Hostile(answers)):
        done = run_scrapy(*command(tmp_path, "CLEAN_METHOD=keep-all"))
    assert done.returncode == 0, done.stderr
    corpus = Corpus.open(tmp_path / "corpus")
    (row,) = corpus.documents()
    expected = LOOP.rstrip() if row["host"] == "code.sample" else " ".join(LOOP.split())
    assert row["text"] == (f"Loops\n{TOLD}\n{expected}\n{ENDS}")
    assert expected in [block["text"] for block in row["blocks"] if block["kind"] == "code"]
    (copy,) = corpus.rejected()
    assert (copy["reason"], copy["duplicate_of"]) == ("duplicate", row["url"])
    assert copy["digest"] == row["digest"]
