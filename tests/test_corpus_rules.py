"""Settings that decide what a page becomes, changed when a crawl goes on with its corpus."""

from __future__ import annotations

import json

import pytest
from scrapy.utils.test import get_crawler

from crawler.errors import FormatError, InputError
from pipelines.corpus.manifest import read_manifest, write_manifest
from pipelines.corpus.rules import changes, disagreement, file_rule, rules_since, together
from pipelines.jobs.merge.run import MergeReport
from pipelines.linguistics.trigram_models import TrigramModel
from pipelines.stages.rules import rules_of
from tests.conftest import run_scrapy
from tests.hostile_server import HTML, Hostile, page, reply, served_bytes

TEXT = page(b"Nine words that stand here for a whole text.")


def crawled(folder, command, *options):
    settings = (f"CORPUS_DIR={folder / 'corpus'}", f"HOSTS_FILE={folder / 'hosts.tsv'}")
    words = [word for setting in settings for word in ("-s", setting)]
    return run_scrapy(*command, "-a", f"seeds={folder / 'seeds.txt'}", "--nolog", *words, *options)


COMMANDS = [
    ("crawl", "odp"),
    pytest.param(("fleet", "odp", "-p", "2"), marks=pytest.mark.long),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_other_rules_are_refused_and_recorded_where_they_may_change(tmp_path, command):
    hostile = Hostile({f"h{n}/": reply(TEXT, HTML) for n in range(4)})
    folder = tmp_path / "corpus"

    def rules():
        return [each["settings"]["QUALITY_MIN_WORDS"] for each in read_manifest(folder).rules]

    with served_bytes(tmp_path, hostile):
        first = crawled(tmp_path, command, "-a", "max_pages=1")
        assert (first.returncode, rules()) == (0, [25]), first.stderr
        n_asked, manifest = len(hostile.asked), (folder / "manifest.json").read_bytes()
        other = ("-s", "QUALITY_MIN_WORDS=5", "-s", "LANGUAGE_KEEP=en,de")
        refused = crawled(tmp_path, command, *other, "-a", "recrawl_after=0s")
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == (
            f"winnow: the pages of {folder} were made by other rules: LANGUAGE_KEEP was [], is "
            '["de", "en"]; QUALITY_MIN_WORDS was 25, is 5; go on with the old ones, give another '
            "CORPUS_DIR, or -s CORPUS_RULES_MAY_CHANGE=1 to make the pages to come by the new ones\n"
        )
        assert (len(hostile.asked), (folder / "manifest.json").read_bytes()) == (n_asked, manifest)
        changed = crawled(tmp_path, command, *other, "-s", "CORPUS_RULES_MAY_CHANGE=1")
        assert (changed.returncode, rules()) == (0, [25, 5]), changed.stderr
        again = crawled(tmp_path, command, "-s", "LANGUAGE_KEEP=de,en", "-s", "QUALITY_MIN_WORDS=5")
        assert (again.returncode, rules()) == (0, [25, 5]), again.stderr
        back = crawled(tmp_path, command)
        assert back.returncode == 2
        assert "QUALITY_MIN_WORDS was 5, is 25;" in back.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_size_of_pages_and_the_stages_left_out_are_rules(tmp_path, command):
    hostile = Hostile({f"h{n}/": reply(TEXT, HTML) for n in range(4)})
    off = {
        f"pipelines.stages.{name}Stage": None
        for name in ("quality.Quality", "deduplicate.Deduplicate")
    }
    given = ("-s", "DOWNLOAD_MAXSIZE=9000", "-s", f"ITEM_PIPELINES={json.dumps(off)}")
    with served_bytes(tmp_path, hostile):
        first = crawled(tmp_path, command, *given, "-a", "max_pages=1")
        (rules,) = read_manifest(tmp_path / "corpus").rules
        assert rules["settings"]["DOWNLOAD_MAXSIZE"] == 9000, first.stderr
        other = crawled(tmp_path, command)
        assert other.returncode == 2
        assert other.stderr.startswith(
            f"winnow: the pages of {tmp_path / 'corpus'} were made by other rules: DOWNLOAD_MAXSIZE was 9000, is "
            '8388608; ITEM_PIPELINES was {"pipelines.stages.quality.QualityStage": null}, is {}; go on'
        )
        same = crawled(tmp_path, command, *given)
        assert same.returncode == 0, same.stderr


def test_a_corpus_without_a_row_takes_other_rules(tmp_path):
    with served_bytes(tmp_path, Hostile({"h/": reply(TEXT, HTML)})):
        (tmp_path / "hosts.tsv").rename(tmp_path / "known.tsv")
        (tmp_path / "hosts.tsv").write_text("none.example\t127.0.0.1\t1\n")
        crawled(tmp_path, ("crawl", "odp"), "-a", "max_hours=0.0000001")
        assert len(read_manifest(tmp_path / "corpus").rules) == 1
        (tmp_path / "known.tsv").rename(tmp_path / "hosts.tsv")
        done = crawled(tmp_path, ("crawl", "odp"), "-s", "QUALITY_MIN_WORDS=5")
    assert (done.returncode, len(read_manifest(tmp_path / "corpus").rules)) == (0, 1), done.stderr


def test_rules_of_several_folders_stand_together_and_are_told(tmp_path):
    first, second = (
        {"since": f"2026-01-0{n}T00:00:00+00:00", "settings": {"QUALITY_MIN_WORDS": n, "A": 1}}
        for n in (1, 2)
    )
    later = {**first, "since": "2026-01-03T00:00:00+00:00"}
    same = {**first, "since": "2026-01-01T00:00:01+00:00"}
    rules = together([[first, second], [same], [later]])
    assert rules == [first, second, later]
    assert changes(rules) == {"QUALITY_MIN_WORDS": ["1", "2"]}
    report = MergeReport("all", ["0000"], 1, 1, [], changes(rules))
    assert "not all pages were made by the same rules: QUALITY_MIN_WORDS 1, 2\n" in report.screen()
    write_manifest(tmp_path, settings="", counts={}, shards=[], rules=rules)
    assert read_manifest(tmp_path).rules == rules
    path = tmp_path / "manifest.json"
    for damaged in ([{"since": ""}], [3], [{"settings": 1}], 7):
        path.write_text(json.dumps({**json.loads(path.read_text()), "rules": damaged}))
        with pytest.raises(FormatError, match=r"manifest\.json is damaged"):
            read_manifest(tmp_path)


def test_rules_that_a_release_did_not_know_count_as_what_it_did(tmp_path):
    hostile = Hostile({f"h{n}/": reply(TEXT, HTML) for n in range(4)})
    folder, later = tmp_path / "corpus", ("LANGUAGE_MODEL", "LANGUAGE_MODEL_MIN_SCORE")
    with served_bytes(tmp_path, hostile):
        assert crawled(tmp_path, ("crawl", "odp"), "-a", "max_pages=1").returncode == 0
    manifest = json.loads((folder / "manifest.json").read_text())
    (rules,) = manifest["rules"]
    given = dict(rules["settings"])
    for name in (*later, "QUALITY_MIN_PAGE_BYTES"):
        del rules["settings"][name]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert rules_since(folder, given, may_change=False) == [rules]
    other = {**given, "QUALITY_MIN_PAGE_BYTES": 5000}
    with pytest.raises(InputError, match="QUALITY_MIN_PAGE_BYTES was 0, is 5000; go on"):
        rules_since(folder, other, may_change=False)
    began, ends = rules_since(folder, other, may_change=True)
    assert (began, ends["settings"]) == (rules, other)
    assert changes([rules, {"settings": given}]) == {}
    assert changes([rules, ends]) == {"QUALITY_MIN_PAGE_BYTES": ["0", "5000"]}
    assert together([[rules], [{"since": "3000", "settings": given}]]) == [rules]
    assert disagreement(rules["settings"], given) is None


def test_a_model_is_a_rule_by_what_is_in_it(tmp_path):
    model, moved = tmp_path / "one.model", tmp_path / "two.model"
    model.write_text("\n".join(TrigramModel.of(["Nine words that stand here"]).lines()))
    given = ("-s", f"LANGUAGE_MODEL={model}")
    hostile = Hostile({f"h{n}/": reply(TEXT, HTML) for n in range(4)})
    with served_bytes(tmp_path, hostile):
        first = crawled(tmp_path, ("crawl", "odp"), *given, "-a", "max_pages=1")
        assert first.returncode == 0, first.stderr
        rule = read_manifest(tmp_path / "corpus").rules[0]["settings"]["LANGUAGE_MODEL"]
        model.rename(moved)
        again = crawled(tmp_path, ("crawl", "odp"), "-s", f"LANGUAGE_MODEL={moved}")
        assert again.returncode == 0, again.stderr
        model.write_text("\n".join(TrigramModel.of(["Other words"]).lines()))
        refused = crawled(tmp_path, ("crawl", "odp"), *given)
    assert rule["file"] == str(model)
    said = [json.dumps(each, sort_keys=True) for each in (rule, file_rule(str(model)))]
    assert f"LANGUAGE_MODEL was {said[0]}, is {said[1]};" in refused.stderr
    assert refused.returncode == 2


def test_a_model_that_an_earlier_release_named_alone_is_the_file_of_that_name(tmp_path):
    model, folder = tmp_path / "own.model", tmp_path / "corpus"
    model.write_text("\n".join(TrigramModel.of(["Nine words that stand here"]).lines()))
    hostile = Hostile({f"h{n}/": reply(TEXT, HTML) for n in range(4)})
    options = ("-s", f"LANGUAGE_MODEL={model}")
    with served_bytes(tmp_path, hostile):
        assert crawled(tmp_path, ("crawl", "odp"), *options, "-a", "max_pages=1").returncode == 0
    manifest = json.loads((folder / "manifest.json").read_text())
    (rules,) = read_manifest(folder).rules
    cleaner = {"CLEAN_OPTIONS": {"model": file_rule(str(model)), "least": 0}}
    given = {**rules["settings"], **cleaner}
    earlier = {"LANGUAGE_MODEL": str(model), "CLEAN_OPTIONS": {"model": str(model), "least": 0}}
    manifest["rules"] = [{**rules, "settings": {**given, **earlier}}]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert rules_since(folder, given, may_change=False) == [{**rules, "settings": given}]
    model.write_text("another")
    with pytest.raises(InputError, match=r"CLEAN_OPTIONS was .*; LANGUAGE_MODEL was "):
        rules_since(folder, given, may_change=False)
    model.unlink()
    with pytest.raises(InputError, match='LANGUAGE_MODEL was "/'):
        rules_since(folder, given, may_change=False)


def test_a_model_of_the_cleaner_is_a_rule_by_what_is_in_it(tmp_path):
    file = tmp_path / "own.npz"
    rules = []
    for content in (b"one", b"two"):
        file.write_bytes(content)
        settings = {"CORPUS_DIR": str(tmp_path), "CLEAN_OPTIONS": {"model": str(file), "least": 0}}
        rules += rules_of(get_crawler(settings_dict=settings).settings)
    assert list(changes(rules)) == ["CLEAN_OPTIONS"]
    file.unlink()
    (unread,) = rules_of(get_crawler(settings_dict=settings).settings)
    assert unread["settings"]["CLEAN_OPTIONS"] == settings["CLEAN_OPTIONS"]
