"""A signal while a process waits outside of its engine: no library that passes over exceptions loses it."""

from __future__ import annotations

import signal
from contextlib import suppress

import pytest

from crawler.errors import StoppedError, interruptible

NUMBERS = (signal.SIGINT, signal.SIGTERM)


def wait(number, *, is_passed_over=False, is_checked=False):
    """Hear *number* while waiting; return when nothing ended that."""
    with interruptible("waiting") as check:
        with suppress(Exception if is_passed_over else ()):
            signal.raise_signal(number)
        if is_checked:
            check()
            raise AssertionError("it went on")


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "passed_over",
    [{}, {"is_passed_over": True}, {"is_passed_over": True, "is_checked": True}],
    ids=["raised", "at the end", "where it is asked"],
)
def test_a_signal_ends_the_block(number, passed_over):
    before = signal.getsignal(number)
    with pytest.raises(StoppedError, match="stopped while waiting; start it again to go on"):
        wait(number, **passed_over)
    assert signal.getsignal(number) is before


def test_nothing_is_raised_where_nothing_was_heard():
    before = signal.getsignal(signal.SIGINT)
    with interruptible("waiting") as check:
        check()
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
