"""Winnow's own settings: each with its meaning, unit and range. Nothing else declares a default.

To add one: name it ``STAGE_WHAT_UNIT``, say here what it means, read it in ``from_crawler`` with a typed getter and
no second default, and give it a row in the README. Seconds go up to 10^9.
"""

from __future__ import annotations

# --- the corpus folder and its commit -----------------------------------------------------------

# Folder that everything is written to; relative to the working directory.
CORPUS_DIR = "corpus"

# Whether a crawl that goes on may make further pages by other rules than those of its corpus, or fetch the pages that
# wait for a crawl which follows other links. Rules are PAGE_…, SEGMENT_…, CLEAN_METHOD, CLEAN_OPTIONS, METADATA_DATES,
# LANGUAGE_…, QUALITY_…, SIGNALS_OBEY, DOWNLOAD_MAXSIZE, and the stages that ITEM_PIPELINES leaves out (but
# `deduplicate`). Without this one that is not as it was is refused, with both values; with it, `rules` in the manifest
# says from when on which held. On several machines all shards must be given the new ones.
CORPUS_RULES_MAY_CHANGE = False

# Fetched pages of one commit, 1 or more: the group is committed when it holds so many pages, or when its oldest one
# is so many seconds old, above 0. Power loss takes at most this much.
COMMIT_GROUP_PAGES = 100
COMMIT_SYNC_SECS = 0.2

# Rows in the journal that make a shard, or their compressed bytes, whichever come first, 1 or more: larger is faster.
SEAL_ROWS = 5_000
SEAL_BYTES = 64 * 2**20

# Free bytes on the disk of the corpus below which a crawl pauses until there are more; 0 is off. One whose disk is
# full ends in one line, and goes on where it was when it is started again.
DISK_MIN_FREE_BYTES = 256 * 2**20

# Whether requests and answers are kept as they came over the wire, in WARC files in `warc/`; bytes at which one is
# ended and the next begun, 1 or more; it may grow beyond them by the pages of one commit.
WARC_ENABLED = False
WARC_MAX_BYTES = 10**9

# --- politeness and limits ----------------------------------------------------------------------

# Seconds between the end of one fetch from a host and the start of the next, 0 or more.
HOST_DELAY_SECS = 1.0

# The same between two fetches from one registrable domain, and from one address, whichever of their hosts they
# are of; one fetch at a time. Processes of one crawl keep together what they share. 0 is off.
DOMAIN_DELAY_SECS = 0.5
IP_DELAY_SECS = 0.25

# The delay of a host is at least this many times what its last answer took, up to the second, seconds. 0 is off.
HOST_DELAY_LATENCY_FACTOR = 1.0
HOST_DELAY_LATENCY_MAX_SECS = 30.0

# The longest Crawl-delay of a robots.txt that is honoured in full, seconds; longer ones are cut to it and counted.
CRAWL_DELAY_MAX_SECS = 30.0

# Seconds that a stopped crawl waits for fetches; those then broken off stay queued. 0 waits for all.
STOP_WAIT_SECS = 3.0

# Redirects in a row, 0 to 14, after which the target is refused.
REDIRECT_MAX_HOPS = 5

# Further attempts at a page that failed in passing (429, 5xx, time-out, connection, an answer that was cut), 0 or more.
# Seconds before the first, above 0, doubled for each one after it; a Retry-After header wins when it asks for longer.
# The longest Retry-After that is obeyed, seconds; a page that asks for longer is given up.
FETCH_RETRIES = 2
FETCH_RETRY_SECS = 5.0
RETRY_AFTER_MAX_SECS = 300.0

# Fetches in a row that a host fails (no answer, 429, 503) before it parks, 0 for never; its pages wait with it.
# Seconds that it parks, doubled each time that it fails again, up to the second; so long at most for a Retry-After.
# Times that it parks before it is dead, 0 or more: its pages are then rejected as `host_dead`.
HOST_PARK_ERRORS = 4
HOST_PARK_SECS = 900.0
HOST_PARK_MAX_SECS = 86_400.0
HOST_PARKS = 5

# Hosts in a row without an answer before a crawl tries those that answered last, and pauses if none is there; 0 never.
NETWORK_DOWN_HOSTS = 8

