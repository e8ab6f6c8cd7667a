"""What stands behind the name of an author and is no part of it: buttons, networks, marks of notes.

Buttons and networks stand beside names on thousands of sites, and are written as names are: "Jane Doe Full Bio". Papers
mark whom they name by numbers and signs for where each works.
"""

from __future__ import annotations

import re

_BUTTONS = (
    r"google\s?\+|twitter|facebook|linkedin|instagram|e-?mail|website|webseite|rss(?:\sfeed)?"
    r"|(?:send|via)\se-?mail|(?:full|read|see|short|author)\s(?:bio|biography|profile)|biography"
    r"|(?:see|read)\s(?:all|more)(?:\s(?:articles|posts|stories))?|all\s(?:articles|posts|stories)"
    r"|more\s(?:articles|posts|stories|by|from)|author\s(?:archives?|page)"
    r"|(?:alle|mehr|weitere)\s(?:artikel|beiträge|texte|von)|zum\sprofil|zur\s(?:person|autorenseite)"
    r"|tous\s(?:les|ses)\sarticles|voir\s(?:tous|plus|le\sprofil)|ver\s(?:todos|más|perfil|tudo)"
    r"|todos\slos\sartículos|tutti\sgli\sarticoli|vedi\s(?:tutti|profilo)"
)
_BUTTON = re.compile(
    rf"(?>(?:(?:{_BUTTONS}|bio|follow|subscribe)(?:[\s,;|•·–—-]+|\Z))+)", re.IGNORECASE
)
# Behind a name and a surname: one of them may be called so, or be a firm.
_BEHIND = re.compile(
    rf"((?<!\S)\w\S*+\s+\w\S*+)[\s,;|&•·–—-]+(?:{_BUTTONS}|bio\Z)(?!\w)", re.IGNORECASE
)
_AND_BEHIND = re.compile(r"[\s,](?:and|und|et|y|e|i|и|og|och|en|&)\Z", re.IGNORECASE)
_SIGN = r"[*∗†‡§¶#]"
_MARKS = re.compile(
    rf"(?<=[^\W\d_]{{2}})(?:\d{{1,2}}(?!\d)|\s?{_SIGN})(?:,?\s?(?:\d{{1,2}}(?!\d)|{_SIGN}))*"
    r"(?=\s*(?:[,;&、，]|\Z)|\s+(?:and|und|et|y|e|og|och|en)\s)"
)
# Systems that publish write links to authors where names alone should stand.
_TAG = re.compile(r"</?[a-z][^<>]*+>", re.IGNORECASE)
_RAISED = re.compile(r"<sup\b[^<>]*>[^<>]*</sup>", re.IGNORECASE)
# Before a mark in a page's source, which may be a link to its note; no further before than so many bytes.
_RAISES = re.compile(rb"<sup\b[^<>]*>\s*+(?:<a\b[^<>]*>\s*+)?\Z", re.IGNORECASE)
_MAX_RAISING_BYTES = 400


def is_button(text: str) -> bool:
    """Tell whether *text*, which stands where a name may, is buttons beside one, or such before a name of two words.

    >>> is_button("Full Bio Twitter"), is_button("Email Jane Doe"), is_button("Bio Jones")
    (True, True, False)
    """
    buttons = _BUTTON.match(text)
    rest = text[buttons.end() :] if buttons else text
    return not rest or (buttons is not None and " " in rest)


def without_buttons(name: str) -> str:
    """Return *name* up to the first button behind it.

    >>> without_buttons("Jane Doe Google+ Follow"), without_buttons("Full Bio Twitter")
    ('Jane Doe', 'Full Bio')
    """
    found = _BEHIND.search(name)
    return name[: found.end(1)] if found else name


def without_and(names: str) -> str:
    """Return *names* without the "and" at their end, as it stands before a button or what is no name.

    >>> without_and("Jane Doe and"), without_and("Jane Doe &")
    ('Jane Doe', 'Jane Doe')
    """
    return _AND_BEHIND.sub("", names)


def without_marks(names: str) -> str:
    """Return *names* without the numbers and signs of notes that stand at their ends.

    >>> without_marks("Jane Doe1,2*, John Roe2 and Ann Poe†, 5 May 2024")
    'Jane Doe, John Roe and Ann Poe, 5 May 2024'
    """
    return _MARKS.sub("", names)


def without_markup(name: str) -> str:
    """Return *name* without tags, and what they raise, which marks a note.

    >>> without_markup("<a href=/jane>Jane Doe</a><sup>1</sup>")
    ' Jane Doe '
    """
    return _TAG.sub(" ", _RAISED.sub("", name))


def is_raised(source: bytes, place: int) -> bool:
    """Tell whether the text that begins at *place* of *source* stands raised, as marks of notes do.

    >>> is_raised(b"Jane Doe<sup><a href=#n>1", 24), is_raised(b"<sup>1</sup>Jane Doe", 12)
    (True, False)
    """
    return _RAISES.search(source, max(0, place - _MAX_RAISING_BYTES), place) is not None
