"""Names of the sample web: hosts, sections, slugs, categories. All invented, all ASCII.

The suffixes are no top-level domains, so that no name of the sample web can ever leave the machine;
by the Public Suffix List's default rule ``*`` each of them is a public suffix, and the label before
it a registrable domain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawler.sampleweb.seeded import number, pick

if TYPE_CHECKING:
    from random import Random

SUFFIXES = ("sample", "kiosk", "gazet", "arkivo", "butiko", "forumo", "ejo", "retujo")

# Open syllables make names that can be read, and concatenations that stay unique: all have two letters.
_SYLLABLES = tuple(c + v for c in "bdfgklmnprstvz" for v in "aeiou")

# Odd and no multiple of 5 or 7, hence coprime to 70^3: the map from index to name is one to one.
_STRIDE = 104_729

# Of each topic of `text.TOPICS`, what ODP calls it and some of its subcategories there.
_AREAS = (
    ("Arts", ("Music", "Literature", "Crafts")),
    ("Business", ("Industrial_Goods_and_Services", "Transportation_and_Logistics", "Accounting")),
    ("Computers", ("Software", "Hardware", "Programming")),
    ("Health", ("Medicine", "Nutrition", "Fitness")),
    ("Home", ("Cooking", "Gardening", "Family")),
    ("News", ("Newspapers", "Weather", "Magazines_and_E-zines")),
    ("Recreation", ("Travel", "Outdoors", "Birding")),
    ("Reference", ("Education", "Dictionaries", "Museums")),
    ("Science", ("Astronomy", "Biology", "Earth_Sciences")),
    ("Shopping", ("Clothing", "Antiques_and_Collectibles", "Food")),
    ("Society", ("History", "Law", "Religion_and_Spirituality")),
    ("Sports", ("Cycling", "Soccer", "Winter_Sports")),
)

# ODP files sites of other languages under Top/World and the language's name of itself.
_WORLD = {
    "ar": "Arabic",
    "de": "Deutsch",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "it": "Italiano",
    "ja": "Japanese",
    "pl": "Polski",
    "ru": "Russian",
    "tr": "Türkçe",
    "zh": "Chinese_Simplified",
}


def domain_label(seed: int, index: int) -> str:
    """Return the label before the suffix of host *index* (0 to 342,999), unique within a web."""
    n = len(_SYLLABLES)
    code = (index * _STRIDE + number(seed, "names")) % n**3
    return _SYLLABLES[code % n] + _SYLLABLES[code // n % n] + _SYLLABLES[code // n**2]


def host_name(seed: int, index: int) -> str:
    """Return the name of host *index*; every tenth is a second host of its neighbour's domain."""
    if index % 10 == 9:
        return f"blog.{host_name(seed, index - 1).removeprefix('www.')}"
    name = f"{domain_label(seed, index)}.{pick(SUFFIXES, seed, 'suffix', index)}"
    return name if index % 5 == 4 else f"www.{name}"


def word(rng: Random, n_syllables: int) -> str:
    """Return an invented word for paths, parameters and class names."""
    return "".join(rng.choices(_SYLLABLES, k=n_syllables))


def category(language: str, topic: int, code: int) -> str:
    """Return the ODP-style category of a host of *language* and *topic*; *code* picks a subcategory.

    >>> category("en", 0, 0), category("de", 11, 1)
    ('Top/Arts/Music', 'Top/World/Deutsch/Sports/Soccer')
    """
    area, parts = _AREAS[topic]
    place = f"{area}/{parts[code % len(parts)]}"
    return f"Top/{place}" if language == "en" else f"Top/World/{_WORLD[language]}/{place}"


def slug(code: int) -> str:
    """Return two invented words with a hyphen, for the path of a page whose number is *code*.

    >>> slug(0)
    'ba-bababa'
    """
    n = len(_SYLLABLES)
    parts = [_SYLLABLES[code // n**turn % n] for turn in range(5)]
    return f"{parts[0]}{parts[1] if code % 3 else ''}-{''.join(parts[2:])}"
