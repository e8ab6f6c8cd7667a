"""Scrapy's signals, without a task for a listener that can be called, nor a look at its code each time.

Scrapy 2.19 starts a task for each listener to the signal that an item has left the pipelines, and looks at each
call of a listener which arguments it takes. Here what need not be awaited is called. Order, answers, exceptions and
log lines are Scrapy's (tests/test_light_signals.py runs both).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import cache
from inspect import isawaitable
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from pydispatch import dispatcher  # type: ignore[import-untyped]  # it has no types
from pydispatch.robustapply import robustApply  # type: ignore[import-untyped]
from scrapy.exceptions import StopDownload
from scrapy.signalmanager import SignalManager
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

if TYPE_CHECKING:
    from types import CodeType

# Scrapy's own, whose lines these are.
logger = logging.getLogger("scrapy.utils.signal")

_TAKES_ANY = 0x08  # of a code object's flags: it has **named


class LightSignals(SignalManager):
    """Calls the listeners to a signal, and awaits an answer that is to be awaited."""

    def send_catch_log(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        sender = kwargs.pop("sender", self.sender)
        if not is_heard(sender, signal):
            return []
        quiet = (*_types(kwargs.pop("dont_log", ())), StopDownload)
        spider = kwargs.get("spider")
        answers: list[tuple[Any, Any]] = []
        for listener in _listeners(sender, signal):
            try:
                answer = _call(listener, {"signal": signal, "sender": sender, **kwargs})
            except (Exception, *quiet) as error:  # noqa: BLE001  whatever a listener raises is its answer
                answer = Failure()  # type: ignore[no-untyped-call]  # Twisted's
                _noted(listener, error, quiet, spider)
            else:
                if isinstance(answer, Deferred):
                    logger.error(
                        "Cannot return deferreds from signal handler: %(receiver)s",
                        {"receiver": listener},
                        extra={"spider": spider},
                    )
            answers.append((listener, answer))
        return answers

    async def send_catch_log_async(self, signal: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        sender = kwargs.pop("sender", self.sender)
        quiet = _types(kwargs.pop("dont_log", ()))
        listeners = _listeners(sender, signal)
        answers: list[Any] = []
        for listener in listeners:
            try:
                answer = _call(listener, {"signal": signal, "sender": sender, **kwargs})
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  whatever a listener raises is its answer
                answer = _noted(listener, error, quiet, kwargs.get("spider"))
            else:
                if answer is not None and (isawaitable(answer) or isinstance(answer, Deferred)):
                    answer = _awaited(listener, answer, quiet, kwargs.get("spider"))
            answers.append(answer)
        later = [place for place, answer in enumerate(answers) if asyncio.iscoroutine(answer)]
        if later:
            found = await asyncio.gather(*(answers[place] for place in later))
            for place, answer in zip(later, found, strict=True):
                answers[place] = answer
        return list(zip(listeners, answers, strict=True))


def is_heard(sender: Any, signal: Any) -> bool:
    """Tell whether anything listens to *signal* of *sender*."""
    for key in (id(sender), id(dispatcher.Any)):
        signals = dispatcher.connections.get(key)
        if signals and (signal in signals or dispatcher.Any in signals):
            return True
    return False


def _listeners(sender: Any, signal: Any) -> list[Any]:
    return list(dispatcher.liveReceivers(dispatcher.getAllReceivers(sender, signal)))


def _types(quiet: Any) -> tuple[Any, ...]:
    if type(quiet) is tuple:
        return quiet
    return tuple(quiet) if isinstance(quiet, Sequence) else (quiet,)


def _call(listener: Any, named: dict[str, Any]) -> Any:
    """Call *listener* with those of *named* that it takes, as ``robustApply`` does."""
    function = listener.__func__ if type(listener) is MethodType else listener
    if type(function) is not FunctionType:
        return robustApply(listener, **named)
    names = _names(function.__code__)
    if names is None:
        return listener(**named)
    start = 1 if function is not listener else 0
    return listener(**{name: named[name] for name in names[start:] if name in named})


@cache
def _names(code: CodeType) -> tuple[str, ...] | None:
    """Return the names of the arguments of *code*, None where it takes any."""
    return None if code.co_flags & _TAKES_ANY else code.co_varnames[: code.co_argcount]


async def _awaited(listener: Any, answer: Any, quiet: tuple[Any, ...], spider: Any) -> Any:
    try:
        return await ensure_awaitable(answer, _warn=global_object_name(listener))
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  whatever a listener raises is its answer
        return _noted(listener, error, quiet, spider)


def _noted(
    listener: Any, error: BaseException, quiet: tuple[Any, ...], spider: Any
) -> BaseException:
    if not isinstance(error, quiet):
        logger.error(
            "Error caught on signal handler: %(receiver)s",
            {"receiver": listener},
            exc_info=error,
            extra={"spider": spider},
        )
    return error
