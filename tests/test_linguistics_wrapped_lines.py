"""Lines that go on with the line before them, and lines of one length that do not."""

from __future__ import annotations

import textwrap

import pytest

from pipelines.linguistics.wrapped_lines import go_on

TEXT = (
    "Nobody in the village had seen him since the morning of that day, and he had said nothing to his wife about "
    "where he wanted to go, for she was used to his ways and did not ask. "
) * 3


@pytest.mark.parametrize("width", [40, 60, 72, 80, 98])
def test_what_a_program_has_wrapped(width):
    lines = textwrap.wrap(TEXT, width)
    assert sum(go_on(lines)) >= 0.7 * (len(lines) - 1)
    # A list of short words does not hide it.
    assert sum(go_on([*lines, "One", "Two"])) >= 0.6 * (len(lines) - 1)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["A single line of some forty characters in all"],
        textwrap.wrap(TEXT, 30),
        textwrap.wrap(TEXT, 120),
        # Verses; sentences; titles; addresses of pages; paragraphs.
        ["shall I compare thee to a summer's day", "thou art", "rough winds do shake", "and summer"]
        * 3,
        [
            "he came home from the fields in the evening.",
            "she did not ask where he had been so long.",
        ]
        * 4,
        [line.title() for line in textwrap.wrap(TEXT, 60)],
        ["a list of pages that are worth to be read", "http://www.a.sample/long/name/of/a/page"]
        * 4,
        [TEXT, "and he had said nothing to his wife about it"] * 4,
        ["数据科学" * 12] * 9,
    ],
)
def test_what_stands_on_lines_of_its_own(lines):
    assert not any(go_on(lines))