# Seconds that a crawl waits when all that is left is parked, and leaves it queued for the next run; 0 waits for ever.
IDLE_END_SECS = 600.0

# Seconds after its last visit that a page is fetched again, if it changed since, 0 or more; 0 is never.
RECRAWL_AFTER_SECS = 0.0

# Times in a row, 0 to 30, that a re-crawl asks for a page that could not be had: first after as long, then after 2, 4,
# 8 … times RECRAWL_AFTER_SECS, if it is gone (404, 410) from the doubled time on.
RECRAWL_GONE_TIMES = 5

# Seconds that a connection may idle before it is closed, above 0: in a crawl of many hosts it bounds those that are
# open.
CONNECTION_IDLE_SECS = 2.0

# Bytes of a robots.txt that are parsed (RFC 9309 section 2.5 asks for at least 500 KiB).
ROBOTS_MAX_BYTES = 500 * 1024

# Hosts whose parsed robots.txt is kept in memory, 1 or more; the rest is read again from the disk.
# Bytes of parsed robots.txt files in memory, 1 MiB or more, and of all of them on the disk, 1 MiB to 1 TiB.
ROBOTS_CACHE_HOSTS = 10_000
ROBOTS_CACHE_BYTES = 64 * 2**20
ROBOTS_STORE_BYTES = 256 * 2**20

# Seconds that a robots.txt is believed, at most a day (RFC 9309 2.4); its Cache-Control may shorten them.
ROBOTS_CACHE_SECS = 86_400

# Seconds before a robots.txt that could not be reached is asked for again, doubled each time up to the second; an
# answer with Retry-After is asked for then, after the second at the latest.
ROBOTS_RETRY_SECS = 3_600
ROBOTS_RETRY_MAX_SECS = 86_400

# Days after which a robots.txt that could not be reached counts as not there (RFC 9309 2.3.1.4).
ROBOTS_UNREACHABLE_DAYS = 30

# What becomes of pages whose robots.txt the host answers with an error of its own: `park` them until it can be
# had (RFC 9309 section 2.3.1.4), or `refuse` them for good.
ROBOTS_UNREACHABLE = "park"

# Signals of what a text may be used for that are obeyed, as words: `noai`, `ai-train=no`, `tdm-reservation=1` …
# Pages that bear one are rejected, or, where robots.txt says so, not fetched. All are stored with the page.
SIGNALS_OBEY: list[str] = []

# Sitemaps that are read of one robots.txt or index, and feeds of one host, 1 or more.
SITEMAP_MAX_FILES = 50

# URLs of one sitemap, bytes of one once unpacked, and URLs of all sitemaps of a host in one run, 1 or more. One whose
# URL does not say that it is a sitemap is not read either if it comes in more than DOWNLOAD_MAXSIZE.
SITEMAP_MAX_URLS = 50_000
SITEMAP_MAX_BYTES = 50 * 2**20
SITEMAP_HOST_URLS = 200_000

# The key of the search service that `crawl bootcat` asks, "" for none; seconds before each request, 0 or more.
SEARCH_KEY = ""
SEARCH_DELAY_SECS = 1.0

# Regular expressions, "" for none: of what is linked, or queued, only URLs are fetched in which the first is found, and
# none in which the second is; seeds and sitemaps that robots.txt names always, but not those that an index lists. URLs
# are canonical, the fields of a query sorted; for an expression with letters beyond ASCII, `/članci/`, as people read
# them.
URLS_ALLOW = ""
URLS_DENY = ""

# Worthless pages (duplicates; those without text count less) of one pattern of URLs in a row after which it is
# a trap, and closed; broader patterns take more. 0 closes nothing (crawler.frontier.steering.trap_rules).
TRAP_EVIDENCE = 16

# Hosts and registered domains are dropped when their clean bytes a raw byte fall below this times
# (log10 of their pages - 1), 0 to 1; 0 drops none (crawler.frontier.steering.host_yields).
YIELD_FLOOR = 0.01

# New clean words for a megabyte fetched below which the crawl stops, the mean over three windows; 0 never stops it.
# Megabytes of a window, above 0.
STOP_WORDS_PER_MB = 0.0
STOP_WINDOW_MB = 50.0

