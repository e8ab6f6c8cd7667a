"""What is evaluated, as a user writes it: ``NAME[:OPTION=VALUE]...``, names of groups among them.

A value is an int, a float, ``true``, ``false`` or ``none`` where it reads as one, else a string. The groups are
``methods`` (those of the registry), ``peers`` and ``all`` (both). A peer may be named without its prefix where no
method bears the name. A method published for blocks of one kind of gap, ``inline``, gets those, and one that is made
for pages without what they hide, ``hidden``, those. ``texts/FOLDER`` is what another program wrote
(`pipelines.evaluation.harness.stored_texts`), ``proxy/http://HOST:PORT`` one that cleans what is fetched through it
(`pipelines.evaluation.harness.live_proxy`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast
from urllib.parse import urlsplit

from crawler.page import PageRules
from pipelines.boilerplate import registry
from pipelines.boilerplate.labels import rules_of
from pipelines.evaluation.peers import PREFIX, installed, load, peers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from crawler.page.limits import Hidden, Inline
    from pipelines.boilerplate.labels import Cleaner
    from pipelines.evaluation.peers import Extractor

Value = int | float | bool | str | None
Options = tuple[tuple[str, Value], ...]

ALL, METHODS, PEERS = "all", "methods", "peers"
TEXTS, PROXY = "texts/", "proxy/"
UPSTREAM = ":upstream="
# Pages are served on loopback alone, and only what is there itself can ask for them.
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
# What pages hide: as each method is made for, or one for all.
OWN = "own"
HIDDEN = (OWN, "keep", "drop")
# The operating points of a method that has an option `preset`.
PRESETS = ("precision", "balanced", "recall")
_WORDS: dict[str, Value] = {"true": True, "false": False, "none": None}


class ProxyAddress(NamedTuple):
    """Where a proxy listens; *upstream* the port at which it asks for pages by their own addresses, None where it is to
    ask for them at ours.
    """

    host: str
    port: int
    upstream: int | None


@dataclass(frozen=True, slots=True)
class Subject:
    """A method with its options, or a peer, as one row of the table.

    *name* is the specification; *inline* the gaps of the blocks that a method gets, None for a peer, *hidden* whether
    it is made for pages with what they hide. *isolated*: it runs in a process of its own, with limits of time and
    memory, as all do that are not known to take linear time: peers, and methods whose class says ``linear = False``.
    *problem* says why a method cannot be loaded, "" when it can. *folder* has the texts of one that is not run, None
    else, *proxy* the address of one that runs already.
    """

    name: str
    base: str
    options: Options = ()
    inline: Inline | None = None
    hidden: Hidden = "keep"
    isolated: bool = True
    problem: str = ""
    folder: Path | None = None
    proxy: ProxyAddress | None = None

    @property
    def is_peer(self) -> bool:
        """Whether it is another project's."""
        return self.base.startswith((PREFIX, TEXTS, PROXY))

    @property
    def is_package(self) -> bool:
        """Whether it is another project's Python package."""
        return self.base.startswith(PREFIX)

    def rules(self, hidden: str) -> PageRules:
        """Return the rules by which a method gets pages; *hidden* is one of `HIDDEN`."""
        its = self.hidden if hidden == OWN else cast("Hidden", hidden)
        return PageRules(inline=self.inline or "gap", hidden=its)

    def cleaner(self) -> Cleaner:
        """Return the method, made anew."""
        return registry.get(self.base, **dict(self.options))

    def extractor(self) -> Extractor:
        """Return the peer, imported."""
        return load(self.base)


def subjects_of(specs: Sequence[str], *, presets: bool = False) -> list[Subject]:
    """Return the subjects that *specs* name, each once, in the order of the first mention.

    With *presets* a method that has an option of that name is there with each of its presets too.
    Raises ValueError for an unknown name, option or value, naming what is known.
    """
    found: dict[str, Subject] = {}
    for spec in specs:
        for name in _GROUPS[spec]() if spec in _GROUPS else (spec,):
            made = subject(name)
            found.setdefault(made.name, made)
            for preset in _presets(made) if presets else ():
                found.setdefault(preset.name, preset)
    if not found:
        raise ValueError("no method is named")
    return list(found.values())


