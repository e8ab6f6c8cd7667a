"""Bylines that follow something else in their line."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.page import build_page
from pipelines.metadata import bylines
from pipelines.metadata.authors import inner_byline_names
from pipelines.metadata.near_title import NearTitle

FETCHED = datetime(2024, 5, 1, 12, tzinfo=UTC)
INNER = [
    # Behind a sign, and what else it stands behind.
    ("March 15, 2022 · 3 min read · By Jane Doe", "Jane Doe"),
    ("yas! | By Jane Doe | April 13, 2020", "Jane Doe"),
    ("5. Mai • Von Jana Müller und Karl May", "Jana Müller; Karl May"),
    ("Rain | by the way | 5 May", None),
    ("Rain|By Jane Doe", None),
    ("Stand by Jane Doe", None),
    ("x " * 120 + "| By Jane Doe", None),
    # Reporters: behind the paper, in brackets, before what they did.
    ("光明日报记者 王建宏 张文攀", "王建宏; 张文攀"),
    ("□ 本报记者 葛灵丹", "葛灵丹"),
    ("顶端新闻·河南商报记者马俊峰/文受访者供图", "马俊峰"),
    ("（总台央视记者 奚丹霓、张赛）", "奚丹霓; 张赛"),
    ("北京商报讯（记者 岳品瑜 记者董晗萱）5月20日，" + "雨又来了，" * 60, "岳品瑜; 董晗萱"),
    ("連載 出版社：團結 作者：羅銀勝", "羅銀勝"),
    ("02日14:25 作者： 赵婕 出自[人民文学出版社]", "赵婕"),
    ("记者了解到，雨又来了", None),
    ("记者获悉，雨又来了", None),
    ("本报记者 综合报道", None),
    ("第A04版：小记者训练营", None),
    ("在线荐稿 记者博客 联系记者", None),
    ("联系作者 关于我们", None),
    ("记者王小明" + "雨" * 10, None),
    ("记者" + "雨" * 3 + " 雨雨" * 40, None),
]


@pytest.mark.parametrize(("line", "names"), INNER)
def test_a_byline_within_a_line(line, names):
    assert inner_byline_names(line) == names
    assert names is None or bylines._INNER_BYLINE.search(line.encode())


def test_a_byline_within_a_line_is_found():
    page = "<h1>Rain</h1><p>5 May · 3 min read · By Jane Doe<p>x"
    found = NearTitle(
        build_page(page.encode(), url="http://a.test/", content_type="text/html"), FETCHED
    )
    assert found.author() == ("Jane Doe", "byline")
