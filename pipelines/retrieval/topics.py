"""Queries and judgements: TREC's files, and tab-separated ones.

*On disk*, UTF-8. Queries, in one of two forms::

    <top> <num> Number: 851 <title> "March of the Penguins" <desc> ... </top>
    851<tab>march of the penguins

Judgements, one a line, in one of two forms; the second column of the first is not read::

    851 0 PAGE GRADE
    851<tab>PAGE<tab>GRADE

A grade is an integer; above 0 is relevant. Lines that are empty or begin with ``#`` are left out. What is written
twice alike counts once; two queries of one name, or two grades of one page for one query, are refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from crawler.errors import InputError, cause

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TOPIC = re.compile(r"<top>(.*?)(?=<top>|</top>|\Z)", re.IGNORECASE | re.DOTALL)
_FIELD = re.compile(r"<(num|title)>([^<]*)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:Number|Topic)\s*:", re.IGNORECASE)


def read_queries(file: Path) -> dict[str, str]:
    """Return the queries in *file* by their names, in order.

    Raises InputError when it holds none, or has a line of another form, or two queries of one name.
    """
    text = _text(file)
    read = _trec_topics if "<top>" in text.lower() else _tab_separated
    queries: dict[str, str] = {}
    for number, name, query in read(file, text):
        if queries.setdefault(name, query) != query:
            raise InputError(
                f"{file}, line {number} has another query that is named {name}; name each otherwise"
            )
    if not queries:
        raise InputError(f"{file} holds no query; give TREC topics, or lines NAME<tab>QUERY")
    return queries


def read_judgements(file: Path) -> dict[str, dict[str, int]]:
    """Return the grade of each judged page of each query in *file*.

    Raises InputError when it holds none, or has a line of another form, or two grades of a page for one query.
    """
    judgements: dict[str, dict[str, int]] = {}
    for number, line in _lines(_text(file)):
        columns = line.split("\t") if line.count("\t") == 2 else line.split()
        if len(columns) == 4:
            del columns[1]
        try:
            query, page, grade = map(str.strip, columns)
            value = int(grade)
        except ValueError:
            raise InputError(
                f"{file}, line {number} is no judgement; write QUERY 0 PAGE GRADE, or "
                "QUERY<tab>PAGE<tab>GRADE"
            ) from None
        if judgements.setdefault(query, {}).setdefault(page, value) != value:
            raise InputError(
                f"{file}, line {number} gives {page} another grade for {query} than a line before it; "
                "keep one of them"
            )
    if not judgements:
        raise InputError(f"{file} holds no judgement; give TREC qrels, or QUERY<tab>PAGE<tab>GRADE")
    return judgements


def _trec_topics(file: Path, text: str) -> Iterator[tuple[int, str, str]]:
    """Give the line, name and query of each topic."""
    for topic in _TOPIC.finditer(text):
        number = text.count("\n", 0, topic.start()) + 1
        fields = {name.lower(): value for name, value in _FIELD.findall(topic[1])}
        name = _LABEL.sub("", fields.get("num", "")).strip()
        query = " ".join(_LABEL.sub("", fields.get("title", "")).split())
        if not (name and query):
            raise InputError(
                f"{file}, line {number} begins a topic without <num> or <title>; give it both"
            )
        yield number, name, query


def _tab_separated(file: Path, text: str) -> Iterator[tuple[int, str, str]]:
    """Give the line, name and query of each query."""
    for number, line in _lines(text):
        name, tab, query = line.partition("\t")
        if not (tab and name.strip() and query.strip()):
            raise InputError(f"{file}, line {number} is no query; write NAME<tab>QUERY")
        yield number, name.strip(), query.strip()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{file} cannot be read as UTF-8 ({cause(error)}); give another file"
        ) from error
