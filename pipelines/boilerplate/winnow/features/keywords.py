"""What class, id and role of an element say of its text: groups of words found in their values.

A value is read in small letters, with a space for whatever is no letter, and one at both ends; a
word is found anywhere in it. The words are found all at once by the automaton of Aho and Corasick
(1975). Shapes: ``step: uint16[n_states, 32]``, ``found: uint32[n_states]``, the bits of the groups
whose words end in the state.
"""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

# Underscores are spaces: where a word begins or ends with one, it must stand at a non-letter.
_GROUPS = {
    "comment": "comment disqus reply replies respond discuss kommentar comentario komment guestbook",
    "navigation": "_nav menu breadcrumb topbar toolbar _tabs paginat pager_ sitemap _skip navbar",
    "header": "header masthead banner _hd_ _logo branding _top_",
    "footer": "footer _foot_ bottom copyright _ft_ legal colophon",
    "sidebar": "sidebar aside _rail _side widget complementary _right",
    "related": "related recommend trending popular teaser promo similar _also_ read_next next "
    "latest recent outbrain taboola _more_ _most_ suggest",
    "share": "share sharing social facebook twitter tweet follow addthis addtoany",
    "advert": "_ad_ _ads_ advert sponsor adsense _dfp _gpt_ affiliate",
    "notice": "cookie consent gdpr modal popup newsletter subscri signup login signin overlay "
    "paywall dialog alert _cta",
    "content": "content _main _body entry _text story",
    "article": "article _post blog _news single detail",
    "about": "byline author date _time meta_ _tag categor credit publish",
    "title": "title headline heading",
    "forum": "thread topic forum message postbody answer question",
    "product": "product price _cart _shop _sku review rating spec",
    "list": "_list grid card tile carousel slider gallery _item feed archive",
    "main_text": "articlebody hentry entry_content post_content article_body story_body "
    "mw_parser_output markdown prose post_body article_content article_text content_body "
    "main_content page_content rich_text richtext wysiwyg single_post articletext",
    "hidden": "hidden _hide sr_only visually noprint screen_reader collapse",
    "form": "search form _input filter sort",
    "user": "profile avatar username member signature _user",
    "summary": "description summary intro excerpt lead_ abstract caption",
    "document": "_toc table_of_contents sphinx _doc faq accordion",
}
GROUP_NAMES = tuple(_GROUPS)
N_GROUPS = len(GROUP_NAMES)
SYMBOL_BITS = 5
_N_SYMBOLS = 1 << SYMBOL_BITS


class Automaton(NamedTuple):
    """The states of the automaton; 0 is where a value begins."""

    step: npt.NDArray[np.uint16]
    found: npt.NDArray[np.uint32]


@cache
def automaton() -> Automaton:
    """Return the automaton of all groups, whose bits follow :data:`GROUP_NAMES`."""
    children: list[dict[int, int]] = [{}]
    found = [0]
    for bit, words in enumerate(_GROUPS.values()):
        for word in words.split():
            state = 0
            for symbol in _symbols(word):
                if symbol not in children[state]:
                    children[state][symbol] = len(children)
                    children.append({})
                    found.append(0)
                state = children[state][symbol]
            found[state] |= 1 << bit
    return _completed(children, found)


def _symbols(word: str) -> list[int]:
    return [0 if letter == "_" else ord(letter) - ord("a") + 1 for letter in word]


def _completed(children: list[dict[int, int]], found: list[int]) -> Automaton:
    """Fill in the step of every state at every symbol, shortest states first."""
    step = np.zeros((len(children), _N_SYMBOLS), np.uint16)
    fallback = [0] * len(children)
    queue = deque([0])
    while queue:
        state = queue.popleft()
        found[state] |= found[fallback[state]]
        step[state] = step[fallback[state]]
        for symbol, child in children[state].items():
            fallback[child] = int(step[fallback[state], symbol]) if state else 0
            step[state, symbol] = child
            queue.append(child)
    return Automaton(step, np.array(found, np.uint32))
