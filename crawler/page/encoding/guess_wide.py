"""How plausible bytes are as Chinese, Japanese or Korean in an encoding of two bytes a character.

The cost of a character is about the negative natural logarithm of its share, by its rank among the
frequent characters of the language (:mod:`crawler.page.encoding.common_characters`), else by the rows of the
encoding that hold the common ones. Cost: O(sample).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from crawler.page.encoding import common_characters
from crawler.page.encoding.guess_tables import known

if TYPE_CHECKING:
    import numpy.typing as npt

    from crawler.page.encoding.charsets import Charset

# GBK has the characters of both.
_CHINESE = (common_characters.SIMPLIFIED, common_characters.TRADITIONAL)
# Encoding, by how much it is rarer than windows-1252 on pages that do not declare theirs, the
# frequent characters of its languages, and the first bytes of its rows of common ones.
_WIDE = (
    ("gbk", 1.0, _CHINESE, range(0xB0, 0xD8)),
    ("big5", 1.0, (common_characters.TRADITIONAL,), range(0xA4, 0xC7)),
    ("euc-jp", 1.5, (common_characters.JAPANESE,), range(0xB0, 0xD0)),
    ("shift_jis", 1.0, (common_characters.JAPANESE,), range(0x88, 0x98)),
    ("euc-kr", 1.0, (common_characters.KOREAN,), range(0xB0, 0xC9)),
)


class WideReading(NamedTuple):
    """An encoding of two bytes a character; *costs*: float32[65536] by UTF-16 code unit."""

    charset: Charset
    prior: float
    costs: npt.NDArray[np.float32]


@cache
def wide_readings() -> tuple[WideReading, ...]:
    """Return the encodings of two bytes a character."""
    return tuple(
        WideReading(known(name), prior, _wide_costs(known(name), common, rows))
        for name, prior, common, rows in _WIDE
    )


def wide_cost(reading: WideReading, sample: bytes) -> float:
    """Return the mean cost of the characters of *sample* that are not ASCII, the prior included."""
    text = sample.decode(reading.charset.codec, "replace")
    units = _units(text)
    if units.size and units[-1] == 0xFFFD:
        # The sample may end within a character.
        units = units[:-1]
    units = units[units >= 0x80]
    if not units.size:
        return np.inf
    return float(reading.costs[units].mean() + reading.prior / (2 * units.size))


def utf_16_cost(text: str) -> float:
    """Return the mean cost of *text* that was read as UTF-16, in the language that fits it best."""
    units = _units(text)
    return min(float(reading.costs[units].mean()) for reading in wide_readings())


def _wide_costs(charset: Charset, common: tuple[str, ...], rows: range) -> npt.NDArray[np.float32]:
    costs = np.full(0x10000, 13.0, np.float32)
    for lead in rows:
        row = b"".join(bytes([lead, trail]) for trail in range(0xA1, 0xFF))
        costs[_units(row.decode(charset.codec, "ignore"))] = 10.0
    costs[0x0080:0x0500] = costs[0x2500:0x2600] = 12.0
    costs[0x3000:0x3100] = 11.0
    costs[0xFF00:0xFF60] = 8.0
    costs[0xFF60:0xFFE0] = 10.0
    costs[0xD800:0xE000] = 13.0
    costs[0xE000:0xF900] = costs[0x0080:0x00A0] = 20.0
    costs[0xFFFD] = 25.0
    for rank, cost in ((None, 8.0), (500, 6.5), (200, 5.5), (50, 4.5)):
        for characters in common:
            costs[_units(characters[:rank])] = cost
    costs[_units("\u3000、。，「」・：；！？（）ー")] = 4.5
    costs[_units("“”‘’·—…《》【】『』")] = 6.0
    return costs


def _units(text: str) -> npt.NDArray[np.uint16]:
    return np.frombuffer(text.encode("utf-16-le", "replace"), np.uint16)
