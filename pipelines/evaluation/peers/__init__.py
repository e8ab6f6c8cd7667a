"""Extractors of other projects, by name: rows of the same table, in the same run.

A peer is called in the most favourable way that its documentation shows, as :mod:`.extractors` says.
Each gets the page's text, decoded as the page model decoded it, so that none loses by its guess at
the encoding and none is timed for it; the page's URL, and its language where that is known. Peers
are rows of their own and named apart from our methods, some of which bear the same name:
``peer/justext`` is the distribution, ``justext`` ours.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "peer/"


class PeerPage(NamedTuple):
    """What a peer is told of a page: *language* is its two-letter code, None where it is unknown."""

    html: str
    url: str = ""
    language: str | None = None


class Extractor(Protocol):
    """Returns the main text of a page; raises whatever its package raises."""

    def __call__(self, page: PeerPage) -> str: ...


class _Peer(NamedTuple):
    """The distribution that a peer comes with, and the function of `.extractors` that makes it."""

    distribution: str
    maker: str
    options: tuple[str, ...] = ()


_PEERS = {
    "trafilatura": _Peer("trafilatura", "trafilatura"),
    "trafilatura-no-comments": _Peer("trafilatura", "trafilatura", ("no-comments",)),
    "trafilatura-fast": _Peer("trafilatura", "trafilatura", ("fast",)),
    "trafilatura-precision": _Peer("trafilatura", "trafilatura", ("precision",)),
    "resiliparse": _Peer("resiliparse", "resiliparse"),
    "readability-lxml": _Peer("readability-lxml", "readability"),
    "justext": _Peer("jusText", "justext"),
    "boilerpy3-article": _Peer("boilerpy3", "boilerpy3", ("ArticleExtractor",)),
    "boilerpy3-default": _Peer("boilerpy3", "boilerpy3", ("DefaultExtractor",)),
    "boilerpy3-canola": _Peer("boilerpy3", "boilerpy3", ("CanolaExtractor",)),
    "newspaper4k": _Peer("newspaper4k", "newspaper4k"),
    "goose3": _Peer("goose3", "goose3"),
}


def peers() -> tuple[str, ...]:
    """Return the names of all peers, installed or not."""
    return tuple(PREFIX + name for name in _PEERS)


def installed(name: str) -> str | None:
    """Return the version of the distribution that peer *name* needs, None where it is missing."""
    try:
        return version(_peer(name).distribution)
    except PackageNotFoundError:
        return None


def missing(names: Iterable[str]) -> list[str]:
    """Return the distributions that the peers *names* need and that are not installed."""
    return sorted({_peer(name).distribution for name in names if installed(name) is None})


def load(name: str) -> Extractor:
    """Import and return peer *name*.

    Raises ValueError for a name that is none, ImportError when its distribution cannot be imported.
    """
    peer = _peer(name)
    makers = import_module("pipelines.evaluation.peers.extractors")
    extractor: Extractor = getattr(makers, peer.maker)(*peer.options)
    return extractor


def _peer(name: str) -> _Peer:
    try:
        return _PEERS[name.removeprefix(PREFIX)]
    except KeyError:
        known = ", ".join(peers())
        raise ValueError(f"unknown peer {name!r}; known are {known}") from None
