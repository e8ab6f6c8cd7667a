"""The memory of a crawl over many hostile pages: what each leaves behind.

Growth of the anonymous memory over the second half of the pages, by least squares: at most 1 kB a page
(issue: over 100,000 pages; ``WINNOW_HOSTILE_PAGES=100000``).
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT, scrapy_command, scrapy_environment
from tests.hostile_answers import GARBAGE, HEADERS, LENGTHS, packed
from tests.hostile_pages import HOSTILE
from tests.hostile_server import Endless, Hostile, listening, reply

N_PAGES = int(os.environ.get("WINNOW_HOSTILE_PAGES", "20000"))
# Fifty pages a host; what is held for a host is part of what a page leaves behind.
N_HOSTS = N_PAGES // 50
MOST_BYTES_A_PAGE = 1024

# A page of each kind is this small a part of its worst.
SMALL = 2000


class ManyHostile(Hostile):
    """Answers path n with the n-th of its answers, again and again."""

    def __init__(self):
        answers = [answer for answer, _ in (LENGTHS | GARBAGE | HEADERS | packed()).values()]
        self.parts = [answer for answer in answers if not isinstance(answer, Endless)]
        self.parts += [
            reply(hostile.make(max(1, hostile.worst // SMALL)), b"Content-Type: " + hostile.content_type.encode())
            for hostile in HOSTILE.values()
        ]  # fmt: skip
        super().__init__({})

    async def answer(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1]
            self.asked.append("")
            number = int(path[1:]) if path[1:].isdigit() else -1
            missing = reply(b"", status=b"404 Not Found")
            writer.write(self.parts[number % len(self.parts)] if number >= 0 else missing)
            await writer.drain()
        except (ConnectionError, EOFError):
            pass
        finally:
            writer.close()


def anonymous_bytes(pid):
    """0 once the process has ended."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    sizes = [line.split()[1] for line in lines if line.startswith("RssAnon:")]
    return 1024 * int(sizes[0]) if sizes else 0


@pytest.mark.long
def test_memory_grows_by_less_than_a_kilobyte_a_hostile_page(tmp_path):
    hostile = ManyHostile()
    with listening(hostile) as port:
        seeds = "".join(f"http://h{n % N_HOSTS}.sample/{n}\n" for n in range(N_PAGES))
        (tmp_path / "seeds.txt").write_text(seeds, encoding="utf-8")
        hosts = "".join(f"h{n}.sample\t127.0.0.1\t{port}\n" for n in range(N_HOSTS))
        (tmp_path / "hosts.tsv").write_text(hosts, encoding="utf-8")
        with (tmp_path / "log.txt").open("wb") as log:
            crawl = subprocess.Popen(
                scrapy_command(
                    "crawl", "odp", "-a", f"seeds={tmp_path / 'seeds.txt'}", "-a", "max_depth=1",
                    *("-s", f"CORPUS_DIR={tmp_path / 'corpus'}"),
                    *("-s", f"HOSTS_FILE={tmp_path / 'hosts.tsv'}", "-s", "HOST_DELAY_SECS=0"),
                    *("-s", "DOWNLOAD_MAXSIZE=1000000", "-s", "FETCH_RETRIES=0", "-s", "HOST_PARK_ERRORS=0"),
                    # No host is left alone, none is dropped: all pages are fetched.
                    *("-s", "HOST_PARK_SECS=0", "-s", "HOST_PARK_MAX_SECS=0", "-s", "YIELD_FLOOR=0"),
                    *("-a", f"max_pages={N_PAGES}", "-L", "ERROR"),
                ),
                cwd=ROOT, env=scrapy_environment(), stdout=log, stderr=log,
            )  # fmt: skip
            samples = []
            while crawl.poll() is None:
                if n_bytes := anonymous_bytes(crawl.pid):
                    samples.append((len(hostile.asked), n_bytes))
                time.sleep(0.5)
    text = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert crawl.returncode == 0, text
    assert "Traceback" not in text
    pages, sizes = np.array(samples[:-4]).T
    assert pages[-1] > 0.8 * N_PAGES
    half = (pages > N_PAGES / 2) & (pages < 0.98 * pages[-1])
    slope = np.polyfit(pages[half], sizes[half], 1)[0]
    print(f"{slope:.0f} bytes a page; {sizes[half].min() >> 20} to {sizes[half].max() >> 20} MiB")
    assert slope < MOST_BYTES_A_PAGE
