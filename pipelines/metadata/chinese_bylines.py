"""Reporters and authors in bylines of Chinese pages, where they stand behind the paper, a date or a mark.

A name has two to four characters; several are apart by blanks. What else may stand behind the word, such as that a
reporter *learned* something, is told by what ends it: the line, a bracket, or a slash before what the person did.
"""

from __future__ import annotations

import re

_MAX_CHARS = 100
_NAME = "[\u3400-\u9fff]{2,4}"
_BYLINE = re.compile(
    rf"(?:作者\s?[:：]|(?<!小)(?:記者|记者)\s?[:：]?)\s?({_NAME}(?:[\s、](?:記者|记者)?{_NAME}){{0,5}})(?:\s?\Z|[)）/／])"
    # Behind a colon also the first of several words.
    rf"|(?:作者|記者|记者)\s?[:：]\s?({_NAME})(?=\s)"
)
_BETWEEN = re.compile(r"[\s、]|记者|記者")
# What reporters do, and who else has a hand in it.
_NO_NAME = re.compile(
    "报道|報道|報導|综合|綜合|整理|手记|观察|调查|获悉|了解|采访|採訪|摄影|攝影|通讯员|通訊員|编辑|編輯"
    "|来源|來源|发自|发布|日期|時間|时间|博客|专栏|專欄|联系|聯繫|江湖"
)


def chinese_names(text: str) -> list[str]:
    """Return the names in the byline that *text* has, none for another text.

    >>> chinese_names("每日新闻记者 王小明 张三/文"), chinese_names("记者了解到，雨又来了")
    (['王小明', '张三'], [])
    """
    # What ends where it is cut has another end.
    found = _BYLINE.search(text[: _MAX_CHARS + 1])
    is_whole = found is not None and found.end() <= _MAX_CHARS
    words = _BETWEEN.split(found[1] or found[2]) if found and is_whole else []
    return [word for word in words if len(word) > 1 and not _NO_NAME.search(word)]
