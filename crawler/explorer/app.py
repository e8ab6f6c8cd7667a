"""The explorer as a web application: addresses, what each shows, and how errors are told.

Nothing here changes the corpus. A crawled page is foreign text: all of it is escaped, no script runs, and
answers go to requests alone that name this machine (crawler.explorer.hosts).
"""

from __future__ import annotations

from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.routing import Route

from crawler.errors import FormatError, InputError, WinnowError
from crawler.explorer.density import page_diagram
from crawler.explorer.hosts import NamedHosts
from crawler.explorer.snippets import snippet
from crawler.explorer.state import PAGE_ROWS
from pipelines.boilerplate.renderers.density_diagram import DIAGRAM_STYLE
from pipelines.jobs.facets.run import SHOWN, facet_tree
from pipelines.jobs.facets.search import FacetOptions
from pipelines.jobs.report.tables import details, overview
from pipelines.jobs.sheets.page import body

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starlette.requests import Request
    from starlette.responses import Response

    from crawler.explorer.inspect import PageInspector
    from crawler.explorer.state import Explorer
    from pipelines.jobs.report.facts import CorpusFacts
    from pipelines.jobs.sheets.page import Plot
    from pipelines.jobs.sheets.table import Table

N_RESULTS = 20
MAX_RESULTS = 1000
# HostIDs and LocalIDs are below.
_IDS_END = 2**32
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'"
# What other commands write for people into the corpus folder.
_FILES = ("report.html", "laws/laws.html", "locality/locality.html")


def make_app(explorer: Explorer, inspector: PageInspector, names: Collection[str]) -> Starlette:
    """Return the application over *explorer* for requests that call this machine by an address or one of *names*."""
    views = _Views(explorer, inspector)
    shown = {
        "/": views.home,
        "/search": views.search,
        "/url": views.url,
        "/page/{host:int}/{local:int}": views.page,
        "/inspect/{host:int}/{local:int}": views.inspect,
        "/host/{host:int}": views.host,
        "/rejected": views.rejected,
        "/report": views.report,
        "/files/{name:path}": views.file,
    }
    return Starlette(
        routes=[Route(path, views.of_today(view)) for path, view in shown.items()],
        middleware=[Middleware(NamedHosts, names=names)],
        exception_handlers={HTTPException: views.not_found, WinnowError: views.told},
    )


