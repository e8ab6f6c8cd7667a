"""Boxes of comments, notices on cookies and teasers: what they say of dates is not the page's own."""

from __future__ import annotations

import pytest

from tests.test_metadata_page import known

DAY = "2024-03-05"
HEAD = "<html lang=en><title>{}</title><h1>{}</h1>"
TEXT = "<p>" + "It rained all day in the hills and the wind blew from the sea. " * 3
NEAR, FAR = TEXT * 3, TEXT * 40
BOXES = [
    "<h3>1 Comment</h3><div class=comment><b>Bob</b><p>{} March 5, 2024<p>So it did.</div>",
    "<div id=comments><div><p>Bob<p>{} March 5, 2024 at 10:00<p>So it did.</div></div>",
    "<div class=comment-date>{} March 5, 2024</div>",
    "<div class='comment-meta commentmetadata'>{} March 5, 2024</div>",
    "<ol class=commentlist><li id=comment-12><cite>Bob</cite><div>{} March 5, 2024</div><p>So it did.</li></ol>",
    "<section id=disqus_thread><p>Bob {} <time datetime=2024-03-05>in March</time><p>So it did.</section>",
    "<div class=cookie-consent><p>We use cookies.<p>{} March 5, 2024</div>",
    "<aside class=related-posts><a href=/wind>On wind</a><p>{} March 5, 2024</aside>",
]


@pytest.mark.parametrize("says", ["Posted on", "Published", "Last updated:", ""])
@pytest.mark.parametrize("text", [NEAR, FAR], ids=["near", "far"])
@pytest.mark.parametrize("box", BOXES)
def test_a_box_of_something_else_does_not_date_the_page(box, text, says):
    """One comment below it dated a page that had no date."""
    head = HEAD.format("On rain", "On rain")
    found = known(head + text + box.format(says) + TEXT)
    assert (found.date, found.date_source) == (None, None)
    own = known(head + text + box.format(says) + TEXT + "<p>Last updated: March 6, 2024")
    assert (own.date, own.date_source) == ("2024-03-06", "modified")


HEADINGS = [
    *("3 Comments", "Comments (3)", "One Response to “On rain”", "Leave a comment", "Kommentare"),
    *("Related posts", "You may also like", "More from the hills"),
]


@pytest.mark.parametrize("heading", HEADINGS)
def test_what_was_published_below_such_a_heading_is_another(heading):
    head = HEAD.format("On rain", "On rain") + FAR + f"<h3>{heading}</h3>"
    assert known(f"{head}<p>Bob<p>Posted on March 5, 2024<p>So it did.").date is None
    # The foot of the page has no heading of its own.
    assert known(f"{head}<p>Bob<p>So it did.<p>Last updated: March 5, 2024").date == DAY


@pytest.mark.parametrize(
    "heading", ["Comments on the bill", "Response to the flood", "Related work in brief"]
)
def test_headings_of_the_text_itself_are_no_such(heading):
    head = HEAD.format("On rain", "On rain") + FAR
    assert known(f"{head}<h3>{heading}</h3><p>Text.<p>Published March 5, 2024").date == DAY


OWN = [
    "<div class='post comments-open'>{}</div>",
    "<div class='entry-meta comments-link'>{}</div>",
    "<div class='story date-and-comments'>{}</div>",
    "<div class=by-line-comments-views-date>{}</div>",
    "<div class=comments_datetime_new>{}</div>",
    "<article class='CommentPost Post'>{}</article>",
    "<article class='cPost ipsBox ipsComment ipsComment_parent'>{}</article>",
    "<div class='post tag-cookies category-related'>{}</div>",
    "<p><span class=comments>3</span> {}",
    "<!-- <div class=comments> -->{}",
    "<script>write('<div class=comments>')</script>{}",
    "<div class=comments>So it did.</div>{}",
]


@pytest.mark.parametrize("box", OWN)
def test_what_only_names_such_a_box_is_none(box):
    head = HEAD.format("On rain", "On rain") + FAR
    assert known(head + box.format("<p>Published March 5, 2024")).date == DAY


def test_a_box_of_most_words_or_of_the_title_is_what_the_page_is_for():
    said = "<p>Published March 5, 2024"
    assert (
        known(
            f"{HEAD.format('On rain', 'On rain')}<div class=related-content>{FAR}{said}</div>"
        ).date
        == DAY
    )
    framed = f"<div class=has-comments><h1>On rain</h1>{said}</div>{FAR}"
    assert known(f"<html lang=en><title>On rain</title>{framed}").date == DAY


@pytest.mark.parametrize(("title", "day"), [("Privacy Policy", DAY), ("On rain", None)])
def test_below_cookies_is_the_date_of_a_page_that_is_about_them(title, day):
    page = f"{HEAD.format(title, title)}{FAR}<div><p>We use cookies.<p>Last updated: March 5, 2024</div>"
    assert known(page).date == day


def test_pages_without_text_and_boxes_that_never_end():
    assert known("<div class=comments><time datetime=2024-03-05></time>").date is None
    assert (
        known(f"<h1>On rain</h1>{FAR}" + "<ul><li class=comment>Published 2024-03-05" * 500).date
        is None
    )
