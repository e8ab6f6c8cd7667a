"""Light signals do what Scrapy's do."""

from __future__ import annotations

import asyncio

import pytest
from scrapy import signals
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.signalmanager import SignalManager
from twisted.internet.defer import succeed
from twisted.python.failure import Failure

from crawler.light.signals import LightSignals

SIGNAL = signals.item_scraped


def plainly(item):
    return ("plainly", item)


def of_nothing():
    return None


def failing(item):
    raise ValueError(item)


def refusing():
    raise IgnoreRequest("refused")


def of_twisted(item):
    return succeed(item)


async def later(item):
    await asyncio.sleep(0)
    return ("later", item)


async def failing_later(item):
    await asyncio.sleep(0)
    raise KeyError(item)


async def refusing_later():
    raise IgnoreRequest("refused later")


def of_any(signal, **named):
    return ("of any", signal is SIGNAL, sorted(named))


def stopping(item):
    raise StopDownload(fail=bool(item))


class Listener:
    def of_method(self, item, spider=2):
        return ("of a method", item, spider)

    def __call__(self, item):
        return ("called", item)

    @classmethod
    def of_class(cls, sender, item):
        return (cls, sender is not None, item)


LISTENER = Listener()
AT_ONCE = (plainly, of_nothing, failing, refusing, stopping, of_any, of_twisted, LISTENER)
AT_ONCE = (*AT_ONCE, LISTENER.of_method, Listener.of_class)
LISTENERS = (plainly, of_nothing, failing, refusing, later, failing_later, refusing_later)


def answers(manager, listeners, *, waits, **named):
    """What *listeners* of a signal answer, exceptions by type and text, and what was logged."""
    sender = object()
    signals_of = manager(sender)
    for listener in listeners:
        signals_of.connect(listener, SIGNAL)

    async def sent():
        if waits:
            return await signals_of.send_catch_log_async(SIGNAL, item=1, spider=None, **named)
        return signals_of.send_catch_log(SIGNAL, item=1, spider=None, **named)

    found = asyncio.run(sent())
    for listener in listeners:
        signals_of.disconnect(listener, SIGNAL)
    return [
        (listener, repr(answer) if isinstance(answer, Exception) else answer)
        for listener, answer in found
    ]


@pytest.mark.parametrize("named", [{}, {"dont_log": IgnoreRequest}, {"dont_log": (KeyError,)}])
@pytest.mark.parametrize("listeners", [(), *((one,) for one in LISTENERS), LISTENERS])
def test_answers_of_listeners(listeners, named, caplog):
    found, lines = [], []
    for manager in (LightSignals, SignalManager):
        caplog.clear()
        found.append(answers(manager, listeners, waits=True, **named))
        lines.append([(record.name, record.getMessage()) for record in caplog.records])
    assert found[0] == found[1]
    assert sorted(lines[0]) == sorted(lines[1])


@pytest.mark.parametrize("named", [{}, {"dont_log": IgnoreRequest}, {"dont_log": [ValueError]}])
@pytest.mark.parametrize("listeners", [(), *((one,) for one in AT_ONCE), AT_ONCE])
def test_answers_at_once(listeners, named, caplog):
    found, lines = [], []
    for manager in (LightSignals, SignalManager):
        caplog.clear()
        found.append(
            [
                (listener, repr(answer.value) if isinstance(answer, Failure) else answer)
                for listener, answer in answers(manager, listeners, waits=False, **named)
                if listener is not of_twisted
            ]
        )
        lines.append([(record.name, record.getMessage()) for record in caplog.records])
    assert found[0] == found[1]
    assert lines[0] == lines[1]


def test_listeners_to_any_sender_and_to_any_signal():
    from pydispatch import dispatcher

    heard = []

    def hear():
        heard.append(1)

    light = LightSignals(object())
    light.send_catch_log(SIGNAL)
    for signal, sender in ((SIGNAL, dispatcher.Any), (dispatcher.Any, light.sender)):
        dispatcher.connect(hear, signal, sender=sender)
        light.send_catch_log(SIGNAL)
        dispatcher.disconnect(hear, signal, sender=sender)
    light.send_catch_log(SIGNAL)
    assert len(heard) == 2


@pytest.mark.filterwarnings("ignore:.*returned a Deferred")
def test_a_deferred_is_awaited():
    listeners = (of_twisted,)
    assert answers(LightSignals, listeners, waits=True) == [(of_twisted, 1)]
