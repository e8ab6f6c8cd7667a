"""Search services: what they are asked, what they answer, and what is kept of it."""

from __future__ import annotations

import pytest

from crawler.durable.layout import SEARCHES
from crawler.errors import FormatError, InputError
from crawler.seeds.search_asking import MAX_ANSWER_BYTES, MAX_RETRY_SECS, ask
from crawler.seeds.search_record import Search, SearchRecord
from crawler.seeds.search_services import AnswerError, service_of
from tests.search_server import Reply, searching


def test_a_searxng_instance_is_named_by_its_address():
    service = service_of("http://127.0.0.1:8888/")
    assert service.page_url('"sea bass" grill', page=1, language="de") == (
        "http://127.0.0.1:8888/search?q=%22sea%20bass%22%20grill&format=json&pageno=2&language=de"
    )
    assert service.page_url("a&b") == "http://127.0.0.1:8888/search?q=a%26b&format=json&pageno=1"
    assert service.result_urls(
        b'{"results": [{"url": "http://a/"}, {"title": 3}, {"url": "http://a/"}]}'
    ) == ["http://a/"]


def test_a_template_is_filled_in():
    text = "https://a.test/{key}?{query}&{page}&{page0}&{start}&{offset}&{count}&l={language}"
    service = service_of(text, urls="channels.items.link", key="k/1")
    assert service.page_url("q w", page=2) == "https://a.test/k%2F1?q%20w&3&2&21&20&10"
    assert service.result_urls(
        b'{"channels": [{"items": [{"link": "x"}, {"link": ["y", "z"]}]}]}'
    ) == ["x", "y", "z"]
    assert "k/1" not in repr(service)


def test_a_service_with_a_key_in_a_header():
    service = service_of("brave", key="secret")
    assert service.headers["X-Subscription-Token"] == "secret"
    assert "secret" not in service.page_url("q")
    assert service.page_url("q", page=1).endswith("&offset=1")
    assert service.result_urls(b'{"web": {"results": [{"url": "http://a/"}]}}') == ["http://a/"]
    assert service.result_urls(b'{"query": {}}') == []
    escaped = (
        b'{"web": {"results": [{"url": "http://a/?x=1&amp;y=2"}, {"url": "http://a/?x=1&y=2"}]}}'
    )
    assert service.result_urls(escaped) == ["http://a/?x=1&y=2"]


DEEP = b'{"results": ' + b"[" * 5000 + b"]" * 5000 + b"}"


@pytest.mark.parametrize("answer", [b"", b"<html>", b'{"results": [', b"[" * 100_000, DEEP])
def test_what_is_no_json_is_told(answer):
    with pytest.raises(AnswerError, match="no_json"):
        service_of("http://a.test").result_urls(answer)


@pytest.mark.parametrize(
    "answer", [b"3", b"null", b"[]", b'{"results": null}', b'{"results": {"url": {"url": 3}}}']
)
def test_json_without_addresses_has_none(answer):
    assert service_of("http://a.test").result_urls(answer) == []


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("altavista", {}, "'altavista'"),
        ("brave", {}, "SEARCH_KEY"),
        ("brave", {"key": "k", "urls": "a.b"}, "urls is for other services than brave"),
        ("ftp://a.test/{query}", {}, "SearXNG"),
        ("http://a.test:99999/", {}, "SearXNG"),
        ("http:///x", {}, "SearXNG"),
        ("http://a.test/?q={query}&n={number}", {}, "{number}"),
        ("http://a.test/?q={query}&k={key}", {}, "SEARCH_KEY"),
        ("http://a.test/?q={query}", {"urls": "results..url"}, "results..url"),
    ],
)
def test_a_wrong_service_is_told_in_one_line(text, options, told):
    with pytest.raises(InputError) as error:
        service_of(text, **options)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_an_answer_is_read():
    with searching(lambda _: ["http://a/"]) as server:
        answer = ask(f"{server.url}/search?q=x", {"User-Agent": "mine"}, timeout_secs=5)
        assert service_of(server.url).result_urls(answer) == ["http://a/"]
        assert server.asked[0].headers["User-Agent"] == "mine"


@pytest.mark.parametrize(
    ("reply", "reason", "retry_secs"),
    [
        (Reply(b"", 403), "http_403", None),
        (Reply(b"", 429, (("Retry-After", "7"),)), "http_429", 7.0),
        (Reply(b"", 503, (("Retry-After", "9" * 20),)), "http_503", MAX_RETRY_SECS),
        (Reply(b"", 503, (("Retry-After", "soon"),)), "http_503", 0.0),
        (Reply(b"", 503, (("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"),)), "http_503", 0.0),
        (Reply(b"x" * (MAX_ANSWER_BYTES + 1)), "too_large", None),
        (Reply(b"", delay_secs=20), "timeout", 0.0),
    ],
)
def test_a_service_that_does_not_answer(reply, reason, retry_secs):
    with searching(lambda _: reply) as server, pytest.raises(AnswerError) as error:
        ask(server.url, {}, timeout_secs=1)
    assert (error.value.reason, error.value.retry_secs) == (reason, retry_secs)


def test_a_service_that_is_not_there():
    with searching(lambda _: []) as server:
        url = server.url
    with pytest.raises(AnswerError, match="unreachable"):
        ask(url, {}, timeout_secs=5)


def test_a_key_goes_nowhere_else():
    with searching(lambda _: []) as other:
        moved = Reply(b"", 302, (("Location", other.url),))
        with searching(lambda _: moved) as server, pytest.raises(AnswerError, match="http_302"):
            ask(server.url, {"X-Subscription-Token": "secret"}, timeout_secs=5)
        assert not other.asked


A, B = Search("s", "one two"), Search("s", "Ünï", "de")


def test_searches_are_kept(tmp_path):
    record = SearchRecord(tmp_path)
    assert record.urls(A, 10) is None
    record.add(A, 10, ["http://a/", "http://b/"])
    record.add(B, 5, [])
    again = SearchRecord(tmp_path)
    assert again.urls(A, 10) == ["http://a/", "http://b/"]
    assert again.urls(A, 1) == ["http://a/"]
    assert again.urls(A, 11) is None  # more are wanted than were asked for
    assert again.urls(B, 5) == []
    assert again.all_urls() == [("one two", ["http://a/", "http://b/"]), ("Ünï", [])]


def test_a_search_that_was_cut_by_a_crash_is_asked_again(tmp_path):
    SearchRecord(tmp_path).add(A, 10, ["http://a/"])
    path = tmp_path / SEARCHES
    first = path.read_bytes()
    SearchRecord(tmp_path).add(B, 5, ["http://b/"])
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        record = SearchRecord(tmp_path)
        assert record.urls(A, 10) == (["http://a/"] if size >= len(first) else None)
        assert record.urls(B, 5) is None
        record.add(B, 5, ["http://b/"])
        assert SearchRecord(tmp_path).urls(B, 5) == ["http://b/"]


@pytest.mark.parametrize(
    "data",
    [b"nonsense\n", b'{"format": "other"}\n', b'{"format": "winnow-searches", "version": 9}\n',
     b'{"format": "winnow-searches", "version": 1}\n{"query": 3}\n'],
)  # fmt: skip
def test_a_damaged_record_is_told(tmp_path, data):
    (tmp_path / SEARCHES).write_bytes(data)
    with pytest.raises(FormatError, match=SEARCHES):
        SearchRecord(tmp_path)