class _Views:
    def __init__(self, explorer: Explorer, inspector: PageInspector) -> None:
        self._explorer = explorer
        self._inspector = inspector
        self._drawing = Lock()
        self._drawn: tuple[CorpusFacts, str] | None = None
        self._templates = Environment(
            loader=PackageLoader("crawler.explorer", "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def _shown(self, name: str, *, status: int = 200, **values: Any) -> Response:
        values = {"corpus": self._explorer.folder, "query": "", **values}
        text = self._templates.get_template(name).render(values)
        return HTMLResponse(text, status, {"Content-Security-Policy": _POLICY})

    def of_today(self, view: Callable[[Request], Response]) -> Callable[[Request], Response]:
        """Return *view*, tried again where a job has put other files in the place of those of the snapshot."""

        @wraps(view)
        def shown(request: Request) -> Response:
            try:
                return view(request)
            except FormatError:
                self._explorer.renew()
                return view(request)

        return shown

    def home(self, _: Request) -> Response:
        folder = self._explorer.folder
        files = [name for name in _FILES if (folder / name).is_file()]
        return self._shown("home.html", facts=self._explorer.facts(), files=files)

    def search(self, request: Request) -> Response:
        query = request.query_params.get("q", "").strip()
        if query.startswith(("http://", "https://")):
            return RedirectResponse(request.url_for("url").include_query_params(u=query))
        n = max(1, min(_number(request, "n", N_RESULTS), MAX_RESULTS))
        facets = request.query_params.getlist("facet")
        options = _facet_options(request)
        found = self._explorer.search(query, n, facets=facets, options=options)
        pieces = [snippet(each.text, query) for each in found.results]
        answer = found.facets
        shown: dict[str, Any] = {
            "found": found,
            "facets": answer.facets[:SHOWN] if answer else [],
            "tree": facet_tree(answer.facets[:SHOWN]) if answer else [],
            "pieces": pieces,
            "options": options,
            "default": FacetOptions(),
            "more": min(n + N_RESULTS, MAX_RESULTS) if found.has_more and n < MAX_RESULTS else 0,
        }
        # Named as the answer names them, in whatever way the address does.
        chosen = answer.ranked_by if answer and facets else []
        return self._shown("search.html", query=query, chosen=chosen, **shown)

    def url(self, request: Request) -> Response:
        address = request.query_params.get("u", "")
        page = self._explorer.page_of_url(address)
        if page is None:
            raise HTTPException(404, f"the corpus has no page {address}")
        return RedirectResponse(request.url_for("page", host=page[0], local=page[1]))

    def _row(self, request: Request) -> tuple[str, dict[str, Any]]:
        host, local = (request.path_params[name] for name in ("host", "local"))
        found = self._explorer.page(host, local) if max(host, local) < _IDS_END else None
        if found is None:
            raise HTTPException(404, f"the corpus has no page {host}/{local}")
        return found

    def page(self, request: Request) -> Response:
        table, row = self._row(request)
        blocks = row.get("blocks") or []
        shown: dict[str, Any] = {"diagram": page_diagram(blocks), "diagram_style": DIAGRAM_STYLE}
        return self._shown("page.html", table=table, row=row, blocks=blocks, **shown)

    def inspect(self, request: Request) -> Response:
        _, row = self._row(request)
        # It has a policy of its own, which lets its own script run.
        return HTMLResponse(self._inspector.html(self._explorer.folder, row))

    def host(self, request: Request) -> Response:
        host, start = request.path_params["host"], _number(request, "start", 0)
        found = self._explorer.host(host, start) if host < _IDS_END else None
        if found is None or not found.rows:
            more = "more " if start else ""
            raise HTTPException(404, f"the corpus has no {more}pages of this host")
        return self._shown("host.html", found=found, start=start, step=PAGE_ROWS)

    def rejected(self, request: Request) -> Response:
        start, reason = _number(request, "start", 0), request.query_params.get("reason", "")
        found = self._explorer.rejected(reason, start)
        facts = self._explorer.facts()
        counts = [] if facts is None else facts.rejected.most_common()
        reasons = {"/".join(key): n for key, n in counts}
        shown: dict[str, Any] = {
            "start": start,
            "step": PAGE_ROWS,
            "reason": reason,
            "reasons": reasons,
        }
        return self._shown("rejected.html", found=found, **shown)

    def report(self, _: Request) -> Response:
        facts = self._explorer.facts()
        return self._shown("report.html", parts=None if facts is None else self._parts(facts))

    def _parts(self, facts: CorpusFacts) -> str:
        """Return the report of *facts*; it is drawn once, which takes some two seconds."""
        # The start of the explorer need not wait for what draws.
        from pipelines.jobs.report.plots import plots_of

        with self._drawing:
            if self._drawn is None or self._drawn[0] is not facts:
                parts: list[Table | Plot] = [*overview(facts), *plots_of(facts)]
                self._drawn = facts, body([*parts, *details(facts)])
            return self._drawn[1]

    def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in _FILES or not (self._explorer.folder / name).is_file():
            raise HTTPException(404, f"no file {name}")
        return FileResponse(
            self._explorer.folder / name, headers={"Content-Security-Policy": _POLICY}
        )

    def not_found(self, _: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return self._shown("told.html", status=error.status_code, told=error.detail)

    def told(self, _: Request, error: Exception) -> Response:
        return self._shown("told.html", status=422, told=str(error))


def _facet_options(request: Request) -> FacetOptions:
    """Return k and theta of *request*; raise `InputError`."""
    default = FacetOptions()
    try:
        return FacetOptions(
            sample=int(request.query_params.get("k") or default.sample),
            theta=float(request.query_params.get("theta") or default.theta),
        )
    except ValueError as error:
        raise InputError(
            "k is a number of results, 1 and more, and theta a membership above 0, at most 45; these are none"
        ) from error


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default
