"""Pages of results that were saved from a browser."""

from __future__ import annotations

import quopri
from base64 import encodebytes, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.errors import InputError
from crawler.seeds.saved_results import check_saved, find_saved, read_saved, saved_results

MARK = "<!-- saved from url=(0040)https://www.engine.test/search?q=mill -->\n"
ENCODED = urlsafe_b64encode(b"https://a.test/p?x=1&y=2").decode().rstrip("=")


def urls(markup: str, mark: str = MARK) -> list[str]:
    return saved_results((mark + markup).encode(), "file.html").urls


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("https://a.test/page", ["https://a.test/page"]),
        ("https://www.engine.test/help", []),
        ("https://engine.co.uk/help", []),  # the same engine in another country
        ("/about", []),
        ("/url?q=https://a.test/page&amp;sa=U", ["https://a.test/page"]),
        ("/url?esrc=s&amp;url=https%3A%2F%2Fa.test%2Fp%3Fx%3D1", ["https://a.test/p?x=1"]),
        ("https://engine.test/l/?uddg=https%3A%2F%2Fa.test%2F&amp;rut=9", ["https://a.test/"]),
        (f"https://www.engine.test/ck/a?!&amp;p=7&amp;u=a1{ENCODED}&amp;ntb=1", ["https://a.test/p?x=1&y=2"]),
        ("https://r.engine.test/_ylt=A/RV=2/RU=https%3a%2f%2fa.test%2fx/RK=2/RS=q", ["https://a.test/x"]),
        ("/url?q=https://www.engine.test/more", []),
        ("/ck/a?u=a1%%%", []),
        ("javascript:void(0)", []),
        ("mailto:a@a.test", []),
    ],
)  # fmt: skip
def test_what_a_link_of_an_engine_leads_to(href, found):
    assert urls(f'<a href="{href}">x</a>') == found


def test_results_come_in_order_and_once_each():
    markup = "".join(f"<a href=http://{name}.test/>x</a>" for name in "bacab")
    assert urls(markup) == ["http://b.test/", "http://a.test/", "http://c.test/"]


@pytest.mark.parametrize(
    "head",
    [
        "<link rel=canonical href=https://www.engine.test/>",
        "<base href=https://www.engine.test/search>",
        "<!-- saved from url=(0028)https://engine.test:8443/x -->",
    ],
)
def test_whose_page_it_is(head):
    markup = f"{head}<a href=https://engine.test/more>x</a><a href=http://a.test/>y</a>"
    assert urls(markup, mark="") == ["http://a.test/"]


def test_a_page_that_says_nothing_of_itself():
    found = saved_results(
        b"<a href=/x>x</a><a href=http://a.test/>y</a><link rel=next href=http://b.test/>",
        "r 1.html",
    )
    assert found == ("r 1.html", ["http://a.test/"])


@pytest.mark.parametrize(
    ("coding", "encode"),
    [
        ("quoted-printable", quopri.encodestring),
        ("base64", encodebytes),
        ("binary", bytes),
    ],
)
def test_pages_that_were_saved_in_one_file(coding, encode):
    """MHTML, the single file of Chrome and Edge: its addresses are no longer those of the markup."""
    page = '<title>mlin</title><a href="http://a.test/p?x=1&amp;y=č">x</a><a href="/about">y</a>'
    head = (
        "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://www.engine.test/search?q=mill\r\n"
        'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="==b"\r\n\r\n'
        "--==b\r\nContent-Type: text/html; charset=utf-8\r\nContent-ID: <frame@mhtml.blink>\r\n"
        f"Content-Transfer-Encoding: {coding}\r\n"
        "Content-Location: https://www.engine.test/search?q=mill\r\n\r\n"
    )
    others = b"\r\n--==b\r\nContent-Type: text/html\r\n\r\n<a href=http://frame.test/>x</a>\r\n--==b--\r\n"
    found = saved_results(head.encode() + encode(page.encode()) + others, "file.mhtml")
    assert found == ("mlin", ["http://a.test/p?x=1&y=%C4%8D"])


@given(st.binary(max_size=300))
def test_any_bytes_of_one_file_are_read(data):
    head = b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n"
    saved_results(head + data, "x")
    saved_results(head + b"\n--b\nContent-Type: text/html\n" + data, "x")


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data):
    for url in saved_results(MARK.encode() + b'<a href="' + data + b'">x</a>' + data, "x").urls:
        assert url.startswith(("http://", "https://"))


@pytest.mark.parametrize("depth", [500, 990, 5000])
def test_parts_within_parts_are_no_page(depth):
    parts = "".join(
        f'Content-Type: multipart/related; boundary="b{n}"\n\n--b{n}\n' for n in range(depth)
    )
    assert saved_results(f"MIME-Version: 1.0\n{parts}".encode(), "x").urls == []


def test_files_are_found_by_a_glob(tmp_path):
    for name in ("b.html", "a.html", "c.txt"):
        (tmp_path / name).write_text("<a href=http://a.test/>x</a>", encoding="utf-8")
    (tmp_path / "d.html").mkdir()
    found = find_saved(f"{tmp_path}/*.html")
    assert [path.name for path in found] == ["a.html", "b.html"]
    assert read_saved(found[0]).urls == ["http://a.test/"]
    with pytest.raises(InputError, match=r"\*\.pdf"):
        find_saved(f"{tmp_path}/*.pdf")
    with pytest.raises(InputError, match=r"cannot read n+ of saved=n+: File name too long"):
        find_saved("n" * 300)


def test_files_of_which_none_has_results_are_refused(tmp_path):
    prose, links = tmp_path / "a.txt", tmp_path / "b.html"
    prose.write_text("Prose, and www.example.org within it.")
    links.write_text('<a href="http://a.test/">a</a>')
    check_saved([prose, links])
    with pytest.raises(InputError, match=r"a\.txt has no link to another site; save pages of"):
        check_saved([prose])
    with pytest.raises(InputError, match=r"a\.txt and 2 others have no link"):
        check_saved([prose] * 3)


def test_brackets_in_the_name_of_a_file_are_its_own(tmp_path):
    path = tmp_path / "mill [1].html"
    path.write_bytes(b"x")
    assert find_saved(str(path)) == [path]
