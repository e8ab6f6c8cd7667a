"""``scrapy clean``: removes the boilerplate of pages on disk."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.commands.base import WinnowCommand
from crawler.errors import InputError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from crawler.page import PageModel
    from pipelines.boilerplate.registry import Labels

_FORMATS = ("text", "json")
_STDIN = "-"


class Command(WinnowCommand):
    """Cleans files or standard input; the text goes to stdout, one block a line."""

    def syntax(self) -> str:
        return "[options] FILE|- ..."

    def short_desc(self) -> str:
        return "Clean pages from disk or standard input"

    def long_desc(self) -> str:
        return (
            "Print the main text of HTML or plain text files, or of standard input for '-'. "
            "With --format json one object a file, with every block, its label and its densities."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        from pipelines.boilerplate.registry import methods

        default = self.default_settings["CLEAN_METHOD"]
        known = ", ".join(methods())
        parser.add_argument(
            "--method", metavar="NAME", help=f"{known} (default: setting CLEAN_METHOD, {default})"
        )
        parser.add_argument(
            "--charset", metavar="NAME", help="what the server said; default: see the page itself"
        )
        parser.add_argument("--format", default="text", metavar="NAME", help="text (default), json")

    def run_checked(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args:
            raise InputError("no file given; name one or more, or - for standard input")
        if opts.format not in _FORMATS:
            raise InputError(f"--format is {opts.format!r}; give one of {', '.join(_FORMATS)}")
        assert self.settings is not None
        method = opts.method or self.settings["CLEAN_METHOD"]
        from pipelines.boilerplate.registry import get

        try:
            cleaner = get(method)
        except ValueError as error:
            raise InputError(f"--method: {error}") from error
        _check_charset(opts.charset)
        _check_files(args)
        for place, name in enumerate(args):
            model = _page(name, opts.charset)
            labels = cleaner.label(model.blocks)
            if opts.format == "json":
                text = json.dumps(_record(name, method, model, labels), ensure_ascii=False) + "\n"
            else:
                text = ("\n" if place else "") + "".join(
                    f"{line}\n" for line in _kept(model, labels)
                )
            sys.stdout.write(text)


def _check_charset(charset: str | None) -> None:
    from crawler.page.charsets import charset_of

    if charset is not None and charset_of(charset) is None:
        raise InputError(f"--charset is {charset!r}; give an encoding of the web, such as utf-8")


def _check_files(names: Sequence[str]) -> None:
    """Raise for the first file that cannot be read, before anything is printed."""
    for name in names:
        if name != _STDIN:
            try:
                Path(name).open("rb").close()
            except OSError as error:
                raise _unreadable(name, error) from error


def _unreadable(name: str, error: OSError) -> InputError:
    return InputError(
        f"cannot read {name}: {error.strerror or error}; name a file that can be read"
    )


def _page(name: str, charset: str | None) -> PageModel:
    from crawler.page import build_page

    try:
        body = sys.stdin.buffer.read() if name == _STDIN else Path(name).read_bytes()
    except OSError as error:
        raise _unreadable(name, error) from error
    url = "" if name == _STDIN else Path(name).resolve().as_uri()
    # Without a type the page model looks for tags.
    content_type = None if charset is None else f";charset={charset}"
    model = build_page(body, url=url, content_type=content_type)
    if model.reject == "content_type":
        raise InputError(f"{name} is no HTML and no plain text; name a page")
    return model


def _kept(model: PageModel, labels: Labels) -> list[str]:
    return [text for text, keep in zip(model.blocks.text, labels.kept, strict=True) if keep]


def _record(name: str, method: str, model: PageModel, labels: Labels) -> dict[str, Any]:
    blocks = model.blocks
    columns = {
        "text": blocks.text,
        "kind": blocks.kind,
        "label": labels.label,
        "kept": labels.kept.tolist(),
        "words": blocks.n_words.tolist(),
        "link_density": blocks.link_density.tolist(),
        "text_density": blocks.text_density.tolist(),
        "path": blocks.path,
    }
    return {
        "file": name,
        "method": method,
        "title": model.title,
        "charset": model.charset,
        "declared_language": model.declared_language,
        "text": "\n".join(_kept(model, labels)),
        "blocks": [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ],
    }
