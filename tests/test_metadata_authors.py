"""Authors of pages, and where they are named."""

from __future__ import annotations

import pytest

from crawler.page import PageRules, build_page
from pipelines.metadata import metadata
from tests.test_metadata_page import FETCHED, known, ld

AUTHORS = {
    ld('{"@type": "Article", "author": "Jane Doe"}'): ("Jane Doe", "json-ld"),
    ld('{"@type": ["Article"], "author": [{"name": "Jane Doe"}, {"name": ["John Roe"]}]}'): (
        "Jane Doe; John Roe",
        "json-ld",
    ),
    ld('{"@graph": [{"@type": "WebPage"}, {"@type": "BlogPosting", "author": {"@id": "#1"}}, '
       '{"@id": "#1", "@type": "Person", "name": "Jane Doe"}]}'): ("Jane Doe", "json-ld"),
    ld('{"@type": "BreadcrumbList"}') + ld('{"@type": "Article", "author": {"name": "Jane"}}'): (
        "Jane",
        "json-ld",
    ),
    ld('{"@type": "Article", "description": "a "b" c", "author": {"@type": "Person", "name": "Jo Doe"}}'): (
        "Jo Doe",
        "json-ld",
    ),
    ld('{"@type": "Article", "author": {"@type": "Person", "givenName": "Jane", "familyName": "Doe"}}'): (
        "Jane Doe",
        "json-ld",
    ),
    ld('{"@type": "WebPage", "creator": [{"name": "Jane Doe"}, "Ann Roe"]}'): ("Jane Doe; Ann Roe", "json-ld"),
    "<meta name=author content='By Jane Doe'><p>x": ("Jane Doe", "meta"),
    "<meta property=article:author content=https://social.example/jane>"
    "<meta name=dc.creator content='Jane Doe'><p>x": ("Jane Doe", "meta"),
    "<meta name=citation_author content='Doe, J.'><meta name=citation_author content='Roe, J.'>": (
        "Doe, J.; Roe, J.",
        "meta",
    ),
    **{
        f"<meta name={tag} content='Jane Doe'><meta name={tag} content='John Roe'>": ("Jane Doe; John Roe", "meta")
        for tag in ("author", "DC.Creator", "DCTERMS.creator", "DC.Contributor", "parsely-author")
    },
    # A value of several authors is divided; one of a firm or of a surname before a name is not.
    "<meta name=author content='Anna Meier, Ben Kurz und Cem Arp'>": (
        "Anna Meier; Ben Kurz; Cem Arp",
        "meta",
    ),
    ld('{"@type": "Article", "author": {"name": "By ANNA MEIER & BEN KURZ"}}'): (
        "ANNA MEIER; BEN KURZ",
        "json-ld",
    ),
    **{
        f"<meta name=author content='{name}'>": (name, "meta")
        for name in (
            *("Meier, Anna", "Meier, Anna Maria", "van Albada, M. E.", "Kurz & Meier", "José Ortega y Gasset"),
            *("Anna Meier, CFP", "Anna Meier, Ph.D.", "Meier Publishing, Inc.", "Anna Meier, Jr."),
            *("bergportal GmbH, digvis GmbH", "Anna Meier, From Masculindians", "Daily Mail Reporter"),
            *("Meier & Kurz, The Design Agency", "Meier, The Nurse", "Anna Meier, Reporter, Ben Kurz"),
        )
    },
    # A paper or post behind people is none of them.
    **{
        f"<meta name=author content='{names}'>": ("Anna Meier", "meta")
        for names in (
            *("Anna Meier, The Daily News", "Anna Meier | The Texas Newsroom", "Anna Meier, ABC News, New York"),
            *("Anna Meier, CNN Political Reporter", "Anna Meier Senior Political Correspondent"),
        )
    },
    "<meta name=author content='Anna Meier and Ben Stafford, The Commercial Appeal'>": (
        "Anna Meier; Ben Stafford",
        "meta",
    ),
    **{
        f"<h1>T</h1><p>By {line}": (names, "byline")
        for line, names in {
            "Anna Meier Political Correspondent": "Anna Meier",
            "Anna Meier, BBC News, New York": "Anna Meier",
            "Anna Meier, Ben Kurz, The Daily Post": "Anna Meier; Ben Kurz",
            "Anna Meier, Software Engineer": "Anna Meier",
            "Anna Meier, Ben Stafford": "Anna Meier; Ben Stafford",
            "Anna Meier in Berlin": "Anna Meier",
            "Press Association Reporter": "Press Association Reporter",
        }.items()
    },
    "<h1>T</h1><p class=author>By The Currency editors": (None, None),
    "<meta property=og:site_name content='Grain Notes'><h1>T</h1><p>By Jane Doe, Grain Notes": (
        "Jane Doe",
        "byline",
    ),
    "<meta name=dc.creator content='García Márquez, Gabriel José'>": (
        "García Márquez, Gabriel José",
        "meta",
    ),
    "<meta name=author content=admin><h1>T</h1><p class=byline>By <b>Jane Doe</b><p>x": (
        "Jane Doe",
        "microdata",
    ),
    "<h1>T</h1><a rel=author href=/jd>jane_d</a><p>text": ("jane_d", "microdata"),
    "<h1>T</h1><span itemprop=author><span itemprop=name>Jane Doe</span></span>": (
        "Jane Doe",
        "microdata",
    ),
    "<h1>T</h1><p>Von Jana Müller und Karl May | 1. Mai 2024<p>text": (
        "Jana Müller; Karl May",
        "byline",
    ),
    "<h1>标题</h1><p>作者：王小明<p>正文": ("王小明", "byline"),
    # The site is the author where no one else is.
    "<meta name=author content='The Daily'><h1>T</h1><p>By Jane Doe<p>x": ("Jane Doe", "byline"),
    "<meta name=author content='The Daily'><h1>T</h1><p>x": ("The Daily", "meta"),
    ld('{"@type": "Article", "author": {"@type": "Organization", "name": "The Daily"}}')
    + "<meta name=author content='Jane Doe'>": ("Jane Doe", "meta"),
    ld('{"@type": "Article", "author": {"@type": "Organization", "name": "The Daily"}}')
    + "<meta name=dc.creator content=jane_d><h1>T</h1><p>By Jane Doe": ("Jane Doe", "byline"),
    # Forums: an item whose name stands in a tag of its own, and attributes of posts, of which the first counts.
    # The name of a link to its author in a longer line, and links where names should stand.
    "<h1>T</h1><a rel=author>Jo Doe</a><a rel='author'>Al Roe</a>": ("Jo Doe; Al Roe", "microdata"),
    "<h1>T</h1><p>Posted on Monday by <a rel=author href=/j>Jane Doe</a> in Life<p>x": (
        "Jane Doe",
        "microdata",
    ),
    "<meta name=author content='&lt;a href=/j&gt;Jane Doe&lt;/a&gt;'><p>x": ("Jane Doe", "meta"),
    "<h1>T</h1><div itemprop=author itemscope><meta itemprop=name content=julian></div><p>text": (
        "julian",
        "microdata",
    ),
    "<h1>T</h1><div itemprop=author itemscope><a href=/j><span itemprop='name'>julian</span></a></div><p>x": (
        "julian",
        "microdata",
    ),
    "<h1>T</h1><article class=message data-author='Jane_D'><p>x</article><article data-author=Joe>": (
        "Jane_D",
        "microdata",
    ),
    # Boxes that touch.
    "<h1>T</h1><p>Veröffentlicht von<span class=author>Chris Jung</span><time>5. Mai": ("Chris Jung", "microdata"),
    "<h1>T</h1><p class=byline>By <a href=/j>Jane Doe</a><time>May 5": ("Jane Doe", "microdata"),
    "<h1>T</h1><p class=byline>By<a href=/j>Jane Doe</a> and John Roe": ("Jane Doe; John Roe", "microdata"),
    "<h1>T</h1><p>Geschrieben von Jana Müller": ("Jana Müller", "byline"),
    # Two people, of whom one has four names; with five it may be anything.
    "<meta name=author content='Jane Doe, Ana Maria Cruz Lima'><p>x": ("Jane Doe; Ana Maria Cruz Lima", "meta"),
    "<meta name=author content='Jane Doe, Ana Maria Cruz Lima Paz'><p>x": (
        "Jane Doe, Ana Maria Cruz Lima Paz",
        "meta",
    ),
    # A box whose class names the author, and that begins with the title.
    "<title>Nokia Belle Refresh Two</title><div class='post author-admin'><h3>Nokia Belle Refresh Two</h3><p>By Jane Doe": (
        "Jane Doe",
        "byline",
    ),
    # Beside the date in a line, as WordPress writes it.
    "<h1>T</h1><p><a>March 5, 2024</a><span class=byline> by <span class='author vcard'><a class=fn>Jane Doe</a></span></span>": (
        "Jane Doe",
        "microdata",
    ),
    # Scripts without capital letters, where the markup says that it is a name.
    "<h1>T</h1><span itemprop=author>דנה כהן</span>": ("דנה כהן", "microdata"),
    "<h1>T</h1><a rel=author href=/a>أحمد علي</a>": ("أحمد علي", "microdata"),
    "<h1>T</h1><p class=author-posts>عن الكاتب": (None, None),
    # RDFa.
    "<h1>T</h1><i property=author typeof=Person>by <i property=name>Jane Doe</i></i>": ("Jane Doe", "microdata"),
    "<h1>T</h1><i rel='schema:author'><i property='schema:name'>jane_d</i></i> wrote on Monday": (
        "jane_d",
        "microdata",
    ),
    "<h1>T</h1><meta property=book:author content='Jane Doe'><p>x": (None, None),
    # An element without text: what stands behind it is another's.
    "<link rel=author href=/humans.txt><p>Main Menu<h1>T</h1><p>x": (None, None),
    "<h1>T</h1><a rel=author href=/j><img src=j.png></a><h2>Latest News</h2>": (None, None),
    "<article><h1>T</h1><p class=author itemprop=author></p><div><p>Frankfurt/Main (dpa) - Rain": (None, None),
    "<h1>T</h1><div class=author><div><img></div><div>Jane Doe</div></div>": ("Jane Doe", "microdata"),
    # The label of a date behind the name, and signs around it.
    "<h1>T</h1><p>Autor: Anna Nowak. Data publikacji Śro 5 stycznia 2022": ("Anna Nowak", "byline"),
    "<h1>T</h1><p>Por Ana Paz Fecha de publicación 5/1/2022": ("Ana Paz", "byline"),
    "<h1>T</h1><i class=author>/ Jane Doe ~</i>": ("Jane Doe", "microdata"),
    # What programs write, and the numbers of accounts.
    "<meta name=author content='Super User'><h1>T</h1><p>x": (None, None),
    "<meta name=author content='Discuz! Team and Comsenz UI Team'><meta name=byl content='WinNT://a/b'>": (None, None),
    "<meta name=author content=1392><h1>T</h1><p>By Jane Doe": ("Jane Doe", "byline"),
    # What somebody does at a site is no name, in a byline neither; with that of a site or a person it is one.
    **{
        f"<meta name=author content='{role}'><h1>T</h1><p>x": (None, None)
        for role in (
            *("Staff", "STAFF WRITER", "By Staff Reporter", "Editor", "The Editor", "webmaster", "Guest Author"),
            *("Site Admin", "Gastautor", "Redactor", "Автор", "小编", "匿名", "Administrador", "Unbekannt"),
        )
    },
    "<h1>T</h1><p>By Staff Writer<p>x": (None, None),
    "<meta name=author content=Editor><h1>T</h1><p>By Jane Doe": ("Jane Doe", "byline"),
    "<meta name=author content=Editor><meta name=dc.creator content='Jane Doe'>": ("Jane Doe", "meta"),
    ld('{"@type": "Article", "author": [{"name": "Jane Doe"}, {"name": "Staff"}]}'): ("Jane Doe", "json-ld"),
    "<meta name=author content='The Daily Staff'><h1>T</h1>": ("The Daily Staff", "meta"),
    "<meta name=author content='Jane Staff'><h1>T</h1>": ("Jane Staff", "meta"),
    # The editors of a site are its author where nobody is named.
    "<meta name=author content=Redaktion><h1>T</h1><p>x": ("Redaktion", "meta"),
    "<meta name=author content=Redaktion><h1>T</h1><p>Von Jana Müller": ("Jana Müller", "byline"),
    "<meta name=author content='La rédaction'><meta name=dc.creator content='Jane Doe'>": ("Jane Doe", "meta"),
    ld('{"@type": "Article", "author": ["Jane Doe", "Redaktion"]}'): ("Jane Doe; Redaktion", "json-ld"),
    "<h1>T</h1><i class='byline author'>von Redaktion, </i><time>5. Mai": ("Redaktion", "microdata"),
    "<h1>T</h1><p>Por Redacción<p>x": ("Redacción", "byline"),
    # Cards that WordPress writes.
    **{
        f"<meta name='twitter:label1' content='{label}'><meta name='twitter:data1' content='Jane Doe'><p>x": (
            "Jane Doe",
            "meta",
        )
        for label in ("Written by", "Verfasst von", "Écrit par", "Escrito por", "Autor", "作者", "Napisane przez")
    },
    "<meta name='twitter:label2' content='Written by'><meta name='twitter:data2' content='By jane_d'><p>x": (
        "jane_d",
        "meta",
    ),
    "<meta name='twitter:label1' content='Brand'><meta name='twitter:data1' content='Jane Doe'><p>x": (None, None),
    "<meta name='twitter:label1' content='Written by'><meta name='twitter:data1' content=admin><p>x": (None, None),
    "<meta name='twitter:label1' content='Written by'><meta name='twitter:data2' content='Jane Doe'><p>x": (
        None,
        None,
    ),
    **{
        f"<h1>T</h1><p>{by} Jane Doe": ("Jane Doe", "byline")
        for by in ("Text by", "Eingestellt von", "Postado por", "Publicada por", "Gepost door", "Ditulis oleh")
    },
    # A link to the page of its author, where no tag says so; an attribute before the one that does.
    "<h1>T</h1><p><a href=/authors/jane-doe>Jane Doe</a><p>x": ("Jane Doe", "microdata"),
    "<h1>T</h1><p>12 March <a href='https://daily.example/author/jd/'>Jane Doe</a><p>x": ("Jane Doe", "microdata"),
    "<h1>T</h1><p><a href=/author/jd>Jane Doe</a><p class=byline>By John Roe": ("John Roe", "microdata"),
    "<h1>T</h1><p><a href=/authors>Our Authors</a><a href=/author/?id=1>Jane Doe</a><p>x": (None, None),
    "<h1>T</h1><p><a href=/author/jd><img src=j.png></a><p>Jane Doe": (None, None),
    "<h1>T</h1><p>In those days it was <a href=/author/jd>Jane Doe</a> who told us that rain would come": (None, None),
    "<h1>T</h1><i data-watch=author class=author-name data-is=author>Jane Doe</i>": ("Jane Doe", "microdata"),
    # The account of who published gives way to a full name, but in talks, and not to another account.
    ld('{"@type": "Article", "author": "KatieS"}') + "<h1>T</h1><p>By Jane Doe": ("Jane Doe", "byline"),
    ld('{"@type": "Article", "author": "KatieS"}') + "<h1>T</h1><a rel=author>jane</a>": ("KatieS", "json-ld"),
    ld('{"@type": "DiscussionForumPosting", "author": "KatieS"}') + "<h1>T</h1><p>By Jane Doe": ("KatieS", "json-ld"),
    # What scripts ask for, and who gave a picture.
    "<h1>T</h1><a data-author='true' href=/j>jane</a><p>x": (None, None),
    "<h1>标题</h1><span id=author class=author>圖／聯合報提供</span><p>正文": (None, None),
    "<h1>T</h1><article data-author='12'><p>x</article><article data-author='Joe'>": (None, None),
    "<h1>T</h1><div data-author-username='Jane D'><p>By John Roe": ("John Roe", "byline"),
    "<h1>T</h1><p>By the way<p>text": (None, None),
    "<p>author": (None, None),
    # Who reviews a product did not write its page.
    "<h1>T</h1><p>text<div itemprop=review itemscope><i itemprop=reviewRating itemscope></i><meta itemprop=author content=guitar_00>": (
        None,
        None,
    ),
    "<h1>T</h1><div itemprop='reviews' itemscope><span itemprop=author>Jane Doe</span></div>": (None, None),
    "<meta itemprop=author content='Jane Doe'><h1>T</h1><div itemprop=review><meta itemprop=author content=joe>": (
        "Jane Doe",
        "meta",
    ),
    "<div itemscope itemtype=//schema.org/Review><h1>T</h1><i itemprop=author>Jane Doe</i><i itemprop=reviewRating>": (
        "Jane Doe",
        "microdata",
    ),
    "<meta property=og:type content=product><h1>T</h1><cite class=featured-review_author>Ash C.</cite>": (None, None),
    "<meta property=og:type content=article><h1>T</h1><cite class=review-author>Jane Doe</cite>": (
        "Jane Doe",
        "microdata",
    ),
    ld('{"@type": "Product", "name": "Desk", "review": {"@type": "Review", "author": {"name": "Jane Doe"}}}'): (None, None),
    ld('[{"@type": "Product", "name": "Desk"}, {"@type": "Review", "author": "Jane"}, {"@type": "Review", "author": "Joe"}]'): (
        None,
        None,
    ),
    ld('{"@type": "Review", "author": "Jane Doe", "itemReviewed": {"@type": "Product", "name": "Desk"}}'): (
        "Jane Doe",
        "json-ld",
    ),
    ld('{"@type": "Product", "name": "a "b" c", "review": {"author": {"name": "Jane Doe"}}}'): (None, None),
}  # fmt: skip


@pytest.mark.parametrize("source", AUTHORS)
def test_author(source):
    found = known(source)
    assert (found.author, found.author_source) == AUTHORS[source]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        # As phpBB writes it; without "by" a single word of a line may be any.
        ("by <strong><a class=username>jane_d</a></strong> &raquo; Tue Mar 05, 2024", "jane_d"),
        (
            "<a href=#1><i>Post</i></a> <i>by <b><a class=username>jane_d</a></b> &raquo; </i><time>5 March",
            "jane_d",
        ),
        ("in the hills <b>jane_d</b>", None),
        ("by<p>jane_d", None),
    ],
)
def test_one_word_behind_by_in_its_line_is_a_name(line, name):
    source = f"<h1>T</h1><p class=author>{line}<p>text".encode()
    rules = PageRules(inline="phrasing")
    page = build_page(source, url="http://a.test/", content_type="text/html", rules=rules)
    assert metadata(page, fetched_at=FETCHED).author == name
