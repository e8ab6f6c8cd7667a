"""The explorer as a web application: addresses, what each shows, and how errors are told.

Nothing here changes the corpus. A crawled page is foreign text: all of it is escaped, no script runs, and
answers go to requests alone that name a host of this machine, or the one that was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse
from starlette.routing import Route

from crawler.errors import FormatError, WinnowError
from crawler.explorer.snippets import snippet
from crawler.explorer.state import PAGE_ROWS
from pipelines.jobs.report.plots import plots_of
from pipelines.jobs.report.tables import details, overview
from pipelines.jobs.sheets.page import body

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from crawler.explorer.inspect import PageInspector
    from crawler.explorer.state import Explorer

N_RESULTS = 20
MAX_RESULTS = 1000
_LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'"
# What other commands write for people into the corpus folder.
_FILES = ("report.html", "laws/laws.html", "locality/locality.html")


def make_app(explorer: Explorer, inspector: PageInspector, hosts: Sequence[str] = ()) -> Starlette:
    """Return the application over *explorer*; *hosts* may be named by requests besides those of this machine."""
    views = _Views(explorer, inspector)
    routes = [
        Route("/", views.home),
        Route("/search", views.search),
        Route("/url", views.url),
        Route("/page/{host:int}/{local:int}", views.page),
        Route("/inspect/{host:int}/{local:int}", views.inspect),
        Route("/host/{host:int}", views.host),
        Route("/rejected", views.rejected),
        Route("/report", views.report),
        Route("/files/{name:path}", views.file),
    ]
    allowed = [*_LOCAL_HOSTS, *hosts]
    return Starlette(
        routes=routes,
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=allowed, www_redirect=False)],
        exception_handlers={HTTPException: views.not_found, WinnowError: views.told},
    )


class _Views:
    def __init__(self, explorer: Explorer, inspector: PageInspector) -> None:
        self._explorer = explorer
        self._inspector = inspector
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

    def home(self, _: Request) -> Response:
        folder = self._explorer.folder
        files = [name for name in _FILES if (folder / name).is_file()]
        return self._shown("home.html", facts=self._explorer.facts(), files=files)

    def search(self, request: Request) -> Response:
        query = request.query_params.get("q", "").strip()
        if query.startswith(("http://", "https://")):
            return RedirectResponse(request.url_for("url").include_query_params(u=query))
        n = min(_number(request, "n", N_RESULTS), MAX_RESULTS)
        facets = request.query_params.getlist("facet")
        found = self._explorer.search(query, max(n, 1), facets=facets)
        pieces = [snippet(each.text, query) for each in found.results]
        shown: dict[str, Any] = {
            "found": found,
            "pieces": pieces,
            "n": n,
            "more": min(n + N_RESULTS, MAX_RESULTS),
        }
        return self._shown("search.html", query=query, chosen=facets, **shown)

    def url(self, request: Request) -> Response:
        address = request.query_params.get("u", "")
        page = self._explorer.page_of_url(address)
        if page is None:
            raise HTTPException(404, f"the corpus has no page {address}")
        return RedirectResponse(request.url_for("page", host=page[0], local=page[1]))

    def _row(self, request: Request) -> tuple[str, dict[str, Any]]:
        host, local = (request.path_params[name] for name in ("host", "local"))
        found = self._explorer.page(host, local) if max(host, local) < 2**32 else None
        if found is None:
            raise HTTPException(404, f"the corpus has no page {host}/{local}")
        return found

    def page(self, request: Request) -> Response:
        table, row = self._row(request)
        return self._shown("page.html", table=table, row=row, blocks=row.get("blocks") or [])

    def inspect(self, request: Request) -> Response:
        _, row = self._row(request)
        # It has a policy of its own, which lets its own script run.
        return HTMLResponse(self._inspector.html(self._explorer.folder, row))

    def host(self, request: Request) -> Response:
        start = _number(request, "start", 0)
        found = self._explorer.host(request.path_params["host"], start)
        if not found.rows:
            raise HTTPException(404, "no more documents of this host")
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
        parts = (
            None if facts is None else body([*overview(facts), *plots_of(facts), *details(facts)])
        )
        return self._shown("report.html", parts=parts)

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
        if isinstance(error, FormatError):  # or a job has put other files in the place of these
            self._explorer.renew()
        return self._shown("told.html", status=422, told=str(error))


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else default
