"""Where the comments stand on pages whose gold text leaves them out, as a reader marked them.

All pages of the sets in ``COMMENT_CLASSES`` that have places for comments were read. One that is not named, and whose
gold text has none of these places, has no comments: what stands there are forms and notices ("Your email address will
not be published"), lists of the latest comments elsewhere, or something else of such a name. What belongs to a comment
is its text, not who wrote it and when, as in KrdWrd's gold standard; reviews of products are comments, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel
    from pipelines.evaluation.gold import GoldPage

# By set and page: a class that the elements have which hold the text of comments.
COMMENT_CLASSES = {
    "krdwrd-canola": {
        "729": "comment-content",
    },
    "magichtml-article": {
        "1b929fec5b591f3870c961d4f7e01609c48bf9b67605fab26216c21a0f1de10e": "txt",
        "5c427eeeb30fce808c9d4c89ffe85b0c96c79e326c9a2ce139bc4fefd698f9b3": "comment-content",
        "631e7829b8fb596a2246ad0a56077720dc1674ae55a906b8d19d525cd1707c04": "comment-text__block-Il",
        "665b6857803ab81b73da628c35cf544684ace5d3112eccd181b130dbc1070b98": "txt",
        "6a096b630c676dd12a0d3d8b6c5c6cb3cf18371d5f8b5b23181a7e7f63b09d10": "uopin",
        "84fc492060f77163e1d1ba54e2fafafb81f6ca777848a034da78305736e3397f": "content",
        "97a2a5818ca17b036363f57674f442867ba73d941a8b436456c8cc528d161aee": "index_content_txt_YaEn7",
        "c4053203f04f40ae3bbfb3bce50a390b3b28812e927067cc82bbdd4a2a319609": "comment__content",
        "d98d4324d257abcd18ed4cc55d04b9030b71f3941d1606d7693309910ef97c54": "uopin",
    },
    "wcxb-dev": {
        "0007": "comment-text",
        "0035": "comment_text",
        "0329": "wpd-comment-text",
        "0363": "comment-content",
        "0472": "comment-body",
        "0474": "comment-body",
        "0479": "comment-content",
        "0483": "comment-content",
        "0581": "review-body_content___qIss",
        "2218": "ast-comment-content",
    },
    "zh-immortal": {
        "064b591b-3cac-4a08-88d0-41c193a2350d": "bkwzp3",
        "35687fb1-3d1f-46ac-a1c1-30ae027b2ae4": "commentlist",
    },
}


def marked_comments(gold: GoldPage, page: PageModel) -> npt.NDArray[np.bool_] | None:
    """Return which blocks of *page*, the model of *gold*, were marked as comments, bool[n].

    None where the page was not read for them.
    """
    pages = COMMENT_CLASSES.get(gold.dataset)
    if pages is None:
        return None
    marked = np.zeros(len(page.blocks), np.bool_)
    name = pages.get(gold.page_id)
    if name is not None:
        for element in page.tree.elements:
            if name in element.get("class", "").split():
                marked[page.tree.blocks_of(element)] = True
    return marked
