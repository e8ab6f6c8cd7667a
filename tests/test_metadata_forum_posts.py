"""The authors of threads in the markup of several programs, and names in it that are no author's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.page import build_page
from pipelines.metadata import metadata
from pipelines.metadata.forum_posts import first_poster

POSTS = {
    "phpBB": "<dt><a href='./memberlist.php?u=7' class='username'>{}</a></dt>",
    "phpBB with a colour": "<a style='color:#A00' class=\"username-coloured\">{}</a>",
    "vBulletin": "<a class='bigusername' href='member.php?u=7'>{}</a>",
    "FluxBB": "<div class='postleft'><dl><dt><strong>{}</strong></dt>",
    "MyBB": "<div class='author_information'><strong><span class='largetext'><a href='/user-7.html'>{}</a>",
    "Flarum": "<div class='PostUser'><h3 class='PostUser-name'>{}</h3>",
}
THREAD = "http://a.test/t/1"
TEXT = "<p>Has anybody seen the rain that fell on the hills last night, and filled the lakes?</p>"


@pytest.mark.parametrize("post", POSTS.values(), ids=POSTS)
def test_the_first_post_names_the_author(post):
    posts = "".join(f"{post.format(name)}{TEXT}" for name in ("jane77", "Bo"))
    source = f"<title>Rain in the hills</title><h2>Rain in the hills</h2>{posts}"
    page = build_page(source.encode(), url=THREAD, content_type=None)
    found = metadata(page, fetched_at=datetime(2024, 5, 1, tzinfo=UTC))
    assert (found.author, found.author_source) == ("jane77", "microdata")


@pytest.mark.parametrize(
    "source",
    [
        "<label class='username'>jane77</label>",
        "<b class='username'>Username:</b>",
        "<p>username: jane77</p>",
        "<b id='username'>jane77</b>",
        "<b class='username'><i></i></b>jane77",
        """<script>html = "<b class='username'>" + name + "</b>"</script>""",
        "<!-- <b class='username'>jane77</b> -->",
        "<b class='username'",
        "<b class=username",
        "username",
        "",
    ],
)
def test_no_post_no_author(source):
    assert first_poster(source.encode(), THREAD) is None


def test_a_post_behind_scripts_and_comments():
    source = b"<!-- a --><script>b</script><b class='username'>jane77</b>"
    assert first_poster(source, THREAD) == "jane77"


@given(
    st.lists(st.sampled_from(["<a ", "<b", "class", "=", "'", "username", ">", " ", "jane", "<"]))
)
def test_nothing_raises(parts):
    found = first_poster("".join(parts).encode(), THREAD)
    assert found is None or (found and "<" not in found)


def test_other_pages_have_no_posts():
    post = POSTS["phpBB"].format("jane77").encode()
    assert first_poster(post, THREAD) == "jane77"
    assert first_poster(post, "http://a.test/news/1") is None