# Networks in CIDR form that may be reached although they are private, loopback or reserved: none, but in `local`.
ALLOWED_PRIVATE_NETWORKS: list[str] = []

# File of `host<TAB>address<TAB>port` lines, as the sample web writes: no other name resolves. "": the system's
# resolver.
HOSTS_FILE = ""

# --- the page model -----------------------------------------------------------------------------

# Bytes of a page that are read, 1 or more; Scrapy's DOWNLOAD_MAXSIZE comes before.
PAGE_MAX_BYTES = 64 * 2**20

# Atomic blocks and out-links of a page that are kept, 1 or more; this and the other limits of a page are below 2^31.
PAGE_MAX_BLOCKS = 100_000
PAGE_MAX_LINKS = 20_000

# Characters of a URL, 1 or more; a link to a longer one is none. Elements that a tag path names, 1 to 1,000.
# Characters of an anchor text, and of the title and of the description, 1 or more.
PAGE_MAX_URL_CHARS = 2048
PAGE_MAX_DEPTH = 64
PAGE_MAX_ANCHOR_CHARS = 1000
PAGE_MAX_HEAD_CHARS = 1000

# Tags that divide blocks: `gap`, all but `a` (Kohlschütter 2011, 4.2.1); `transparent`, nor do `b`, `span` and the like
# (his program; give it with boilerpipe, `gap` with his trees); `phrasing`, nor does what stands in a line, images too:
# lines as read today, without soft hyphens and readings of characters (`rt`), with declarative shadow roots.
PAGE_INLINE = "phrasing"

# Text that the page itself hides (attribute `hidden` but for `until-found`, style `display:none` or
# `visibility:hidden`), by a tag within a line, too, closed dialogues and popovers, and the second writing of formulas
# by KaTeX: `drop` or `keep`. What is folded up (panels of tabs), or hidden from screen readers alone, is text; style
# sheets are not read.
PAGE_HIDDEN = "drop"

# --- the stages ---------------------------------------------------------------------------------

# `BF-rule-based`, `BF-smoothed`, `BF-plain`, `JustRules`, `TagGap`, `FullText`, or "" for no segmentation. Block
# Fusion: how much the densities of neighbours may differ, 0 to 1. None: as much as published, 0.6 for the rule-based
# form, 0.38 for the others (Kohlschütter 2011, 4.2).
SEGMENT_METHOD = "BF-rule-based"
SEGMENT_THETA: float | None = None

# The cleaning method, by its name in `pipelines.boilerplate.registry`, or an installed cleaner of another project, in a
# watched process: `peer/trafilatura`, `peer/justext` and so on (`pipelines.evaluation.peers`; extra `[peers]`).
CLEAN_METHOD = "winnow"

# Wall-clock seconds that a cleaner of another project, in `scrapy explore` any but `winnow`, may take for a page, .1 or
# more, and bytes that its process may grow by, 2**24 to 2**40: what takes more is rejected as `cleaner_timeout`,
# `cleaner_memory`.
CLEAN_WORKER_SECS = 10.0
CLEAN_WORKER_BYTES = 512 * 2**20

# Options of the method, by name: {"preset": "precision", "comments": "cut"}. Those of `winnow`: `preset` (`precision`,
# `balanced`, `recall`, or 0 to 1), `comments` (`auto`, `keep`, `cut`), `least` (0 to 1, 0.2: what a main text must
# promise), `model` (a file that `pipelines.evaluation.training.winnow` has trained).
CLEAN_OPTIONS: dict[str, object] = {}

# Dates of publication: `declared`, what a page says of itself, or `htmldate`, guessed by that package
# (extra `[dates]`, milliseconds a page) where it says nothing.
METADATA_DATES = "declared"

# ISO 639-1 codes of the languages that are kept; empty keeps all.
LANGUAGE_KEEP: list[str] = []

# File of a model of a language that the classifier does not know, made by `pipelines.linguistics.trigram_models`; "" is none.
# Main texts that score below the other setting, 0 to 1, are rejected as `unlike_model`; `language` stays the nearest known one.
LANGUAGE_MODEL = ""
LANGUAGE_MODEL_MIN_SCORE = 0.6

