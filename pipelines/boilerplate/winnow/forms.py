r"""Pages that are a form and no text: logins, registrations, lost passwords, letters to a company.

On such a page the trees find the labels of the fields, and hints of what to write there, as there is nothing better. A
form is fields to write in, few blocks apart, with the blocks around them. Of little text, a page is one

1. when one asks for a password, and holds what would be kept, :data:`PASSWORD_WORDS` words a field at most;
2. when one of three fields or more holds what would be kept, :data:`LABEL_WORDS` words a field at most, none in a block
   longer than a hint;
3. when the address or the title names a form for an account (``form_words.py``), and there is one. Where what names it
   is the way into something else, too, the form must ask for a password, or the other must name it as well. Pages of
   dictionaries are not asked what they name.

What is kept of a forum stands between forms at times, so the first two are for other pages. Whoever keeps more of a page
may find text where one who keeps less finds a form, never the other way.

No page that the trees were trained on is a form. Cost: O(1) for a page with more text, else O(n) in tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from crawler.page.found_tags import start_tags
from pipelines.boilerplate.winnow.form_words import (
    AMBIGUOUS,
    LOGINS,
    LOST_PASSWORDS,
    Account,
    account_of,
)
from pipelines.boilerplate.winnow.messages import first_heading, title_of, title_parts
from pipelines.boilerplate.winnow.outline import n_kept_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page import PageModel

    Bools = npt.NDArray[np.bool_]
    I64 = npt.NDArray[np.int64]

# Words kept of a page: of a form that asks for a password, or that both address and title name; and of any other.
MOST_PASSWORD_WORDS, MOST_WORDS = 250, 150
# Words for each field to write in, and of the longest block.
PASSWORD_WORDS, LABEL_WORDS, HINT_WORDS = 25, 12, 30
LABELLED_FIELDS = 3
# Blocks and words from a field to the next of its form.
APART_BLOCKS, APART_WORDS = 10, 25
# Blocks around the fields that are of a form: of one for comments the text that they are about stands before the first
# label; a password is asked for by whole sentences at times; and of what a page calls itself little else is kept.
LABELLED_AROUND, PASSWORD_AROUND, NAMED_AROUND = 1, 2, 4
# Words kept outside of a form, and outside of one that address or title name.
OUTSIDE_WORDS, NAMED_OUTSIDE_WORDS = 10, 60
# Tags that are looked at.
MOST_FIELDS = 1000
# No two runs of blanks follow each other: a tag of a million blanks would be tried in all ways to divide them.
_TYPE = re.compile(rb"""\stype\s*=\s*(?:["']\s*)?([a-z]+)""", re.IGNORECASE)
# What fields for a search are called, whose type says so at times only.
_SEARCH = re.compile(
    rb"""search|suche|recherche|busca|cerca|zoek|szuka|hleda|query|keyword|\sname\s*=\s*["']?[qs][\s"'/>]""",
    re.IGNORECASE,
)
_WRITTEN = frozenset(b"text email tel password url number date".split())
_PASSWORD = b"password"


class _Form(NamedTuple):
    """A form: its fields to write in, whether one is for a password; blocks that begin before the first and the last."""

    n_fields: int
    has_password: bool
    first: int
    last: int

    def n_outside(self, words: I64, around: int, behind: int | None = None) -> int:
        """Return how many words are kept farther from the fields than *around*; *words* are those before each block."""
        behind = around if behind is None else behind
        first, last = max(self.first - around, 0), min(self.last + behind, len(words) - 1)
        return int(words[-1] - words[last] + words[first])


def is_form(page: PageModel, kept: Bools, *, is_forum: bool) -> bool:
    """Tell whether *page*, of which the blocks *kept* would be, bool[n], is a form and no text.

    >>> from crawler.page import build_page
    >>> source = b"<h1>Welcome</h1><p>Name <input name=n><p>Password <input type=password><p>Lost it?"
    >>> page = build_page(source, url="http://a.example/", content_type="text/html")
    >>> is_form(page, np.array([True, True, True, True]), is_forum=False)
    True
    """
    n_words = n_kept_words(page.blocks.n_words, kept)
    if not 0 < n_words <= MOST_PASSWORD_WORDS:
        return False
    forms = _forms(page)
    if not forms:
        return False
    words = np.concatenate(([0], np.cumsum(np.where(kept, page.blocks.n_words, 0), dtype=np.int64)))
    if not is_forum:
        longest = int(page.blocks.n_words[kept].max())
        if any(_asks(form, words) or _is_labelled(form, words, longest) for form in forms):
            return True
    return _names_itself(page, forms, words)


def _asks(form: _Form, words: I64) -> bool:
    """Tell whether *form* asks for a password, and holds the kept *words*."""
    return (
        form.has_password
        and words[-1] <= PASSWORD_WORDS * form.n_fields
        and form.n_outside(words, PASSWORD_AROUND, 1) <= OUTSIDE_WORDS
    )


def _is_labelled(form: _Form, words: I64, longest: int) -> bool:
    """Tell whether the kept *words*, the *longest* block of so many, are labels of *form*."""
    return (
        form.n_fields >= LABELLED_FIELDS
        and words[-1] <= min(LABEL_WORDS * form.n_fields, MOST_WORDS)
        and longest <= HINT_WORDS
        and form.n_outside(words, LABELLED_AROUND) <= OUTSIDE_WORDS
    )


def _names_itself(page: PageModel, forms: list[_Form], words: I64) -> bool:
    """Tell whether *page* calls itself a form for an account, and has among its *forms* what that asks for."""
    parts = title_parts(title_of(page)) | title_parts(first_heading(page))
    address = _account_of(page.url)
    is_lost, is_clear = (
        not parts.isdisjoint(its) for its in (LOST_PASSWORDS, LOST_PASSWORDS | LOGINS - AMBIGUOUS)
    )
    is_named = is_clear or (address is not None and not parts.isdisjoint(AMBIGUOUS))
    is_twice = address is not None and is_named
    is_long = words[-1] > MOST_WORDS
    if address is Account.WORD or not (is_twice if is_long else address or is_named):
        return False
    near = [form for form in forms if form.n_outside(words, NAMED_AROUND) <= NAMED_OUTSIDE_WORDS]
    # Many a page has a box to log in beside its text.
    is_near = not is_clear if is_long else address is None
    if any(form.has_password for form in (near if is_near else forms)):
        return True
    if is_lost or address is Account.LOST_PASSWORD:
        return bool(near) or (is_twice and not is_long)
    if address is Account.LOGIN:
        return bool(near)
    # One field more may be that of a letter of news.
    return is_clear and any(form.n_fields > 1 for form in near)


def _account_of(url: str) -> Account | None:
    place, _, query = url.partition("#")[0].partition("?")
    return account_of("/".join(place.split("/")[3:]), parse_qsl(query))


def _forms(page: PageModel) -> list[_Form]:
    """Return the forms of *page*."""
    found = start_tags(page, "input", "textarea", most=MOST_FIELDS)
    types = [_type_of(page.source, start, end) for start, end in found]
    written = np.flatnonzero([kind in _WRITTEN for kind in types])
    if not len(written):
        return []
    block = page.found_runs[:, 2]
    begins = page.found_runs[np.append(True, block[1:] != block[:-1]), 0]
    # As many blocks begin before a field.
    places = np.searchsorted(begins, [found[field][0] for field in written])
    asks = np.array([types[field] == _PASSWORD for field in written], np.bool_)
    words = np.concatenate(([0], np.cumsum(page.blocks.n_words, dtype=np.int64)))[places]
    apart = (np.diff(places) > APART_BLOCKS) | (np.diff(words) > APART_WORDS)
    first = np.concatenate(([0], np.flatnonzero(apart) + 1))
    last = np.append(first[1:], len(written))
    return [
        _Form(end - start, bool(asks[start:end].any()), int(places[start]), int(places[end - 1]))
        for start, end in zip(first.tolist(), last.tolist(), strict=True)
    ]


def _type_of(source: bytes, start: int, end: int) -> bytes:
    """Return the type of the field whose tag *source* has from *start* to *end*."""
    found = _TYPE.search(source, start, end)
    kind = b"text"
    if found is not None and source[start : start + 2] not in {b"<t", b"<T"}:
        kind = found[1].lower()
    # Most fields are none to write in.
    if kind in _WRITTEN and _SEARCH.search(source, start, end) is not None:
        return b"search"
    return kind