def subject(spec: str) -> Subject:
    """Return the subject that *spec* names; raises ValueError as `subjects_of` does."""
    if spec.startswith(TEXTS):
        return _of_texts(spec)
    if spec.startswith(PROXY):
        return Subject(spec, spec, isolated=False, proxy=_proxy_address(spec))
    name, options = parse_spec(spec)
    if name not in registry.methods():
        peer = name if name.startswith(PREFIX) else PREFIX + name
        if peer in peers():
            if options:
                raise ValueError(f"{peer} takes no options; it is called as its authors show")
            return Subject(peer, peer)
        if name.startswith(PREFIX):
            installed(name)  # names the known peers
        _check_near(name)
    try:
        cleaner = registry.get(name, **dict(options))
    except (ImportError, FileNotFoundError) as error:
        return Subject(spec, name, options, "gap", problem=f"cannot be loaded ({error})")
    except ValueError as error:
        if not options:
            raise
        raise ValueError(f"{spec}: {error}") from error
    isolated = not getattr(cleaner, "linear", True)
    return Subject(spec, name, options, cleaner.inline, rules_of(cleaner).hidden, isolated)


def _check_near(name: str) -> None:
    """Raise ValueError where methods or peers are like *name*, which is none, and may be meant."""
    known = [*registry.methods(), *(each.removeprefix(PREFIX) for each in peers())]
    if near := registry.nearest(name, known):
        raise ValueError(f"unknown cleaning method {name!r}; {near.strip()}")


def _of_texts(spec: str) -> Subject:
    name = spec.removeprefix(TEXTS)
    folder = Path(name)
    if not (name and folder.is_dir()):
        raise ValueError(f"{spec}: no folder {name!r}; give that of the files ID.txt or ID.html")
    return Subject(spec, spec, isolated=False, folder=folder)


def _proxy_address(spec: str) -> ProxyAddress:
    url, marked, number = spec.removeprefix(PROXY).partition(UPSTREAM)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        upstream = int(number) if marked else None
    except ValueError as error:
        raise ValueError(f"{spec}: {error}") from error
    if parts.scheme != "http" or not host or not port or parts.path.strip("/") or parts.query:
        raise ValueError(f"{spec} names no proxy; give proxy/http://127.0.0.1:PORT")
    if host not in _LOOPBACK:
        raise ValueError(
            f"{spec} is not on this machine, where alone pages are served; give proxy/http://127.0.0.1:PORT"
        )
    if upstream is not None and not 0 <= upstream < 2**16:
        raise ValueError(f"{spec}: upstream must be 0 to 65535, got {upstream}")
    return ProxyAddress(host, port, upstream)


def parse_spec(spec: str) -> tuple[str, Options]:
    """Return the name and the typed options of *spec*.

    >>> parse_spec("cut:share=.5:words=10:lists=true:language=German")
    ('cut', (('share', 0.5), ('words', 10), ('lists', True), ('language', 'German')))
    """
    name, *parts = spec.split(":")
    options = []
    for part in parts:
        option, equals, text = part.partition("=")
        if not equals or not option:
            raise ValueError(f"{part!r} in {spec!r} is no OPTION=VALUE")
        options.append((option, typed_value(text)))
    if len({option for option, _ in options}) < len(options):
        raise ValueError(f"an option is given twice in {spec!r}")
    return name, tuple(options)


def typed_value(text: str) -> Value:
    """Return *text* as an int, a float, a bool or None where it reads as one."""
    word = text.lower()
    if word in _WORDS:
        return _WORDS[word]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _presets(made: Subject) -> Iterable[Subject]:
    """Return *made* with each of its presets, nothing where it has none or one is chosen."""
    if made.is_peer or "preset" in dict(made.options):
        return []
    try:
        return [subject(f"{made.name}:preset={preset}") for preset in PRESETS]
    except ValueError:
        return []


_GROUPS: dict[str, Callable[[], tuple[str, ...]]] = {
    METHODS: registry.methods,
    PEERS: peers,
    ALL: lambda: (*registry.methods(), *peers()),
}
