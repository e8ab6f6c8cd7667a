"""A tiny corpus in which boilerplate misleads a search: pages whose menus have the headlines of all others."""

from __future__ import annotations

from crawler.page import build_page
from pipelines.boilerplate.minimum_words import MinimumWords
from pipelines.retrieval.block_index import IndexedPage

# Each page is about one thing; its list of links has the headlines of all others.
STORIES = {
    "flood": "After three days of rain the river left its bed and the flood reached the old market "
    "hall, where helpers had piled up sand since Monday.",
    "election": "Voters sent the mayor home: with two votes in three the election went to the "
    "teacher, who wants to open the town hall on Saturdays again.",
    "football": "The goalkeeper held what there was to hold, but a football club without a single "
    "shot at the goal of the others does not stay in the league.",
    "comet": "Whoever gets up before six can see the comet low in the east, with the naked eye and "
    "best of all from the hill behind the railway station.",
}


def html(name, story):
    links = "".join(
        f"<li><a href=/{other}>{other.title()} {other}: all about the {other}</a>"
        for other in STORIES
        if other != name
    )
    return f"<title>{name}</title><body><ul>{links}</ul><p>{story}</p><p>by our staff</p></body>"


def indexed_page(name, page, method) -> IndexedPage:
    """*page* as the index takes it, labelled by *method*."""
    blocks, kept = page.blocks, method.label(page).kept
    columns = (blocks.n_words, blocks.text_density, kept)
    return IndexedPage(name, blocks.text, *(column.tolist() for column in columns))


def story_pages() -> list[IndexedPage]:
    models = {
        name: build_page(html(name, story).encode(), url="http://a.example/", content_type=None)
        for name, story in STORIES.items()
    }
    cleaner = MinimumWords()
    return [indexed_page(name, page, cleaner) for name, page in models.items()]
