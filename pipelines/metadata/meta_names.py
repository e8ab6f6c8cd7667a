"""The names of ``meta`` tags that are read, in the order of their worth, and tables of them for a kernel.

Shapes: ``LETTERS: uint8[bytes]``, the names of ``NAMES`` one after the other, which are in the order of their
lengths; ``STARTS: int64[n + 1]``, where each begins; ``OF_SIZE: int64[MAX_BYTES + 2]``, the number of
the first that has as many bytes, or more.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

# Longer ones are cut, and known names are all shorter.
MAX_BYTES = 60

TITLE = (
    "og:title",
    "twitter:title",
    "citation_title",
    "dc.title",
    "dcterms.title",
    "parsely-title",
)
AUTHOR = (
    *(
        "author",
        "article:author",
        "citation_author",
        "dc.creator",
        "dcterms.creator",
        "dc.contributor",
    ),
    *("parsely-author", "sailthru.author", "byl", "article:author_name", "cxenseparse:author"),
    *("og:article:author", "twitter:data1_author", "rbauthors", "shareaholic:article_author_name"),
)
# Whose values are of one author each, the surname first: Highwire's tags and Dublin Core.
AUTHOR_OF_LIBRARY = frozenset(
    {"citation_author", "dc.creator", "dcterms.creator", "dc.contributor"}
)
# Twitter's cards say in pairs what they like; WordPress, by Yoast's plug-in, who wrote a post.
CARDS = (("twitter:label1", "twitter:data1"), ("twitter:label2", "twitter:data2"))
DATE = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished"),
    *(
        "article:published",
        "published_time",
        "published",
        "citation_publication_date",
        "citation_date",
    ),
    *(
        "citation_online_date",
        "dc.date.issued",
        "dcterms.issued",
        "dc.date.created",
        "dcterms.created",
    ),
    *("parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime", "rnews:datepublished"),
    *(
        "pubdate",
        "publishdate",
        "publish-date",
        "publish_date",
        "published-date",
        "publication_date",
    ),
    *(
        "publication-date",
        "pub_date",
        "ptime",
        "displaydate",
        "originalpublicationdate",
        "date_published",
    ),
    *(
        "article.published",
        "article.created",
        "dc.date",
        "dcterms.date",
        "date",
        "datecreated",
        "created",
    ),
)
CHANGE = (
    *("article:modified_time", "og:article:modified_time", "og:updated_time", "article:modified"),
    *("datemodified", "dcterms.modified", "dc.date.modified", "date_modified", "modified"),
)
DESCRIPTION = (
    *(
        "description",
        "og:description",
        "twitter:description",
        "dc.description",
        "dcterms.description",
    ),
)
SITE_NAME = ("og:site_name", "application-name", "citation_journal_title", "dc.publisher")
PAGE_TYPE = ("og:type",)
NAMES = tuple(
    sorted(
        {*TITLE, *AUTHOR, *chain(*CARDS), *DATE, *CHANGE, *DESCRIPTION, *SITE_NAME, *PAGE_TYPE},
        key=lambda name: (len(name), name),
    )
)
_SIZES = np.array([len(name) for name in NAMES], dtype=np.int64)
LETTERS = np.frombuffer("".join(NAMES).encode("ascii"), dtype=np.uint8)
STARTS = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(_SIZES)))
OF_SIZE = np.searchsorted(_SIZES, np.arange(MAX_BYTES + 2)).astype(np.int64)
