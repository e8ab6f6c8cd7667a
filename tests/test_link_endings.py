"""Endings of file names, of many keys at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crawler.page.link_endings import have_endings
from crawler.page.links import NON_TEXT_EXTENSIONS
from crawler.urls import KeyList

keys = st.builds(
    "{}/{}{}{}".format,
    st.sampled_from("01"),
    st.text("abp./-", max_size=6),
    st.sampled_from(["", ".pdf", ".JPEG", ".torrent", ".torrents", ".tar.gz", ".woff2", ".html"]),
    st.sampled_from(["", "?", "?a=b.pdf", "?a=b?.html", "/"]),
)


def ends_in_one(key):
    return key.partition("?")[0].rpartition(".")[2].lower() in NON_TEXT_EXTENSIONS


@given(st.lists(keys, max_size=12))
def test_equals_the_look_up_of_each_ending(found):
    marks = have_endings(KeyList.of(("", key) for key in found), NON_TEXT_EXTENSIONS)
    assert marks.tolist() == [ends_in_one(key) for key in found]
