"""The exceptions of Winnow.

::

    WinnowError
    ├── InputError    a call or a file is wrong; the user can mend it (exit 2)
    ├── StoppedError  the user ended what had not begun (exit 0)
    ├── FormatError   a file on disk is of another version, missing or damaged
    └── WorkCancelledError  a part of the project awaited what had been cancelled

Each message is one line, ``what is wrong; the mend``, and names the argument or the file.
Bad pages of the web raise none of them: they are counted and rejected with a reason.
"""

from __future__ import annotations


class WinnowError(Exception):
    """Base of all errors that Winnow raises on purpose."""


class InputError(WinnowError):
    """A wrong argument, or a file that cannot be used as what it was given for."""


class StoppedError(WinnowError):
    """A signal ended a crawl that waited to begin; nothing is wrong."""


class FormatError(WinnowError):
    """A file of the corpus folder is damaged, missing, or of another format version."""


class WorkCancelledError(WinnowError):
    """A start, callback, middleware, pipeline or listener awaited what had been cancelled, and was not itself.

    It stands for the ``asyncio.CancelledError``, which is no ``Exception``: Scrapy waits for the end of the page
    forever.
    """