# Bytes of a page, unpacked, below which it is rejected as `small_page` (WaCky's and Pomikálek's corpora: 5000), and
# words of main text, which tells more, below which it is as `short_text`; 0 is off.
QUALITY_MIN_PAGE_BYTES = 0
QUALITY_MIN_WORDS = 25

# Share of the page's words that must be main text, 0 to 1, or `low_kept_share`; 0 is off.
QUALITY_MIN_KEPT_SHARE = 0.02

# Share of U+FFFD among the characters above which a page is rejected as `replacement_characters`, and of lines of the
# main text that repeat an earlier one, as `repeated_lines`; 0 is off.
QUALITY_MAX_REPLACEMENT_SHARE = 0.02
QUALITY_MAX_REPEATED_LINE_SHARE = 0.5

# What makes near-duplicates: `mutual-containment`, `resemblance`, or `simhash`. The first two are of sets of word shingles;
# the first is the share that each page at least has of the other. From that share, or the resemblance, on pages are
# near-duplicates, above 0 to 1; 0 finds exact copies only. On CopyCat's judged pairs F1 is .812, about the same from .70 to .82.
DEDUP_METHOD = "mutual-containment"
DEDUP_THRESHOLD = 0.75

# Words of a shingle, 1 or more; with `simhash`, bits in which 64-bit simhashes of near-duplicates may differ, 1 to 8,
# 0 for exact copies only.
DEDUP_SHINGLE_WORDS = 3
DEDUP_SIMHASH_DISTANCE = 3

# Share of the words of a block that n-grams of earlier blocks must cover for it to be left out of a page, above 0 to 1;
# 0 leaves all blocks where they are. At the end of a crawl all pages decide. Bytes for the n-grams of kept blocks
# meanwhile, 64 KiB or more, all taken at once: 8 an n-gram; beyond, those that did not come again are forgotten.
DEDUP_BLOCKS_COVERAGE = 0.0
DEDUP_BLOCKS_BYTES = 2**28

# Which copy is kept at the end of a crawl: `longest` (most words), `first` (fetched first), `rank` (of
# the host of the highest PageRank), `complete` (most kept blocks). Ties go to the shortest URL. `first`
# depends on the clock; by the others the same pages are kept in whatever order they came.
DEDUP_KEEP = "longest"

# Bytes that the end of a crawl may take to compare all pages, 64 MiB or more, beside 200 a page.
DEDUP_MEMORY_BYTES = 2**31

# --- the focused crawl --------------------------------------------------------------------------

# What labels the blocks of a page before its links are scored, by its dotted path; "" takes all blocks
# for main text. Its labels are taken over by the cleaning when that is the same method.
LINK_LABELLER = "pipelines.boilerplate.winnow.Winnow"

# Weights of what a link's score is made of, by name: `page`, `anchor`, `host`, 0 or more, and `boilerplate`,
# what a link outside the main text is worth, 0 to 1 (crawler.focus.link_scores).
FOCUS_WEIGHTS: dict[str, float] = {}

# --- several processes, several machines ----------------------------------------------------------

# Where the parent of a fleet listens, a path; "" for one process. `scrapy fleet` sets these three for its processes.
FLEET_ADDRESS = ""

# The number of this process, 0 to 9999, which every process of a crawl on several machines is given, and those of
# all of them: each owns the domains that hash to its number.
FLEET_SHARD = 0
FLEET_SHARDS: list[int] = []

# What is divided among the processes: `domain`, all hosts of a registrable domain are of one process, which keeps the
# domain's gap; or `host`, each host by itself, for a crawl of few domains with very many hosts (a blog service), where
# the processes keep the gap of a domain together. One for the whole of a crawl.
FLEET_DIVIDE_BY = "domain"

# The Redis that the machines share, as redis://HOST:PORT/0; "" for a crawl on one machine. Each process has
# its own FLEET_SHARD and CORPUS_DIR (extra [cluster]).
CLUSTER_URL = ""

# The name of the crawl, the same for all processes; the shards that it waits for, 1 or more: others may come later.
CLUSTER_NAME = ""
CLUSTER_SIZE = 1

# --- what is shown ------------------------------------------------------------------------------

# Seconds between two lines of progress on stderr; 0 is off.
PROGRESS_SECS = 5.0
