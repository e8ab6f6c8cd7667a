"""A small gold standard in the uniform layout, for the tests of what reads one."""

from __future__ import annotations

import gzip
import json

SENTENCE = "The main text of page {n} is made of whole sentences, each long enough to be kept. "
MENU = "<ul><li><a href=/>Home</a></li><li><a href=/news>All news</a></li></ul>"


def article(n: int) -> str:
    """The gold text of page *n*."""
    return "\n".join([f"Title of page {n}", (SENTENCE.format(n=n) * 3).strip()] * 2)


def page(n: int) -> bytes:
    """Page *n*: a menu, the article, a notice."""
    title, text = article(n).split("\n")[:2]
    body = f"<h1>{title}</h1><p>{text}</p>" * 2
    html = f"<html lang=en><title>{title}</title>{MENU}{body}<p><a href=/imprint>Imprint</a></p>"
    return html.encode()


def write_standard(folder, sets=(("news", 3), ("blogs", 2))):
    """Write the sets, (name, number of pages) each, to *folder*; return it."""
    for name, n_pages in sets:
        pages, gold = folder / name / "pages", folder / name / "gold"
        pages.mkdir(parents=True)
        gold.mkdir()
        rows = []
        for n in range(n_pages):
            (pages / f"{n}.html.gz").write_bytes(gzip.compress(page(n), mtime=0))
            (gold / f"{n}.txt").write_text(article(n), encoding="utf-8")
            url = f"http://{name}.sample/page/{n}"
            rows.append(json.dumps({"id": str(n), "url": url, "lang": "en"}))
        (folder / name / "manifest.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return folder
