"""The contact that a user agent must name."""

from __future__ import annotations

import pytest
from scrapy.settings.default_settings import USER_AGENT as SCRAPYS

from crawler.errors import InputError
from crawler.frontier.robots.contact import check_contact, contact
from settings import base

GOOD = [
    "winnow/0.1 (+https://corpus.uni.edu/crawl)",
    "winnow/0.1 (web corpus crawler; http://10.example.de/x)",
    "winnow (crawl@ling.uni.edu)",
    "winnow https://www.uni.edu:8443/?x",
    "Mozilla/5.0 (compatible; winnow/0.1; +https://scrapy.org; crawl@uni.edu)",
]
BAD = [
    "",
    "winnow",
    base.USER_AGENT,
    SCRAPYS,
    "winnow (https://example.com/crawl)",
    "winnow (https://www.example.org)",
    "winnow (me@mail.example.net)",
    "winnow (https://localhost/crawl)",
    "winnow (https://intranet/crawl)",
    "winnow (me@host)",
    "winnow (http://)",
    "winnow (ftp://corpus.uni.edu)",
    "a@" * 20_000,
]


@pytest.mark.parametrize("user_agent", GOOD)
def test_a_page_or_an_address_will_do(user_agent):
    assert contact(user_agent)
    check_contact(user_agent, [])


@pytest.mark.parametrize("user_agent", BAD)
def test_anything_else_is_refused_in_one_line(user_agent):
    assert contact(user_agent) is None
    with pytest.raises(InputError) as error:
        check_contact(user_agent, ["10.0.0.0/8", "nonsense"])
    assert "\n" not in str(error.value)
    assert "USER_AGENT" in str(error.value)


@pytest.mark.parametrize("networks", [["127.0.0.0/8"], ["10.0.0.0/8", "::1/128"]])
def test_a_crawl_of_loopback_needs_none(networks):
    check_contact("winnow", networks)
